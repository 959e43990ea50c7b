/** `sessionStore`: sessions in a place of the caller's own, with the agent in this process and in another. */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  ConfigurationError,
  InMemorySessionStore,
  type Options,
  query,
  type SDKMessage,
  type SessionKey,
  type SessionStore,
  type SessionStoreEntry,
  startup,
  unstable_v2_createSession,
} from 'kedge'
import { collect, startModelServer, testOptions } from 'kedge/testing'
import { projectKey } from '../../src/sessions/transcript-paths.js'
import { bothWays } from '../e2e/both-ways.js'
import { within } from '../support/eventually.js'

function filesOf({ env = {} }: Options): string[] {
  const folder = join(env.CLAUDE_CONFIG_DIR ?? '', 'projects')
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'))
}

/** The same folder on another computer: nothing of the first is there. */
function elsewhere(options: Options) {
  const root = mkdtempSync(join(tmpdir(), 'kedge-elsewhere-'))
  const env = { ...options.env, CLAUDE_CONFIG_DIR: root, HOME: root }
  return { options: { ...options, env }, root, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) }
}

const keyOf = (options: Options, sessionId: string): SessionKey => ({
  projectKey: projectKey(options.cwd ?? ''),
  sessionId,
})
const typesOf = (entries: readonly SessionStoreEntry[]) => entries.map(({ type }) => type)

bothWays(
  'every line is in the sessionStore before the result comes, as it is on disk',
  () => ['First.', 'Second.'],
  {},
  async ({ options }) => {
    const sessionStore = new InMemorySessionStore()
    let atResult: string[] = []
    let sessionId = ''
    for await (const message of query({ prompt: 'One.', options: { ...options, sessionStore } })) {
      assert.notEqual(message.type as string, 'transcript_mirror')
      if (message.type !== 'result') continue
      sessionId = message.session_id
      atResult = typesOf(sessionStore.getEntries(keyOf(options, sessionId)))
    }
    assert.deepEqual(atResult, [
      ...[
        'queue-operation',
        'queue-operation',
        'user',
        'queue-operation',
        'assistant',
        'queue-operation',
        'queue-operation',
      ],
    ])
    const [file] = filesOf(options)
    const lines = readFileSync(join(options.env.CLAUDE_CONFIG_DIR ?? '', 'projects', file ?? ''), 'utf8')
      .trim()
      .split('\n')
    assert.deepEqual(
      sessionStore.getEntries(keyOf(options, sessionId)),
      lines.map((line) => JSON.parse(line)),
    )
    await collect(query({ prompt: 'Two.', options: { ...options, sessionStore, resume: sessionId } }))
  },
)

bothWays(
  'a session goes on from the store on another computer, and is then kept nowhere else',
  () => ['First.', 'Second.', 'Third.', 'Forked.'],
  {},
  async ({ options, server }) => {
    const sessionStore = new InMemorySessionStore()
    const first = await collect(query({ prompt: 'One.', options: { ...options, sessionStore } }))
    const sessionId = first.result?.session_id ?? ''
    using other = elsewhere(options)
    const second = await collect(
      query({ prompt: 'Two.', options: { ...other.options, sessionStore, resume: sessionId } }),
    )
    assert.deepEqual([second.result?.session_id, second.error], [sessionId, undefined])
    assert.match(JSON.stringify(server.requests[1]?.body.messages), /One\..*First\..*Two\./)
    assert.deepEqual(filesOf(other.options), [])
    assert.ok(
      (second.result?.session_total_cost_usd ?? 0) > (first.result?.total_cost_usd ?? 0),
      'what was spent before counts on',
    )

    const third = await collect(
      query({ prompt: 'Three.', options: { ...other.options, sessionStore, continue: true } }),
    )
    assert.equal(third.result?.session_id, sessionId)
    assert.match(JSON.stringify(server.requests[2]?.body.messages), /One\..*First\..*Two\..*Second\..*Three\./)
    const fork = { ...other.options, sessionStore, resume: sessionId, forkSession: true }
    const forked = await collect(query({ prompt: 'Four.', options: fork }))
    const copy = sessionStore.getEntries(keyOf(options, forked.result?.session_id ?? ''))
    const original = sessionStore.getEntries(keyOf(options, sessionId))
    assert.deepEqual(copy.slice(0, original.length), original)
    assert.match(JSON.stringify(copy.slice(original.length)), /Four\..*Forked\./)
  },
)

bothWays(
  'persistSession: false with a sessionStore: the store is all there is',
  () => ['First.', 'Second.'],
  { persistSession: false },
  async ({ options, server }) => {
    const sessionStore = new InMemorySessionStore()
    const first = await collect(query({ prompt: 'One.', options: { ...options, sessionStore } }))
    const resume = first.result?.session_id ?? ''
    await collect(query({ prompt: 'Two.', options: { ...options, sessionStore, resume } }))
    assert.deepEqual(filesOf(options), [])
    assert.match(JSON.stringify(server.requests[1]?.body.messages), /One\..*First\..*Two\./)
  },
)

bothWays(
  'a session that was only on this disk is put into the store when it goes on with one',
  () => ['First.', 'Second.'],
  {},
  async ({ options }) => {
    const first = await collect(query({ prompt: 'One.', options }))
    const resume = first.result?.session_id ?? ''
    const sessionStore = new InMemorySessionStore()
    await collect(query({ prompt: 'Two.', options: { ...options, sessionStore, resume } }))
    const said = JSON.stringify(sessionStore.getEntries(keyOf(options, resume)))
    assert.match(said, /One\..*First\..*Two\..*Second\./)
  },
)

/** A store that fails when told to. */
function shakyStore() {
  const memory = new InMemorySessionStore()
  const state = { down: false, attempts: 0, batches: 0 }
  const store: SessionStore = {
    async append(key, entries) {
      state.attempts += 1
      if (state.down) throw new Error('the store is down')
      state.batches += 1
      await memory.append(key, entries)
    },
    load: (key) => memory.load(key),
  }
  return { memory, store, state }
}

bothWays(
  'a store that is down is told of before the result, and gets everything when it is back',
  () => ['First.', 'Second.'],
  {},
  async ({ options }) => {
    const { memory, store, state } = shakyStore()
    const session = unstable_v2_createSession({ ...options, model: options.model ?? '', sessionStore: store })
    const turn = async (text: string): Promise<SDKMessage[]> => {
      await session.send(text)
      return (await collect(session.stream())).messages
    }
    state.down = true
    const first = await turn('One.')
    const kinds = first.map(({ type, ...rest }) => ('subtype' in rest ? `${type}/${rest.subtype}` : type))
    assert.deepEqual(kinds.slice(-2), ['system/mirror_error', 'result/success'])
    const problem = first.find((message) => message.type === 'system' && message.subtype === 'mirror_error')
    assert.ok(problem?.type === 'system' && problem.subtype === 'mirror_error')
    assert.deepEqual([problem.error, problem.key], ['the store is down', keyOf(options, session.sessionId)])
    assert.equal(memory.size, 0)
    state.down = false
    const second = await turn('Two.')
    assert.ok(!second.some((message) => message.type === 'system' && message.subtype === 'mirror_error'))
    session.close()
    assert.match(
      JSON.stringify(memory.getEntries(keyOf(options, session.sessionId))),
      /One\..*First\..*Two\..*Second\./,
    )
  },
)

bothWays(
  'sessionStoreFlush: eager hands over every line by itself',
  () => ['First.'],
  { sessionStoreFlush: 'eager' },
  async ({ options }) => {
    const { memory, store, state } = shakyStore()
    const run = await collect(query({ prompt: 'One.', options: { ...options, sessionStore: store } }))
    const entries = memory.getEntries(keyOf(options, run.result?.session_id ?? ''))
    assert.ok(state.batches > 1 && state.batches <= entries.length, `${state.batches} batches of ${entries.length}`)
  },
)

test('a store that does not answer, fails, or has no such session', async () => {
  await using server = await startModelServer([])
  await using options = testOptions(server)
  const resume = '77777777-7777-4777-8777-777777777777'
  const append = async () => {}
  const ask = async (sessionStore: SessionStore, extra: Options = {}) =>
    collect(query({ prompt: 'x', options: { ...options, sessionStore, resume, ...extra } }))
  const silent = await ask({ append, load: () => new Promise(() => {}) }, { loadTimeoutMs: 50 })
  assert.match(String(silent.error), /sessionStore\.load\(\) took longer than 50 ms/)
  const failing = await ask({ append, load: async () => Promise.reject(new Error('no connection')) })
  assert.match(String(failing.error), /no connection/)
  const empty = await ask({ append, load: async () => null })
  const errors = empty.result?.subtype === 'error_during_execution' ? empty.result.errors : []
  assert.deepEqual(errors, [`No conversation found with session ID: ${resume}`])
  const { resume: _, ...rest } = { ...options, resume }
  const unlisted = await collect(
    query({ prompt: 'x', options: { ...rest, continue: true, sessionStore: { append, load: async () => null } } }),
  )
  assert.match(String(unlisted.error), /continue needs a sessionStore with a listSessions\(\) method/)
})

test('a query that is closed while its store is silent ends at once', async () => {
  await using server = await startModelServer([])
  await using options = testOptions(server)
  const sessionStore: SessionStore = { append: async () => {}, load: () => new Promise(() => {}) }
  const resume = '77777777-7777-4777-8777-777777777777'
  const running = query({ prompt: 'x', options: { ...options, sessionStore, resume } })
  running.close()
  await within('the end of the query', running.closed)
  assert.deepEqual(server.requests, [])
})

test('damaged entries of a store are mended like lines of a file', async () => {
  await using server = await startModelServer(['First.', 'Second.'])
  await using options = testOptions(server)
  const memory = new InMemorySessionStore()
  const first = await collect(query({ prompt: 'One.', options: { ...options, sessionStore: memory } }))
  const resume = first.result?.session_id ?? ''
  const store: SessionStore = {
    append: (...args) => memory.append(...args),
    // As a store that forgets the beginning, and holds what it should not.
    async load(key) {
      const entries = (await memory.load(key)) ?? []
      return [...entries.filter(({ type }) => type !== 'user'), { type: 'user', uuid: 'x', message: 7 }]
    },
  }
  const second = await collect(query({ prompt: 'Two.', options: { ...options, sessionStore: store, resume } }))
  assert.equal(second.result?.subtype, 'success')
  assert.match(JSON.stringify(server.requests[1]?.body.messages), /could not be read.*First\..*Two\./)
})

test('startup() takes a sessionStore too', async () => {
  await using server = await startModelServer(['Warm.'])
  await using options = testOptions(server)
  const sessionStore = new InMemorySessionStore()
  const warm = await startup({ options: { ...options, sessionStore } })
  const run = await collect(warm.query('Hi.'))
  assert.match(JSON.stringify(sessionStore.getEntries(keyOf(options, run.result?.session_id ?? ''))), /Hi\..*Warm\./)
})

test('a sessionStore that can not work is refused at once', () => {
  const sessionStore = new InMemorySessionStore()
  const refused = (options: object, message: RegExp) =>
    assert.throws(
      () => query({ prompt: 'x', options }),
      (error) => error instanceof ConfigurationError && message.test(error.message),
    )
  refused({ sessionStore: {} }, /needs a method append/)
  refused({ sessionStore: { append: () => {} } }, /needs a method load/)
  refused({ sessionStore, sessionStoreFlush: 'now' }, /must be 'batched' or 'eager'/)
  refused({ sessionStore, enableFileCheckpointing: true }, /not yet supported with sessionStore/)
  refused({ sessionStore, pathToClaudeCodeExecutable: process.execPath }, /Kedge's own agent/)
})
