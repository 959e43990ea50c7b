/** Leases of a `sessionStore`: one program at a time writes to a session, and one that was overtaken leaves nothing behind. */
import assert from 'node:assert/strict'
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  InMemorySessionStore,
  KedgeError,
  type Options,
  query,
  type SDKMessage,
  type SDKUserMessage,
  type SessionKey,
  type SessionStore,
  type SessionStoreEntry,
} from 'kedge'
import { collect, startModelServer, testOptions } from 'kedge/testing'
import { projectKey } from '../../src/sessions/transcript-paths.js'

type Clock = { now: number }
type TestStore = { store: SessionStore; [Symbol.dispose](): void }

function inMemory(clock: Clock): TestStore {
  return { store: new InMemorySessionStore({ now: () => clock.now }), [Symbol.dispose]() {} }
}

/** Sessions as files of lines, each with its lease in a file beside it. */
function inFiles(clock: Clock): TestStore {
  const root = mkdtempSync(join(tmpdir(), 'kedge-lease-'))
  const lines = ({ sessionId, subpath }: SessionKey) =>
    join(root, `${[sessionId, subpath].join('-').replace('/', '-')}.jsonl`)
  const leaseFile = ({ sessionId }: SessionKey) => join(root, `${sessionId}.lease`)
  type Lease = { token: number; holder: string; until: number }
  const read = (key: SessionKey): Lease | undefined =>
    existsSync(leaseFile(key)) ? JSON.parse(readFileSync(leaseFile(key), 'utf8')) : undefined
  const write = (key: SessionKey, lease: Lease) => writeFileSync(leaseFile(key), JSON.stringify(lease))
  const store: SessionStore = {
    async append(key, entries, token) {
      const lease = read(key)
      if (token !== undefined && lease && token < lease.token) {
        throw Object.assign(new Error(`${lease.holder} has taken over`), { code: 'session_fenced' })
      }
      appendFileSync(lines(key), entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
    },
    async load(key) {
      if (!existsSync(lines(key))) return null
      const text = readFileSync(lines(key), 'utf8')
      return text.split('\n').flatMap((line): SessionStoreEntry[] => (line === '' ? [] : [JSON.parse(line)]))
    },
    leases: {
      async acquire(key, holder, ttlMs) {
        const lease = read(key)
        if (lease && lease.until > clock.now) return { heldBy: lease.holder }
        const token = (lease?.token ?? 0) + 1
        write(key, { token, holder, until: clock.now + ttlMs })
        return { token }
      },
      async renew(key, token, ttlMs) {
        const lease = read(key)
        if (lease?.token !== token) return false
        write(key, { ...lease, until: clock.now + ttlMs })
        return true
      },
      async release(key, token) {
        const lease = read(key)
        if (lease?.token === token) write(key, { ...lease, until: 0 })
      },
    },
  }
  return { store, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) }
}

const keyOf = (options: Options, sessionId: string): SessionKey => ({
  projectKey: projectKey(options.cwd ?? ''),
  sessionId,
})

/** Prompts one by one, each when it is asked for. */
function promptsByHand() {
  const waiting: ((text: string | undefined) => void)[] = []
  const given: (string | undefined)[] = []
  const next = () =>
    given.length > 0
      ? Promise.resolve(given.shift())
      : new Promise<string | undefined>((resolve) => waiting.push(resolve))
  return {
    give(text: string | undefined) {
      const resolve = waiting.shift()
      if (resolve) resolve(text)
      else given.push(text)
    },
    async *prompts(): AsyncGenerator<SDKUserMessage> {
      for (let text = await next(); text !== undefined; text = await next()) {
        yield { type: 'user', message: { role: 'user', content: text }, parent_tool_use_id: null, session_id: '' }
      }
    },
  }
}

async function untilResult(messages: AsyncIterator<SDKMessage>): Promise<SDKMessage[]> {
  const seen: SDKMessage[] = []
  for (let next = await messages.next(); !next.done; next = await messages.next()) {
    seen.push(next.value)
    if (next.value.type === 'result') break
  }
  return seen
}

for (const [where, open] of [
  ['in memory', inMemory],
  ['in files', inFiles],
] as const) {
  test(`a session that was overtaken (${where}) writes nothing more, and says so with session_fenced`, async () => {
    const clock = { now: 1_000_000 }
    using kept = open(clock)
    await using server = await startModelServer(['First.', 'Of the second program.', 'Too late.'])
    await using options = testOptions(server, { isolation: 'in-process' })
    const hand = promptsByHand()
    const first = query({ prompt: hand.prompts(), options: { ...options, sessionStore: kept.store } })
    const messages = first[Symbol.asyncIterator]()
    hand.give('Begin.')
    const began = await untilResult(messages)
    const sessionId = began.at(-1)?.session_id ?? ''

    // It stalls for longer than its lease.
    clock.now += 3_600_000
    const resumed = { ...options, sessionStore: kept.store, resume: sessionId }
    const second = await collect(query({ prompt: 'I go on.', options: resumed }))
    assert.equal(second.error, undefined)
    const before = await kept.store.load(keyOf(options, sessionId))

    hand.give('Am I still here?')
    const late = await untilResult(messages)
    const notices = late.flatMap((message) =>
      message.type === 'system' && message.subtype === 'mirror_error' ? [message] : [],
    )
    assert.deepEqual(
      notices.map(({ code }) => code),
      ['session_fenced'],
    )
    assert.match(notices[0]?.error ?? '', /^This session can't be saved here any more: process \d+ on /)
    const ending = late.at(-1)
    assert.equal(ending?.type === 'result' && ending.error_code, 'session_taken_over')
    hand.give(undefined)
    await assert.rejects(
      async () => {
        for await (const message of first) assert.notEqual(message.type, 'result')
      },
      { errorCode: 'session_taken_over' },
    )
    assert.deepEqual(await kept.store.load(keyOf(options, sessionId)), before)
    assert.match(JSON.stringify(before), /I go on\./)
    assert.doesNotMatch(JSON.stringify(before), /Am I still here/)
  })

  test(`a session in use (${where}) is refused to the next by the name of its holder, and free when it has ended`, async () => {
    const clock = { now: 1_000_000 }
    using kept = open(clock)
    await using server = await startModelServer(['First.', 'Forked.', 'Third.'])
    await using options = testOptions(server, { isolation: 'in-process' })
    const hand = promptsByHand()
    const first = query({ prompt: hand.prompts(), options: { ...options, sessionStore: kept.store } })
    const messages = first[Symbol.asyncIterator]()
    hand.give('Begin.')
    const resume = (await untilResult(messages)).at(-1)?.session_id ?? ''
    const resumed = { ...options, sessionStore: kept.store, resume }
    const refused = await collect(query({ prompt: 'Me too.', options: resumed }))
    assert.ok(refused.error instanceof KedgeError)
    assert.equal(refused.error.code, 'session_in_use')
    assert.match(refused.error.message, /is in use by process \d+ on /)
    // A copy has another name, and nobody else writes to that.
    const copy = await collect(query({ prompt: 'A copy.', options: { ...resumed, forkSession: true } }))
    assert.equal(copy.error, undefined)
    hand.give(undefined)
    for await (const _ of first);
    const after = await collect(query({ prompt: 'Now.', options: resumed }))
    assert.equal(after.error, undefined)
  })
}

test('InMemorySessionStore: tokens only grow, and an older one writes nothing, also to what belongs to the session', async () => {
  const clock = { now: 0 }
  const store = new InMemorySessionStore({ now: () => clock.now })
  const key = { projectKey: 'p', sessionId: '8e9d1f5c-0000-4000-8000-000000000000' }
  assert.deepEqual(await store.leases.acquire(key, 'a', 10), { token: 1 })
  assert.deepEqual(await store.leases.acquire(key, 'b', 10), { heldBy: 'a' })
  assert.equal(await store.leases.renew(key, 1, 20), true)
  clock.now = 15
  assert.deepEqual(await store.leases.acquire(key, 'b', 10), { heldBy: 'a' })
  clock.now = 20
  // Expired, but nobody else has it: what it writes is in order.
  await store.append(key, [{ type: 'user' }], 1)
  assert.deepEqual(await store.leases.acquire(key, 'b', 10), { token: 2 })
  assert.equal(await store.leases.renew(key, 1, 10), false)
  await store.leases.release(key, 1)
  assert.deepEqual(await store.leases.acquire(key, 'c', 10), { heldBy: 'b' })
  for (const place of [key, { ...key, subpath: 'subagents/agent-1' }]) {
    await assert.rejects(store.append(place, [{ type: 'user' }], 1), { code: 'session_fenced' })
  }
  await store.leases.release(key, 2)
  assert.deepEqual(await store.leases.acquire(key, 'c', 10), { token: 3 })
  assert.equal(store.getEntries(key).length, 1)
})
