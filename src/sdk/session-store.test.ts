import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Options } from '../protocol/options.js'
import type { SessionStore, SessionStoreEntry } from '../protocol/stored-sessions.js'
import { projectKey } from '../sessions/transcript-paths.js'
import { createChannelPair } from '../transport/channel.js'
import type { AgentConnection } from './agent-connection.js'
import { InMemorySessionStore } from './memory-store.js'
import { connectWithStore } from './session-store.js'

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const line = (n: number): SessionStoreEntry => ({ type: 'user', uuid: id(1000 + n), n }) as SessionStoreEntry
const never = new AbortController().signal

let root = ''
before(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-store-')))
})
after(() => rmSync(root, { recursive: true, force: true }))

/** A connection to an agent that the test plays, over a store. */
function start(store: SessionStore, options: Options = {}, stop = never) {
  const [host, agent] = createChannelPair<object, object>()
  let exit: (code: number) => void = () => {}
  const ended = new Promise<{ code: number; signal: null; stderr: string }>((resolve) => {
    exit = (code) => resolve({ code, signal: null, stderr: '' })
  })
  const asked: Options[] = []
  const connection: AgentConnection = {
    channel: host,
    ended,
    kill() {},
    unref() {},
    pid: undefined,
    kind: 'in-process',
    own: true,
  }
  const connected = connectWithStore(
    {
      options,
      store,
      caller: { env: { HOME: root, CLAUDE_CONFIG_DIR: join(root, 'config') }, cwd: root },
      connect(given) {
        asked.push(given)
        return connection
      },
      between: (of, channel, over) => ({ ...of, channel, ended: over }),
    },
    stop,
  )
  /** What the agent was sent, so far. */
  const received = async () => {
    host.end()
    const messages: Record<string, unknown>[] = []
    for await (const message of agent.incoming) messages.push(message as Record<string, unknown>)
    return messages
  }
  return { connected, agent, asked, exit, received }
}
const key = () => projectKey(root)
const mirror = (n: number, ...entries: SessionStoreEntry[]) => ({
  type: 'transcript_mirror',
  filePath: `/x/projects/${key()}/${id(n)}.jsonl`,
  entries,
})

describe('a session that begins', () => {
  it('is not looked for, and its lines are in the store before the result is told', async () => {
    const store = new InMemorySessionStore()
    const { connected, agent, asked, exit } = start(store, { model: 'm' })
    const { channel, ended } = await connected
    assert.deepEqual(asked, [{ model: 'm' }])
    agent.send(mirror(1, line(1)))
    agent.send({ type: 'assistant' })
    agent.send(mirror(1, line(2)))
    agent.send({ type: 'result' })
    agent.send(mirror(1, line(3)))
    agent.end()
    const seen: unknown[] = []
    for await (const message of channel.incoming) {
      const type = 'type' in message ? message.type : ''
      seen.push(type)
      if (type === 'result') assert.equal(store.getEntries({ projectKey: key(), sessionId: id(1) }).length, 2)
    }
    assert.deepEqual(seen, ['assistant', 'result'])
    exit(0)
    assert.equal((await ended).code, 0)
    assert.equal(store.getEntries({ projectKey: key(), sessionId: id(1) }).length, 3)
  })

  it('gives its lease back at its end', async () => {
    const store = new InMemorySessionStore()
    const place = { projectKey: key(), sessionId: id(1) }
    const { connected, agent, exit } = start(store)
    const { channel, ended } = await connected
    agent.send(mirror(1, line(1)))
    agent.end()
    for await (const _ of channel.incoming);
    assert.deepEqual('heldBy' in (await store.leases.acquire(place, 'ben', 10)), true)
    exit(0)
    await ended
    assert.deepEqual(await store.leases.acquire(place, 'ben', 10), { token: 2 })
  })
})

describe('a session that goes on', () => {
  it('is sent to the agent from the store, in parts', async () => {
    const store = new InMemorySessionStore()
    const entries = Array.from({ length: 1001 }, (_, n) => line(n))
    await store.append({ projectKey: key(), sessionId: id(1) }, entries)
    const { connected, asked, received } = start(store, { resume: id(1), extraArgs: { x: 'y' } })
    await connected
    assert.deepEqual(asked, [{ resume: id(1), extraArgs: { x: 'y', 'resume-from-host': null } }])
    const sent = await received()
    assert.deepEqual(
      sent.map(({ type, entries: part, more }) => [type, (part as unknown[]).length, more]),
      [
        ['session_entries', 500, true],
        ['session_entries', 500, true],
        ['session_entries', 1, false],
      ],
    )
  })

  it('is the latest of the folder when none is named', async () => {
    const store = new InMemorySessionStore()
    for (const n of [1, 3, 2]) await store.append({ projectKey: key(), sessionId: id(n) }, [line(n)])
    await store.append({ projectKey: 'elsewhere', sessionId: id(4) }, [line(4)])
    const { connected, asked } = start(store, { continue: true })
    await connected
    assert.deepEqual(asked, [{ resume: id(2), extraArgs: { 'resume-from-host': null } }])
  })

  it('is a new one where there is none yet', async () => {
    const { connected, asked } = start(new InMemorySessionStore(), { continue: true, model: 'm' })
    await connected
    assert.deepEqual(asked, [{ model: 'm' }])
  })

  it('that nobody knows, or that is no id, is left to the agent to refuse', async () => {
    for (const resume of [id(9), 'not-an-id']) {
      const { connected, asked, received } = start(new InMemorySessionStore(), { resume })
      await connected
      assert.deepEqual([asked, await received()], [[{ resume }], []])
    }
  })

  it('that so far was only on disk is put into the store first', async () => {
    const folder = join(root, 'config', 'projects', key())
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `${id(5)}.jsonl`), `${JSON.stringify(line(1))}\n${JSON.stringify(line(2))}\n`)
    const store = new InMemorySessionStore()
    const { connected, received } = start(store, { resume: id(5) })
    await connected
    assert.equal(store.getEntries({ projectKey: key(), sessionId: id(5) }).length, 2)
    assert.deepEqual((await received())[0]?.['entries'], [line(1), line(2)])
  })

  it('as a copy needs no lease of the one it is made of', async () => {
    const store = new InMemorySessionStore()
    const place = { projectKey: key(), sessionId: id(1) }
    await store.append(place, [line(1)])
    await store.leases.acquire(place, 'ben', 60_000)
    const { connected, asked } = start(store, { resume: id(1), forkSession: true })
    await connected
    assert.equal(asked.length, 1)
  })
})

describe('a store that does not answer', () => {
  const silent: SessionStore = { append: async () => {}, load: () => new Promise(() => {}) }

  it('is not waited for longer than was said', async () => {
    const { connected, asked } = start(silent, { resume: id(1), loadTimeoutMs: 5 })
    await assert.rejects(connected, {
      code: 'session_store_failed',
      message: 'sessionStore.load() took longer than 5 ms',
    })
    assert.deepEqual(asked, [])
  })

  it('is not waited for when the query is over', async () => {
    const stop = new AbortController()
    const { connected } = start(silent, { resume: id(1) }, stop.signal)
    stop.abort()
    await assert.rejects(connected)
  })

  it('that can not list has no latest session', async () => {
    const { connected } = start(silent, { continue: true })
    await assert.rejects(connected, { option: 'sessionStore', message: /needs a sessionStore with a listSessions/ })
  })

  it('that fails gives the lease back', async () => {
    const memory = new InMemorySessionStore()
    const failing: SessionStore = {
      append: async () => {},
      load: async () => {
        throw new Error('down')
      },
      leases: memory.leases,
    }
    const { connected } = start(failing, { resume: id(1) })
    await assert.rejects(connected, { message: 'down' })
    assert.deepEqual(await memory.leases.acquire({ projectKey: key(), sessionId: id(1) }, 'ben', 1), { token: 2 })
  })
})
