/** `kedge/client` when something is wrong: no server, a slow one, another one, a broken proxy, a page that slept, a clock that jumps. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type ClientOptions,
  ConflictError,
  createClient,
  IncompatibleServerError,
  ServerTimeoutError,
  ServerUnreachableError,
  UnauthorizedError,
} from 'kedge/client'
import type { LogItem } from '../../src/protocol/session-log/entries.js'
import { type Serving, serve } from '../server/serving.js'
import { eventually } from '../support/eventually.js'
import { forEachLog, isEntry, viewOf } from '../view/each-log.js'
import { eventText, type FakeServer, json, startFakeServer } from './fake-server.js'

const SOON = { firstMs: 1, longestMs: 5 }
const clientOf = ({ url }: { url: string }, more: ClientOptions = {}) =>
  createClient({ url, token: 'a-token-of-a-test', backoff: SOON, ...more })
const isTurnOver = ({ items }: { items: readonly { kind: string }[] }) => items.some(({ kind }) => kind === 'turn')
const stateEntry = (seq: number, title: string): LogItem & { kind: 'state' } => ({
  session: 's',
  seq,
  at: '2026-11-19T00:00:00.000Z',
  kind: 'state',
  data: { title },
})

describe('a server', () => {
  test('that is away is an error with a code and a fix, and prompts of the outbox wait for it, in order', async () => {
    await using fake = await startFakeServer()
    let isAway = true
    const client = clientOf(fake, {
      retries: 1,
      fetch: async (input, init) => (isAway ? Promise.reject(new TypeError('fetch failed')) : fetch(input, init)),
    })
    await assert.rejects(client.info('s'), (error) => {
      assert.ok(error instanceof ServerUnreachableError)
      assert.deepEqual([error.code, error.status, error.name], ['server_unreachable', 0, 'ServerUnreachableError'])
      assert.match(error.fix, /Check that the server runs/)
      return true
    })
    const lists: number[] = []
    client.outbox.subscribe((value) => void lists.push(value.length))
    const ids = ['one', 'two', 'three'].map((content) => client.outbox.send('s', content))
    assert.deepEqual(
      client.outbox.value.map(({ id }) => id),
      ids,
    )
    isAway = false
    await eventually('all are delivered', () => client.outbox.value.length === 0)
    assert.deepEqual(
      fake.prompts.map(({ content }) => content),
      ['one', 'two', 'three'],
    )
    assert.deepEqual(lists, [1, 2, 3, 2, 1, 0])
  })

  test('that is slow is an error of its own, and a prompt that it took all the same is one prompt', async () => {
    await using fake = await startFakeServer()
    const silent = clientOf(fake, { timeoutMs: 20, retries: 0 })
    fake.handle = () => () => {}
    await assert.rejects(silent.list(), (error) => {
      assert.ok(error instanceof ServerTimeoutError)
      assert.equal(error.code, 'server_timeout')
      assert.match(error.fix, /timeoutMs/)
      return true
    })
    const seen: string[] = []
    fake.handle = (line) => (_request, response, body) => {
      if (!line.endsWith('/prompts')) return
      seen.push(JSON.parse(body).id)
      if (seen.length > 1) json(response, 202, { id: seen[1], seq: 1, repeated: true })
    }
    // The first answer never comes; how fast the second one does is up to the machine.
    const patient = clientOf(fake, { timeoutMs: 500, retries: 1000 })
    const { repeated } = await patient.send('s', 'hello')
    assert.deepEqual([repeated, seen.length > 1, new Set(seen).size], [true, true, 1])
  })

  test('that is about to end or says how long to wait gets the call again; interrupts are never repeated', async () => {
    await using fake = await startFakeServer()
    let refusals = 2
    fake.handle = () =>
      refusals-- > 0 ? (_, response) => json(response, 503, { code: 'draining', fix: 'x' }) : undefined
    await clientOf(fake).fork('s')
    assert.equal(fake.requests.length, 3)
    fake.requests.length = 0
    fake.handle = () => (_, response) => json(response, 502, {})
    await assert.rejects(clientOf(fake).interrupt('s'), { name: 'ServerFailedError', code: 'http_502' })
    assert.equal(fake.requests.length, 1)
    await assert.rejects(clientOf(fake, { retries: 2 }).info('s'), { code: 'http_502' })
    assert.equal(fake.requests.length, 4)
    fake.handle = () => (_, response) => json(response, 409, { code: 'turn_over', detail: 'Over.', fix: 'Look.' })
    await assert.rejects(clientOf(fake).interrupt('s'), { name: 'ConflictError', message: 'Over.', fix: 'Look.' })
  })

  test('of another kind or version is named as that, and unknown entries are passed over', async () => {
    await using fake = await startFakeServer()
    fake.handle = () => (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
    const client = clientOf(fake)
    await assert.rejects(client.list(), IncompatibleServerError)
    await assert.rejects(
      client
        .session('s')
        .view()
        .until(() => true),
      IncompatibleServerError,
    )
    fake.handle = () => (_, response) => json(response, 404, { code: 'not_found', detail: 'No.', fix: 'x' })
    await assert.rejects(client.changes('s'), (error) => {
      assert.ok(error instanceof IncompatibleServerError)
      assert.match(error.fix, /update Kedge on the server/)
      return true
    })
    fake.handle = undefined
    const unknown = { ...stateEntry(2, ''), kind: 'hologram', data: { deep: true } } as unknown as LogItem
    fake.entries = [stateEntry(1, 'One'), unknown, stateEntry(3, 'Three')] as typeof fake.entries
    const { facts } = await client
      .session('s')
      .view()
      .until(({ seq }) => seq === 3)
    assert.equal(facts.title, 'Three')
  })

  test('that is restarted: the view continues, and nothing is sent or shown twice', async () => {
    await using serving = await serve(['One.', 'Two.'])
    const client = followingClient(serving)
    const { id } = await client.create({ cwd: serving.options.cwd })
    const session = client.session(id)
    const view = session.view()
    const states = new Set<string>()
    const leave = view.subscribe(({ connection }) => void states.add(connection))
    session.sendLater('first')
    await view.until(isTurnOver)
    await serving.server.close()
    await view.until(({ connection }) => connection === 'lost')
    const second = session.sendLater('second')
    await serving.restart()
    const { items } = await view.until((value) => value.items.filter(({ kind }) => kind === 'turn').length === 2)
    assert.deepEqual(
      items.flatMap((item) => (item.kind === 'text' ? [item.text] : [])),
      ['One.', 'Two.'],
    )
    assert.deepEqual(items.flatMap((item) => (item.kind === 'prompt' ? [item.id] : []))[1], second)
    assert.deepEqual([...states].sort(), ['connecting', 'live', 'lost'])
    leave()
  })
})

/** Wherever the server is now. */
function followingClient(serving: Serving, more: ClientOptions = {}) {
  return createClient({
    url: 'http://server.test',
    token: serving.server.token,
    backoff: SOON,
    fetch: (input, init) => fetch(String(input).replace('http://server.test', serving.url), init),
    ...more,
  })
}

describe('a token', () => {
  test('that is revoked ends the view and the stream with what to do; with another one they continue', async () => {
    await using serving = await serve([])
    const admin = followingClient(serving)
    const { id } = await admin.create({ cwd: serving.options.cwd })
    const make = () =>
      admin.request<{ id: string; token: string }>('POST', '/tokens', { body: { name: 'page', scopes: ['read'] } })
    const first = await make()
    let token = first.token
    const client = followingClient(serving, { token: () => token })
    const view = client.session(id).view()
    const leave = view.subscribe(() => {})
    await view.until(({ connection }) => connection === 'live')
    const reading = (async () => {
      for await (const _ of client.read(id));
    })()
    await admin.request('DELETE', `/tokens/${first.id}`)
    await assert.rejects(reading, UnauthorizedError)
    await eventually('the view has ended', () => view.value.connection === 'ended')
    const { error } = view.value
    assert.ok(error instanceof UnauthorizedError)
    assert.match(error.fix, /token/)
    token = (await make()).token
    view.restart()
    await view.until(({ connection }) => connection === 'live')
    assert.equal(view.value.error, undefined)
    leave()
  })

  test('that is rejected keeps a prompt stored, for after the next sign-in', async () => {
    await using serving = await serve(['Hello.'])
    const admin = followingClient(serving)
    const { id } = await admin.create({ cwd: serving.options.cwd })
    let token = 'no-longer-a-token-of-this-server'
    const { storage, kept } = mapStorage()
    const client = followingClient(serving, { token: () => token, storage })
    client.outbox.send(id, 'hello')
    await eventually('it is rejected', () => client.outbox.value[0]?.problem !== undefined)
    assert.ok(client.outbox.value[0]?.problem instanceof UnauthorizedError)
    assert.equal(kept.size, 1)
    token = serving.server.token
    client.outbox.retry()
    await eventually('it is delivered', () => client.outbox.value.length === 0)
    await admin.session(id).view().until(isTurnOver)
    assert.equal(kept.size, 0)
  })
})

function mapStorage() {
  const kept = new Map<string, string>()
  const storage = {
    get: (key: string) => kept.get(key),
    set: (key: string, text: string | undefined) => void (text === undefined ? kept.delete(key) : kept.set(key, text)),
    keys: () => [...kept.keys()],
  }
  return { storage, kept }
}

test('two tabs with the same stored prompts deliver each once', async () => {
  await using serving = await serve(['One.', 'Two.'])
  const { storage } = mapStorage()
  const closed = followingClient(serving, { storage, fetch: () => new Promise(() => {}) })
  const { id } = await followingClient(serving).create({ cwd: serving.options.cwd })
  const ids = [closed.outbox.send(id, 'first'), closed.outbox.send(id, 'second')]
  storage.set('out:broken', '{')
  const tabs = [followingClient(serving, { storage }), followingClient(serving, { storage })]
  for (const tab of tabs) tab.outbox.resume()
  await eventually('all are delivered', () => tabs.every((tab) => tab.outbox.value.length === 0))
  const view = tabs[0]?.session(id).view()
  const value = await view?.until(({ items }) => items.filter(({ kind }) => kind === 'turn').length === 2)
  assert.deepEqual(
    value?.items.flatMap((item) => (item.kind === 'prompt' ? [item.id] : [])),
    ids,
  )
})

describe('a proxy', () => {
  test('that brings events twice and out of order changes nothing: the view is that of the log', async () => {
    await using fake = await startFakeServer()
    const logs: { items: readonly LogItem[]; disturbed: LogItem[] }[] = []
    forEachLog(
      (items, random) => {
        if (logs.length >= 40) return
        const disturbed = items.flatMap((item) => (random.chance(0.2) ? [item, item] : [item]))
        for (let at = 0; at + 1 < disturbed.length; at += 1)
          if (random.chance(0.3)) disturbed.splice(at, 2, ...disturbed.slice(at, at + 2).reverse())
        logs.push({ items, disturbed })
      },
      { isCut: false },
    )
    for (const { items, disturbed } of logs) {
      fake.entries = []
      const view = clientOf(fake).session('s').view()
      const leave = view.subscribe(() => {})
      await view.until(({ connection }) => connection === 'live')
      const entries = items.filter(isEntry) as typeof fake.entries
      fake.entries = entries
      fake.write(disturbed)
      const { items: shown, requests } = await view.until(({ seq }) => seq === entries.at(-1)?.seq)
      leave()
      const { view: right } = viewOf(entries)
      assert.deepEqual(withoutStreams(shown), withoutStreams(right.items))
      assert.deepEqual(requests, right.openRequests)
      await eventually('the stream is closed', () => fake.streams.size === 0)
    }
  })

  test('that cuts an event in half loses nothing', async () => {
    await using fake = await startFakeServer()
    fake.entries = [stateEntry(1, 'One')]
    const view = clientOf(fake).session('s').view()
    const leave = view.subscribe(() => {})
    await view.until(({ connection }) => connection === 'live')
    fake.entries.push(stateEntry(2, 'Two'))
    for (const stream of fake.streams) stream.end(`${eventText(stateEntry(2, 'Two')).slice(0, -20)}\n\n`)
    assert.equal((await view.until(({ seq }) => seq === 2)).facts.title, 'Two')
    leave()
  })

  test('that brings entries of all sessions twice and late: each comes once', async () => {
    await using fake = await startFakeServer()
    const seen: number[] = []
    const reading = (async () => {
      for await (const entry of clientOf(fake).read('all')) if (seen.push(entry.all) === 4) break
    })()
    await fake.opened(1)
    fake.write([1, 2, 2, 4, 3, 1, 5].map((all) => ({ ...stateEntry(all, ''), all })))
    await reading
    assert.deepEqual(seen, [1, 2, 4, 3])
  })
})

/** What the entries alone say: how far something streamed, and when it began, differs from reader to reader. */
const OF_STREAMS = ['at', 'startedAt', 'ms', 'printed', 'output', 'partialInput']

function withoutStreams(items: readonly object[]): unknown {
  return JSON.parse(JSON.stringify(items, (name, value) => (OF_STREAMS.includes(name) ? undefined : value)))
}

describe('a page', () => {
  const openView = async (fake: FakeServer, more: ClientOptions) => {
    fake.entries = [stateEntry(1, 'Before')]
    const view = clientOf(fake, more).session('s').view()
    const leave = view.subscribe(() => {})
    await view.until(({ connection }) => connection === 'live')
    await fake.opened(1)
    return { view, leave }
  }

  test('whose connection died without a word makes another one', async () => {
    await using fake = await startFakeServer()
    const { view, leave } = await openView(fake, { silenceMs: 30 })
    // It is in the log, and no stream brings it.
    fake.entries.push(stateEntry(2, 'Meanwhile'))
    assert.equal((await view.until(({ seq }) => seq === 2)).facts.title, 'Meanwhile')
    leave()
  })

  test('that was frozen for an hour notices when it is visible again, at once', async () => {
    await using fake = await startFakeServer()
    using page = fakePage()
    const { view, leave } = await openView(fake, { silenceMs: 600_000 })
    fake.entries.push(stateEntry(2, 'Meanwhile'))
    page.moveClock(3_600_000)
    page.document.dispatchEvent(new Event('visibilitychange'))
    assert.equal((await view.until(({ seq }) => seq === 2)).facts.title, 'Meanwhile')
    leave()
  })

  test('whose clock is set back still notices a dead connection; one whose clock jumps ahead sends nothing twice', async () => {
    await using fake = await startFakeServer()
    using page = fakePage()
    const { view, leave } = await openView(fake, { silenceMs: 30 })
    page.moveClock(-3_600_000)
    fake.entries.push(stateEntry(2, 'Back'))
    await view.until(({ seq }) => seq === 2)
    page.moveClock(7_200_000)
    const client = clientOf(fake)
    await client.send('s', 'hello')
    page.document.dispatchEvent(new Event('visibilitychange'))
    fake.entries.push(stateEntry(3, 'Ahead'))
    assert.equal((await view.until(({ seq }) => seq === 3)).facts.title, 'Ahead')
    assert.equal(fake.prompts.length, 1)
    leave()
  })

  test('that goes offline drops the connection, and is back as soon as the network is', async () => {
    await using fake = await startFakeServer()
    using page = fakePage()
    const { view, leave } = await openView(fake, {
      silenceMs: 600_000,
      backoff: { firstMs: 600_000, longestMs: 600_000 },
    })
    page.window.dispatchEvent(new Event('offline'))
    await view.until(({ connection }) => connection === 'lost')
    fake.entries.push(stateEntry(2, 'Meanwhile'))
    page.window.dispatchEvent(new Event('online'))
    await view.until(({ seq, connection }) => seq === 2 && connection === 'live')
    leave()
  })
})

/** What the client looks at in a browser. */
function fakePage() {
  const window = new EventTarget()
  const document = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  const { now } = Date
  let moved = 0
  Date.now = () => now.call(Date) + moved
  const added = {
    document,
    addEventListener: window.addEventListener.bind(window),
    removeEventListener: window.removeEventListener.bind(window),
  }
  Object.assign(globalThis, added)
  return {
    window,
    document,
    moveClock(ms: number) {
      moved += ms
    },
    [Symbol.dispose]() {
      Date.now = now
      for (const name of Object.keys(added)) Reflect.deleteProperty(globalThis, name)
    },
  }
}

test('a log that is another one than before: the view begins again', async () => {
  await using fake = await startFakeServer()
  fake.entries = [1, 2, 3].map((seq) => stateEntry(seq, `Before ${seq}`))
  const view = clientOf(fake).session('s').view()
  const leave = view.subscribe(() => {})
  await view.until(({ connection }) => connection === 'live')
  fake.entries = [stateEntry(1, 'Restored')]
  fake.handle = (line) =>
    line.includes('/events') && fake.requests.at(-1) === line && !restored.has(line)
      ? (request, response) => {
          if (request.headers['last-event-id'] === '1') {
            restored.add(line)
            return void response.destroy()
          }
          json(response, 409, { code: 'after_unknown', detail: 'The log ends at 1.', fix: 'Read from the beginning.' })
        }
      : undefined
  const restored = new Set<string>()
  for (const stream of fake.streams) stream.destroy()
  const { facts } = await view.until(({ seq, connection }) => seq === 1 && connection === 'live')
  assert.equal(facts.title, 'Restored')
  leave()
})

test('a log that the stream knows nothing of is shown, with the error, and not loaded for ever', async () => {
  await using fake = await startFakeServer()
  fake.entries = [stateEntry(1, 'One'), stateEntry(2, 'Two')]
  fake.handle = (line) =>
    line.includes('/events')
      ? (_, response) =>
          json(response, 409, { code: 'after_unknown', detail: 'The log ends at 1.', fix: 'Read it again.' })
      : undefined
  const view = clientOf(fake).session('s').view()
  const leave = view.subscribe(() => {})
  await eventually('it has ended', () => view.value.connection === 'ended')
  const { error, facts, isReady } = view.value
  assert.ok(error instanceof ConflictError)
  assert.deepEqual([error.fix, facts.title, isReady], ['Read it again.', 'Two', true])
  assert.equal(fake.requests.filter((line) => line.includes('/log')).length, 2)
  leave()
})
