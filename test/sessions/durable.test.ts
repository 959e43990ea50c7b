/** What a `sessionStore` knows at every moment: no call runs before it, and nothing runs when it belongs to somebody else. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  createSdkMcpServer,
  InMemorySessionStore,
  type Options,
  query,
  type SDKMessage,
  type SessionStore,
  type SessionStoreEntry,
  tool,
} from 'kedge'
import { collect, startModelServer, type TestOptions, testOptions } from 'kedge/testing'
import { unwrapKedgeLine } from '../../src/sessions/kedge-lines.js'
import { projectKey } from '../../src/sessions/transcript-paths.js'
import { ask, type Message } from './stage.js'

const STEP = 'mcp__steps__step'
const steps = (...ids: string[]) => ({ tools: ids.map((id) => ({ id, name: STEP, input: {} })) })

/** A tool of the host that acts when it is called. */
function acting(act: () => void | Promise<void>): Pick<Options, 'mcpServers' | 'allowedTools'> {
  const step = tool('step', 'Takes a step', {}, async () => {
    await act()
    return { content: [{ type: 'text', text: 'stepped' }] }
  })
  return { mcpServers: { steps: createSdkMcpServer({ name: 'steps', tools: [step] }) }, allowedTools: [STEP] }
}

/** What a store has of the main thread, one word per line that matters: calls, begun calls, results. */
function glance(entries: readonly SessionStoreEntry[]): string[] {
  return entries.flatMap((entry) => {
    const line = unwrapKedgeLine(entry) as Record<string, unknown>
    if (line.type === 'tool-start') return [`begun ${line.toolUseId}`]
    const content = (line.message as { content?: unknown } | undefined)?.content
    if (!Array.isArray(content)) return []
    return content.flatMap((block: Record<string, unknown>) =>
      block.type === 'tool_use'
        ? [`call ${block.id}`]
        : block.type === 'tool_result'
          ? [`result ${block.tool_use_id}`]
          : [],
    )
  })
}

function entriesOf(store: InMemorySessionStore, { cwd }: TestOptions, sessionId: string): SessionStoreEntry[] {
  return store.getEntries({ projectKey: projectKey(cwd), sessionId })
}

const SESSION = '5f3d1c1e-0000-4000-8000-000000000001'

for (const sessionStoreFlush of ['batched', 'eager'] as const) {
  test(`a call is in the store as begun before it acts (${sessionStoreFlush}), with one append for all before it`, async () => {
    await using server = await startModelServer([steps('a'), steps('b', 'c'), 'Done.'])
    await using options = testOptions(server)
    const sessionStore = new InMemorySessionStore()
    const known: string[] = []
    const act = () => void known.push(glance(entriesOf(sessionStore, options, SESSION)).join(', '))
    const run = await collect(
      query({
        prompt: 'Go.',
        options: { ...options, ...acting(act), sessionStore, sessionStoreFlush, sessionId: SESSION },
      }),
    )
    assert.equal(run.result?.subtype, 'success')
    assert.deepEqual(known, [
      'call a, begun a',
      'call a, begun a, result a, call b, call c, begun b',
      'call a, begun a, result a, call b, call c, begun b, result b, begun c',
    ])
  })
}

test('two appends per call and one for the result of the turn: what a turn costs a store that is written in batches', async () => {
  await using server = await startModelServer([steps('a'), steps('b'), 'Done.'])
  await using options = testOptions(server)
  const kept = new InMemorySessionStore()
  let atFirstCall = 0
  let appends = 0
  const sessionStore: SessionStore = {
    load: (key) => kept.load(key),
    async append(key, entries) {
      appends += 1
      await kept.append(key, entries)
    },
  }
  const act = () => {
    atFirstCall ||= appends
  }
  const started = performance.now()
  await collect(query({ prompt: 'Go.', options: { ...options, ...acting(act), sessionStore } }))
  // A slow machine adds what the timer of every 100 ms hands over.
  const byTimer = Math.floor((performance.now() - started) / 100)
  assert.ok(atFirstCall >= 1)
  assert.ok(appends >= 5 && appends <= 5 + byTimer, `${appends} appends`)
})

test('a result is in the store before the model reads it', async () => {
  const sessionStore = new InMemorySessionStore()
  const known: string[][] = []
  const look = () => glance(entriesOf(sessionStore, options, SESSION))
  const script = [steps('a'), steps('b', 'c'), 'Done.']
  await using server = await startModelServer(() => {
    known.push(look())
    return script.shift() ?? 'Done.'
  })
  await using options = testOptions(server)
  const run = await collect(
    query({ prompt: 'Go.', options: { ...options, ...acting(() => {}), sessionStore, sessionId: SESSION } }),
  )
  assert.equal(run.result?.subtype, 'success')
  assert.deepEqual(
    known.map((lines) => lines.filter((line) => line.startsWith('result'))),
    [[], ['result a'], ['result a', 'result b', 'result c']],
  )
})

test('a session that is taken over while a call acts: the model does not read its result, and the turn ends with session_taken_over', async () => {
  await using server = await startModelServer([steps('a')])
  await using options = testOptions(server)
  const sessionStore = new InMemorySessionStore()
  let acted = 0
  const act = async () => {
    acted += 1
    const key = { projectKey: projectKey(options.cwd), sessionId: SESSION }
    await sessionStore.leases.release(key, 1)
    assert.deepEqual(await sessionStore.leases.acquire(key, 'another machine', 60_000), { token: 2 })
  }
  const run = await collect(
    query({ prompt: 'Go.', options: { ...options, ...acting(act), sessionStore, sessionId: SESSION } }),
  )
  assert.deepEqual(
    [acted, run.result?.terminal_reason, run.result?.error_code, run.result?.is_error],
    [1, 'session_taken_over', 'session_taken_over', true],
  )
  assert.deepEqual(glance(entriesOf(sessionStore, options, SESSION)), ['call a', 'begun a'])
  assert.equal(server.requests.length, 1)
  const said = run.messages.slice(run.messages.findLastIndex(({ type }) => type === 'assistant') + 1)
  assert.deepEqual(
    said.flatMap((message) => (message.type === 'user' ? [JSON.stringify(message.message.content)] : [])).length,
    1,
    'the result of the call that has acted, and nothing more',
  )
})

test('a question is in the store before anybody is asked', async () => {
  await using server = await startModelServer([
    { tools: [{ id: 'q', name: 'Bash', input: { command: 'touch x' } }] },
    'Well.',
  ])
  await using options = testOptions(server)
  const sessionStore = new InMemorySessionStore()
  const open: unknown[] = []
  const canUseTool: Options['canUseTool'] = async () => {
    for (const entry of entriesOf(sessionStore, options, SESSION)) {
      const line = unwrapKedgeLine(entry) as Record<string, unknown>
      if (line.type === 'question-open') open.push(line.toolUseId)
    }
    return { behavior: 'deny', message: 'no' }
  }
  await collect(query({ prompt: 'Go.', options: { ...options, canUseTool, sessionStore, sessionId: SESSION } }))
  assert.deepEqual(open, ['q'])
})

test('a lease that is lost while a command runs ends the command', async () => {
  const command = 'touch began; sleep 60; touch ended'
  await using server = await startModelServer([{ tools: [{ id: 'c', name: 'Bash', input: { command } }] }])
  await using options = testOptions(server, { allowedTools: ['Bash'] })
  const kept = new InMemorySessionStore()
  const { acquire, release } = kept.leases
  const sessionStore: SessionStore = {
    append: (...args) => kept.append(...args),
    load: (key) => kept.load(key),
    leases: {
      ttlMs: 60,
      acquire: (...args) => acquire.call(kept.leases, ...args),
      release: (...args) => release.call(kept.leases, ...args),
      // It is somebody else's as soon as the command is seen to run.
      renew: async () => !existsSync(join(options.cwd, 'began')),
    },
  }
  const run = await collect(query({ prompt: 'Go.', options: { ...options, sessionStore } }))
  assert.equal(run.result?.terminal_reason, 'session_taken_over')
  assert.ok(!existsSync(join(options.cwd, 'ended')))
})

test('session_sync: a host that keeps sessions but did not say that it answers is not asked, and the call runs', async () => {
  await using server = await startModelServer([
    { tools: [{ id: 'c', name: 'Bash', input: { command: 'echo hi' } }] },
    'Done.',
  ])
  await using options = testOptions(server)
  const asked: Message[] = []
  const run = await ask('Go.', {
    ...options,
    argv: ['--session-mirror', '--allowedTools', 'Bash'],
    onMessage: (message) => message.type === 'control_request' && void asked.push(message),
  })
  assert.deepEqual([run.code, run.result?.result, asked], [0, 'Done.', []])
})

test('without a sessionStore nothing is asked, and the file says which calls began', async () => {
  await using server = await startModelServer([steps('a'), 'Done.'])
  await using options = testOptions(server, { sessionId: SESSION })
  const told: SDKMessage[] = []
  for await (const message of query({ prompt: 'Go.', options: { ...options, ...acting(() => {}) } })) told.push(message)
  assert.equal(told.at(-1)?.type, 'result')
  const { nodeFiles } = await import('../../src/platform/files/files.js')
  const { createJsonlSessionStore } = await import('../../src/sessions/jsonl-store.js')
  const files = createJsonlSessionStore(nodeFiles, options.env.CLAUDE_CONFIG_DIR ?? '')
  const lines = await files.load({ projectKey: projectKey(options.cwd), sessionId: SESSION })
  assert.deepEqual(glance(lines ?? []), ['call a', 'begun a', 'result a'])
})
