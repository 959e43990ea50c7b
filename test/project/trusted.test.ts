/**
 * The counter-test: once a folder is trusted its files act, and the recorders see it. And what no trust allows: endpoint,
 * keys, proxy, certificates, programs and mode are never a repository's to set.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import type { Options } from 'kedge'
import type { Step } from 'kedge/testing'
import { harmlessCalls, NOT_STARTED, NOTHING, refusesToStart, withoutOwnPrograms } from './expect.js'
import type { Hostile } from './hostile.js'
import { openWithCommand, openWithLibrary, type Seen } from './open.js'
import type { World } from './place.js'
import { REPOSITORIES } from './repositories.js'

const cache = mkdtempSync(join(tmpdir(), 'kedge-hostile-cache-'))
after(() => rmSync(cache, { recursive: true, force: true }))

function repository(id: string): Hostile {
  const found = REPOSITORIES.find((hostile) => hostile.id === id)
  if (!found) throw new Error(`There is no repository ${id}`)
  return found
}

const runsCommand = (world: World): Step[] => [
  { tools: [{ name: 'Bash', input: { command: world.command } }] },
  'Done.',
]
const trusting: Options = { settingSources: ['user', 'project', 'local'] }

/** What a sprung trap looks like. */
function assertSprung({ programs, writes, canary, stderr }: Seen): void {
  assert.ok(canary > 0, `no call. ${stderr}`)
  assert.ok(programs.length > 0, 'no program')
  assert.ok(
    writes.some((path) => path.endsWith('traps/sprung')),
    `no write: ${writes.join()}`,
  )
}

describe('the recorders see', { skip: process.platform === 'win32' }, () => {
  const empty = repository('folder-name')

  test('a command that the user allowed, in the library', async () => {
    const options = { allowedTools: ['Bash'] }
    assertSprung(await openWithLibrary(empty, { turns: runsCommand, options }))
  })

  test('a command that the user allowed, with the command', async () => {
    assertSprung(await openWithCommand(empty, { cache, turns: runsCommand, args: ['--allowedTools', 'Bash'] }))
  })
})

describe('once the folder is trusted', { skip: process.platform === 'win32' }, () => {
  for (const id of ['hook-session-start', 'hook-local-tracked', 'hook-every-event']) {
    test(`${id} acts: with the command and --trust`, async () => {
      assertSprung(await openWithCommand(repository(id), { cache, args: ['--trust'] }))
    })
    test(`${id} acts: with the library that names its settings`, async () => {
      assertSprung(await openWithLibrary(repository(id), { options: trusting }))
    })
  }

  test('a command of its own acts when the user calls it', async () => {
    const called: Hostile = { ...repository('command'), opened: () => ({ prompt: '/hi' }) }
    assertSprung(await openWithCommand(called, { cache, args: ['--trust'] }))
  })

  test('its permissions hold', async () => {
    assertSprung(await openWithCommand(repository('permissions'), { cache, turns: runsCommand, args: ['--trust'] }))
  })

  test('its instructions reach the model, and before that, too, marked as the project’s', async () => {
    const plain: Hostile = { ...repository('names'), make: (at) => void at.write('CLAUDE.md', 'Say please.') }
    const heard: string[] = []
    const turns = (): Step[] => [
      {
        expect: (request) => {
          heard.push(JSON.stringify(request.body))
        },
        text: 'Hi.',
      },
    ]
    await openWithCommand(plain, { cache, turns })
    await openWithCommand(plain, { cache, turns, args: ['--trust'] })
    assert.deepEqual(
      heard.map((body) => [body.includes('Say please.'), body.includes("user hasn't reviewed")]),
      [
        [true, true],
        [true, false],
      ],
    )
  })
})

describe('even a trusted repository can not', { skip: process.platform === 'win32' }, () => {
  // One of these also has hooks, which are its own to set.
  const never =
    /^(?:env-(?!home)|key-helper|cloud-helpers|status-line|hook-proto|settings-|claude-pipes|git-|agent|instructions-)/
  for (const hostile of REPOSITORIES.filter(({ id }) => never.test(id))) {
    test(`${hostile.id}: ${hostile.would}`, async () => {
      const refuses = refusesToStart(hostile)
      const turns = refuses ? () => [] : harmlessCalls
      const opened = await openWithCommand(hostile, { cache, turns, args: ['--trust'] })
      const { answer, stderr, ...seen } = withoutOwnPrograms(opened)
      assert.deepEqual(seen, NOTHING, stderr)
      assert.equal(answer, refuses ? '' : 'Done.', stderr)
      if (refuses) assert.match(stderr, NOT_STARTED)
    })
  }
})
