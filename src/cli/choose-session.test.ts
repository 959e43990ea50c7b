import assert from 'node:assert/strict'
import { mkdirSync, utimesSync } from 'node:fs'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { projectKey } from '../sessions/transcript-paths.js'
import { insertChosenSessionId } from './choose-session.js'
import { openTestTerminal, type TestTerminal } from './test-terminal.js'

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const MINUTE = 60_000

let terminal: TestTerminal
beforeEach(() => {
  terminal = openTestTerminal()
})
afterEach(() => terminal.close())

/** A session of this folder that was last used so long ago. */
function put(n: number, prompt: string, ageMs = 0) {
  const line = {
    type: 'user',
    uuid: id(100 + n),
    parentUuid: null,
    sessionId: id(n),
    cwd: terminal.project,
    timestamp: '2026-01-01T00:00:00.000Z',
    isSidechain: false,
    message: { role: 'user', content: prompt },
  }
  const path = `home/.claude/projects/${projectKey(terminal.project)}/${id(n)}.jsonl`
  const place = terminal.write(path, `${JSON.stringify(line)}\n`)
  const time = new Date(Date.now() - ageMs)
  utimesSync(place, time, time)
}
const choose = (argv: string[], typed?: string) => terminal.hear(() => insertChosenSessionId(argv), typed)

describe('--resume without an id', () => {
  it('says that there is nothing to go on with', async () => {
    mkdirSync(`${terminal.home}/.claude`)
    assert.deepEqual(await choose(['--resume'], '1\n'), {
      value: undefined,
      stdout: '',
      stderr: 'Error: This folder has no sessions to continue.\n',
    })
  })

  it('names the sessions where nobody can be asked', async () => {
    put(1, 'the older one', 5 * MINUTE)
    put(2, 'the newer one')
    const hint = 'Use --continue for the latest, or --resume with one of:'
    assert.deepEqual(await choose(['--resume']), {
      value: undefined,
      stdout: '',
      stderr: `Error: --resume without a session ID asks on a terminal, and there is none. ${hint}\n  ${id(2)}  the newer one\n  ${id(1)}  the older one\n`,
    })
  })

  it('asks nobody in a build, also where there is a terminal', async () => {
    put(1, 'one')
    process.env.CI = 'true'
    const { value, stderr } = await choose(['--resume'], '1\n')
    assert.equal(value, undefined)
    assert.match(stderr, /asks on a terminal, and there is none/)
  })

  it('shows the latest first, with their age, and takes a number', async () => {
    put(1, 'three days', 3 * 24 * 60 * MINUTE)
    put(2, 'two hours', 2 * 60 * MINUTE)
    put(3, 'five minutes', 5 * MINUTE)
    const { value, stderr } = await choose(['-p', '--resume'], ' 2 \n')
    assert.equal(
      stderr,
      [
        '   1  5 min ago   five minutes',
        '   2  2 h ago     two hours',
        '   3  3 days ago  three days',
        'Go on with which session? [1-3] ',
      ].join('\n'),
    )
    assert.deepEqual(value, ['-p', `--resume=${id(2)}`])
  })

  for (const typed of ['', '\n', '0\n', '2\n', 'one\n', '-1\n', '1.0\n', '1 1\n']) {
    it(`takes ${JSON.stringify(typed)} for none`, async () => {
      put(1, 'one')
      const { value, stderr } = await choose(['--resume'], typed)
      assert.equal(value, undefined)
      assert.ok(stderr.endsWith('Error: No session was chosen.\n'), stderr)
    })
  }

  it('shows at most ten', async () => {
    for (let n = 1; n <= 12; n += 1) put(n, `session ${n}`, n * MINUTE)
    const { stderr } = await choose(['--resume'], '10\n')
    assert.match(stderr, /^ {2}10 {2}10 min ago {2}session 10$/m)
    assert.doesNotMatch(stderr, /session 11/)
  })

  it('does not let a session steer the terminal, nor fill it', async () => {
    put(1, `red \u001b[31m and \u202e back ${'x'.repeat(200)}`)
    const { stderr } = await choose(['--resume'], '1\n')
    const [line = ''] = stderr.split('\n')
    assert.doesNotMatch(stderr, /\u001b|\u202e/)
    assert.ok(line.length < 100 && line.endsWith('…'), line)
  })

  const places: [string[], string[]][] = [
    [
      ['--resume', '-p', 'go on'],
      ['--resume=ID', '-p', 'go on'],
    ],
    [
      ['-r', '--verbose'],
      ['--resume=ID', '--verbose'],
    ],
    [
      ['-p', '--resume', '--', '--resume'],
      ['-p', '--resume=ID', '--', '--resume'],
    ],
    [
      ['--resume', '--', '-r', 'x'],
      ['--resume=ID', '--', '-r', 'x'],
    ],
    [
      ['--resume', 'named', '-r'],
      ['--resume', 'named', '--resume=ID'],
    ],
  ]
  for (const [argv, expected] of places) {
    it(`puts the id into ${argv.join(' ')}`, async () => {
      put(7, 'one')
      const { value } = await choose(argv, '1\n')
      assert.deepEqual(
        value,
        expected.map((word) => word.replace('ID', id(7))),
      )
    })
  }
})
