/** The Bash tool against a real bash: every text the model and the host get to see. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { mkdir, readdir, realpath, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { after, beforeEach, describe, it } from 'node:test'
import { findLeftoverProcesses, findLeftoversAfterAbort } from '../../platform/processes/test-leftovers.js'
import { createRegistry } from '../registry.js'
import { createTestContext, type TestContext } from '../test-context.js'
import type { CallContext } from '../tool.js'
import { createBashTool } from './bash.js'
import type { BashInput } from './bash-shapes.js'

const tool = createBashTool({ isReadOnlyCommand: (command) => command === 'ls' })
const linux = process.platform === 'linux'
const contexts: TestContext[] = []
let test: TestContext
let mark: string

beforeEach(async () => {
  test = await createTestContext()
  contexts.push(test)
  mark = `test-${randomUUID()}`
})
after(async () => {
  for (const context of contexts) await context.dispose()
})

async function bash(input: string | BashInput, overrides: Partial<CallContext> = {}) {
  const outcome = await start(input, overrides)
  assert.deepEqual(overrides.signal?.aborted ? await findLeftoversAfterAbort(mark) : findLeftoverProcesses(mark), [])
  return outcome
}

/** As `bash`, but it may leave something running. */
function start(input: string | BashInput, overrides: Partial<CallContext> = {}) {
  const env = { ...test.context.env, ...overrides.env, KEDGE_TASK: mark }
  const context: CallContext = { ...test.context, ...overrides, env }
  return tool.execute(typeof input === 'string' ? { command: input } : input, context)
}

function success(stdout: string, more: Record<string, unknown> = {}) {
  const output = { stdout, stderr: '', interrupted: false, isImage: false, noOutputExpected: false, ...more }
  return { ok: true, content: stdout || '(no output, exit code 0)', output }
}

describe('results', () => {
  it('joins stdout and stderr in order and cuts blank edges', async () => {
    assert.deepEqual(await bash('echo out; echo err >&2; echo more'), success('out\nerr\nmore'))
    assert.deepEqual(await bash("printf '\\n \\n  a \\n\\n\\n'"), success('  a'))
    assert.deepEqual(await bash('true'), success(''))
    assert.deepEqual(await bash('echo a; echo b > /dev/stderr; echo c'), success('a\nb\nc'))
  })

  it('knows which commands are silent', async () => {
    assert.deepEqual(await bash('mkdir -p a && touch a/b'), success('', { noOutputExpected: true }))
  })

  it('reports the exit code with the output', async () => {
    const error = 'Exit code 3\nout\nerr'
    assert.deepEqual(await bash('echo out; echo err >&2; exit 3'), { ok: false, error })
    assert.deepEqual(await bash('false'), { ok: false, error: 'Exit code 1' })
    assert.deepEqual(await bash('kill -9 $$'), { ok: false, error: 'Exit code 137' })
  })

  it('lets bash speak about syntax errors and missing commands', async () => {
    const missing = '/bin/bash: line 1: no-such-command: command not found'
    assert.deepEqual(await bash('no-such-command'), { ok: false, error: `Exit code 127\n${missing}` })
    const outcome = await bash('echo "')
    assert.match(outcome.ok ? '' : outcome.error, /^Exit code 2\n\/bin\/bash: eval: line 1: unexpected EOF/)
  })

  it('takes exit code 1 of commands that answer a question for an answer', async () => {
    assert.deepEqual(await bash('echo a | grep b'), {
      ...success('', { returnCodeInterpretation: 'No matches found' }),
      content: '(no output, exit code 1: no matches found)',
    })
    assert.deepEqual(await bash('grep b missing'), {
      ok: false,
      error: 'Exit code 2\ngrep: missing: No such file or directory',
    })
  })

  it('T10: strips escapes and replaces what is not text', async () => {
    assert.deepEqual(
      await bash("printf '\\033[1;31mred\\033[0m \\033]0;title\\007\\0bell\\007 a\\xffb'"),
      success('red bell a\ufffdb'),
    )
    const colors = await bash("printf '\\033[3'; sleep 0.05; printf '1mred'")
    assert.deepEqual([colors, test.progress.join('')], [success('red'), 'red bell a\ufffdbred'])
    const binary = await bash('head -c 20000 /dev/urandom; exit 0')
    assert.doesNotMatch(binary.ok ? String(binary.content) : '', /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/)
  })

  it('T15: gives no input, no aliases, no positional parameters and no start-up files', async () => {
    assert.deepEqual(
      await bash('cat; echo "[$1|$#|$0]"; shopt expand_aliases; echo "$BASH_ENV"', { env: { BASH_ENV: '/x' } }),
      {
        ...success('[|0|/bin/bash]\nexpand_aliases \toff'),
      },
    )
    assert.deepEqual(await bash('cat <<E\nhello $((1+1))\nE'), success('hello 2'))
  })

  it('keeps secrets and internals from the command', async () => {
    const env = {
      ANTHROPIC_API_KEY: 'k',
      ANTHROPIC_AUTH_TOKEN: 't',
      CLAUDE_API_KEY: 'c',
      CLAUDE_CODE_OAUTH_TOKEN: 'o',
      KEDGE_INTERNAL: 'i',
      KEDGE_EXTRA_CA_CERTS: '/ca.pem',
      OTHER: 'o',
    }
    const show =
      'echo "$ANTHROPIC_API_KEY$ANTHROPIC_AUTH_TOKEN$CLAUDE_API_KEY$CLAUDE_CODE_OAUTH_TOKEN|$KEDGE_INTERNAL|$OTHER|$NODE_EXTRA_CA_CERTS"'
    assert.deepEqual(await bash(show, { env }), success('||o|/ca.pem'))
    assert.deepEqual(await bash(show, { env: { ...env, KEDGE_PASS_SECRETS: '1' } }), success('ktco||o|/ca.pem'))
  })
})

describe('refusals', () => {
  const cases: [row: string, BashInput, RegExp][] = [
    ['T04', { command: '' }, /is empty/],
    ['T04', { command: ' \n\t' }, /is empty/],
    ['T04', { command: '# only\n  # comments' }, /is empty/],
    ['T05', { command: 'echo a\0b' }, /NUL/],
    ['', { command: `: ${'x'.repeat(131_072)}` }, /too long/],
    ['', { command: 'true', timeout: 0 }, /positive/],
  ]
  for (const [row, input, reason] of cases) {
    it(`${row} ${JSON.stringify(input).slice(0, 60)} starts no shell`.trim(), async () => {
      const fail = () => assert.fail('a process was started')
      const processes = { ...test.context.platform.processes, run: fail, start: fail }
      const platform = { ...test.context.platform, processes }
      const outcome = await tool.execute(input, { ...test.context, platform })
      assert.deepEqual({ ...outcome, error: '' }, { ok: false, error: '', refused: true })
      assert.match(outcome.ok ? '' : outcome.error, reason)
      assert.equal(await tool.check?.(input, test.context), outcome.ok ? '' : outcome.error)
    })
  }

  it('T02: an unknown field that names a place is refused like any other wrong input', () => {
    const { port } = createRegistry([tool], test.context)
    const parsed = port.find('Bash')?.parse({ command: 'true', cwd: '/' })
    assert.equal(
      parsed?.ok === false && parsed.error,
      'InputValidationError: Bash failed due to the following issue:\nAn unexpected parameter `cwd` was provided\nBash takes: command (required), timeout, description, run_in_background.',
    )
  })

  it('a comment before a command is no reason', async () => {
    assert.deepEqual(await bash('# first\necho hi # then'), success('hi'))
  })
})

describe('T19: the working directory', () => {
  it('carries over, whatever ends the command', async () => {
    await bash('mkdir -p "a b/c"; cd "a b"')
    assert.equal(test.context.session.shellCwd, join(test.folder, 'a b'))
    assert.deepEqual(await bash('pwd; exec 3>&1; cd c; exit 4'), {
      ok: false,
      error: `Exit code 4\n${test.folder}/a b\n(The working directory is now ${test.folder}/a b/c)`,
    })
    assert.equal(test.context.session.shellCwd, join(test.folder, 'a b/c'))
    assert.deepEqual(tool.facts({ command: 'x' }, test.context), {
      kind: 'command',
      command: 'x',
      cwd: join(test.folder, 'a b/c'),
    })
  })

  it('is reset when it ends outside the working directories', async () => {
    const remark = `Shell cwd was reset to ${test.folder}`
    const stderr = `\n${remark}`
    await bash('mkdir sub; cd sub')
    assert.deepEqual(await bash('cd / && pwd'), { ...success('/', { stderr }), content: `/\n${remark}` })
    assert.deepEqual(await bash('cd ..'), { ...success('', { stderr, noOutputExpected: true }), content: remark })
    assert.deepEqual(await bash('cd / && false'), { ok: false, error: `Exit code 1\n${remark}` })
    assert.deepEqual(await bash('pwd'), success(test.folder))
  })

  it('is reset when it is gone', async () => {
    await bash('mkdir sub; cd sub')
    await bash('rmdir "$PWD"')
    const remark = `Shell cwd was reset to ${test.folder}`
    assert.deepEqual(await bash('pwd'), {
      ...success(test.folder, { stderr: `\n${remark}` }),
      content: `${test.folder}\n${remark}`,
    })
    assert.deepEqual(await bash('pwd'), success(test.folder))
    await rm(test.folder, { recursive: true })
    assert.deepEqual(await bash('pwd'), {
      ok: false,
      error: `The working directory does not exist any more: ${test.folder}`,
    })
  })

  it('may be reached by a link', async () => {
    await mkdir(join(test.folder, 'real/sub'), { recursive: true })
    const link = join(test.folder, 'link')
    await symlink(join(test.folder, 'real'), link)
    const context = { cwd: link, directories: () => [link], session: { ...test.context.session, shellCwd: link } }
    assert.deepEqual(await bash('pwd; cd sub', context), {
      ...success(link),
      content: `${link}\n(The working directory is now ${join(link, 'sub')})`,
    })
    assert.equal(context.session.shellCwd, join(link, 'sub'))
    assert.equal(await realpath(context.session.shellCwd), join(test.folder, 'real/sub'))
  })
})

describe('the end of a command', () => {
  it('comes with an abort', async () => {
    const interrupted = '[Request interrupted by user for tool use]'
    const silent = await bash('sleep 300', { signal: AbortSignal.timeout(100) })
    assert.deepEqual(silent, { ok: false, error: `Exit code 137\n${interrupted}` })
    const controller = new AbortController()
    const progress = () => controller.abort()
    const loud = await bash('echo begun; setsid sleep 300', { signal: controller.signal, progress })
    assert.deepEqual(loud, { ok: false, error: `Exit code 137\nbegun\n${interrupted}` })
    const early = await bash('touch ran', { signal: AbortSignal.abort() })
    assert.deepEqual(early, { ok: false, error: `Exit code 137\n${interrupted}` })
    assert.deepEqual(await readdir(test.folder), [])
  })

  it('T08: comes with an abort for endless output too, in flat memory', async () => {
    const controller = new AbortController()
    const before = process.memoryUsage().rss
    let length = 0
    const progress = (text: string) => {
      length += text.length
      if (length > 20_000_000) controller.abort()
    }
    const outcome = await bash('yes', { signal: controller.signal, progress })
    const error = outcome.ok ? '' : outcome.error
    assert.match(error, /^Exit code 137\ny\n[\s\S]* characters left out; the whole output, \d+ bytes, is in \S+ …/)
    assert.match(error, /\ny\n\[Request interrupted by user for tool use\]$/)
    assert.ok(process.memoryUsage().rss - before < 150 * 1024 * 1024)
  })

  it('T12: leaves what runs in the background alone, whatever it holds, until the session ends', async () => {
    const inBackground =
      'sleep 300 & (while [ ! -e go ]; do sleep 0.02; done; echo late; touch survived) & echo started'
    assert.deepEqual(await start(inBackground), success('started'))
    assert.equal(findLeftoverProcesses(mark).length > 0, true)
    writeFileSync(join(test.folder, 'go'), '')
    while (!existsSync(join(test.folder, 'survived'))) await pause(10)
    assert.deepEqual(await start('sleep 0.1 & wait; echo waited'), success('waited'))
    assert.equal(test.progress.join(''), 'started\nwaited\n')
    await test.context.platform.processes.close()
    assert.deepEqual(findLeftoverProcesses(mark), [])
  })

  it('T14: a daemon is gone when the session ends', { skip: !linux }, async () => {
    const daemon =
      'setsid bash -c "(trap \'\' TERM HUP; echo > up; while :; do sleep 0.05; done) > /dev/null 2>&1 &" < /dev/null &'
    assert.deepEqual(await start(daemon), success(''))
    while (!existsSync(join(test.folder, 'up'))) await pause(5)
    assert.notDeepEqual(findLeftoverProcesses(mark), [])
    await test.context.platform.processes.close()
    assert.deepEqual(findLeftoverProcesses(mark), [])
  })

  it('ends leftovers that are too many, and says so', { skip: !linux }, async () => {
    const remark = '40 processes that the command left running were ended: they were too many.'
    const outcome = await bash('for i in {1..40}; do sleep 300 & done; echo done')
    assert.deepEqual(outcome, { ...success('done', { stderr: `\n${remark}` }), content: `done\n${remark}` })
  })
})

it('lets the runtime say what may run side by side', () => {
  assert.deepEqual([tool.isReadOnly({ command: 'ls' }), tool.isReadOnly({ command: 'rm x' })], [true, false])
})

it('serves many sessions at once, each in its own folder', async () => {
  const sessions = await Promise.all(Array.from({ length: 25 }, () => createTestContext()))
  contexts.push(...sessions)
  const outcomes = await Promise.all(
    sessions.map(async ({ context }, i) => {
      await tool.execute({ command: `mkdir s${i}; cd s${i}` }, context)
      return tool.execute({ command: 'pwd' }, context)
    }),
  )
  assert.deepEqual(
    outcomes,
    sessions.map(({ folder }, i) => success(join(folder, `s${i}`))),
  )
})

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
