/** The list of all sessions as entries come in, and who is told of what: in the page, in its title, by a notification. */
import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, test } from 'node:test'
import { WebSocketServer } from 'ws'
import type { EntryBody } from '../../src/protocol/session-log/entries.js'
import type { Ask, SessionInfo } from '../../web/state/server-types.js'
import { eventually } from '../support/eventually.js'
import { installPage } from './page-globals.js'

const page = installPage()
const shown: { title: string; body: string; href: string }[] = []
const worker = {
  showNotification: (title: string, { body, data }: { body: string; data: { href: string } }) =>
    void shown.push({ title, body, href: data.href }),
}
const Notification = { permission: 'granted' }
Object.defineProperty(globalThis, 'navigator', { value: { serviceWorker: { ready: Promise.resolve(worker) } } })
// Lines of the page go after a minute, and it tries to connect for ever: neither keeps the tests waiting.
const { setTimeout: later } = globalThis
const setTimeout = (work: () => void, ms?: number) => later(work, ms).unref()
const { setInterval: again } = globalThis
const setInterval = (work: () => void, ms: number) => again(work, ms).unref()
Object.assign(globalThis, { Notification, window: globalThis, setTimeout, setInterval })

const info = (id: string, more: Partial<SessionInfo> = {}): SessionInfo => ({
  id,
  cwd: '/w',
  status: 'idle',
  title: `Title of ${id}`,
  mode: 'default',
  model: 'm',
  effort: undefined,
  archived: false,
  costUsd: 0,
  lastActivity: 0,
  isOpen: true,
  seq: 1,
  waiting: 0,
  asks: 0,
  ...more,
})
const ask = (id: string, session: string, more: Partial<Ask> = {}): Ask => ({
  id,
  session,
  kind: 'permission',
  agent: [],
  since: '2026-11-18T12:00:00Z',
  suggestions: [],
  why: { layer: 'mode', text: 'No rule allows it.' },
  tool: { name: 'Bash', input: {}, hash: 'h', useId: 'c' },
  ...more,
})

/** What the server knows. */
const server = { sessions: [info('s1'), info('s2')], hidden: new Map<string, SessionInfo>(), asks: [] as Ask[] }
const asked: string[] = []
const http = createServer(({ url = '' }, response) => {
  asked.push(url)
  const [, one] = /^\/v1\/sessions\/(\w+)$/.exec(url) ?? []
  if (one !== undefined) {
    const found = server.hidden.get(one)
    return json(response, found ?? { code: 'session_not_found' }, found ? 200 : 404)
  }
  if (url === '/v1/me') return json(response, { id: 'p', name: 'Ada', scopes: ['admin'] })
  if (url.startsWith('/v1/asks')) {
    // Two in a page.
    const from = Number(new URL(url, 'http://server').searchParams.get('cursor') ?? 0)
    const next = from + 2 < server.asks.length ? { next: `${from + 2}` } : {}
    return json(response, { asks: server.asks.slice(from, from + 2), ...next })
  }
  json(response, { sessions: url.includes('archived') ? [] : server.sessions, last: 10 })
})
const json = (response: ServerResponse, value: object, status = 200) =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
const sockets = new WebSocketServer({ server: http })
await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
page.leadTo(`http://127.0.0.1:${(http.address() as AddressInfo).port}/`) // it listens on a port
const all = await import('../../web/state/all-sessions.js')
const telling = await import('../../web/state/notifications.js')
const { route: place } = await import('../../web/state/route.js')

let number = 10
/** Entries as the stream brings them, in one frame. */
function stream(...entries: (EntryBody & { session: string; seq: number; at?: string })[]): void {
  const items = entries.map((entry) => {
    number += 1
    return { at: new Date().toISOString(), all: number, ...entry }
  })
  for (const client of sockets.clients) client.send(JSON.stringify(items))
}
const asks = (one: Ask, seq: number) => stream({ kind: 'ask', data: one, session: one.session, seq })
const look = (visibilityState: 'visible' | 'hidden') => Object.assign(document, { visibilityState })
const infoOf = (id: string) => all.sessions.value.get(id)

before(async () => {
  telling.startNotifications()
  await all.loadAndFollowSessions()
  await eventually('the stream is there', () => all.connectionState.value === 'live')
})
beforeEach(() => {
  for (const { id } of telling.toasts.value) telling.dismiss(id)
  shown.splice(0)
  look('visible')
  place.value = { view: 'home' }
})
after(() => {
  for (const client of sockets.clients) client.terminate()
  sockets.close()
  http.close()
  http.closeAllConnections()
})

describe('sessions', () => {
  test('are there from the beginning, and follow what happens in them', async () => {
    assert.deepEqual([...all.sessions.value.keys()], ['s1', 's2'])
    const at = '2026-11-18T12:00:00.000Z'
    const prompt = { id: 'p1', content: 'Hi', when: 'queue' as const }
    stream(
      { kind: 'state', data: { status: 'running', title: 'Another' }, session: 's1', seq: 2 },
      { kind: 'prompt', data: { change: 'queued', prompt }, session: 's1', seq: 3, at },
    )
    await eventually('it has come', () => infoOf('s1')?.seq === 3)
    const { status, title, waiting, lastActivity } = infoOf('s1') ?? info('?')
    assert.deepEqual([status, title, waiting, lastActivity], ['running', 'Another', 1, Date.parse(at)])
    stream(
      { kind: 'prompt', data: { change: 'started', id: 'p1', message: 'm' }, session: 's1', seq: 4 },
      { kind: 'state', data: { title: null, error: 'no disk' }, session: 's1', seq: 5 },
    )
    await eventually('it has come', () => infoOf('s1')?.seq === 5)
    assert.deepEqual([infoOf('s1')?.waiting, infoOf('s1')?.title, infoOf('s1')?.error], [0, undefined, 'no disk'])
  })

  test('an entry that is known already changes nothing', async () => {
    stream(
      { kind: 'state', data: { status: 'error' }, session: 's1', seq: 4 },
      { kind: 'state', data: { mode: 'plan' }, session: 's2', seq: 2 },
    )
    await eventually('the second has come', () => infoOf('s2')?.mode === 'plan')
    assert.equal(infoOf('s1')?.status, 'running')
  })

  test('one that began elsewhere is fetched once, and what came meanwhile is not lost', async () => {
    server.hidden.set('s3', info('s3', { seq: 1 }))
    asked.splice(0)
    stream(
      { kind: 'state', data: { status: 'running' }, session: 's3', seq: 1 },
      { kind: 'state', data: { mode: 'plan' }, session: 's3', seq: 2 },
      { kind: 'state', data: { status: 'done' }, session: 's3', seq: 3 },
    )
    await eventually('it is there', () => infoOf('s3') !== undefined)
    assert.deepEqual(asked, ['/v1/sessions/s3'])
    assert.deepEqual([infoOf('s3')?.mode, infoOf('s3')?.status, infoOf('s3')?.seq], ['plan', 'done', 3])
  })

  test('one that was deleted takes what it waits for with it', async () => {
    asks(ask('gone', 's3'), 4)
    await eventually('it waits', () => all.asks.value.has('gone'))
    all.removeSessionFromList('s3')
    assert.deepEqual([infoOf('s3'), all.asks.value.has('gone')], [undefined, false])
  })

  test('a page that is looked at again asks for what is there; a later entry is not undone by it', async () => {
    stream({ kind: 'state', data: { status: 'idle' }, session: 's2', seq: 9 })
    await eventually('it has come', () => infoOf('s2')?.seq === 9)
    server.sessions = [info('s2', { seq: 3, status: 'running' }), info('s4')]
    document.dispatchEvent(new Event('visibilitychange'))
    await eventually('the new one is there', () => infoOf('s4') !== undefined)
    assert.deepEqual([infoOf('s2')?.status, infoOf('s1')], ['idle', undefined])
  })

  test('the inbox is loaded to its last page', async () => {
    server.asks = Array.from({ length: 5 }, (_, n) => ask(`page${n}`, 's1'))
    await all.refreshSessionsAndAsks()
    assert.deepEqual(
      all.inbox.value.map(({ id }) => id),
      ['page0', 'page1', 'page2', 'page3', 'page4'],
    )
    server.asks = []
    await all.refreshSessionsAndAsks()
    assert.deepEqual(all.inbox.value, [])
  })
})

describe('a question', () => {
  test('is counted in the title, listed oldest first, and gone when it is answered', async () => {
    asks(ask('q2', 's2', { since: '2026-11-18T12:00:02Z' }), 10)
    asks(ask('q1', 's4', { since: '2026-11-18T12:00:01Z' }), 2)
    await eventually('both are there', () => all.inbox.value.length === 2)
    assert.deepEqual(
      all.inbox.value.map(({ id }) => id),
      ['q1', 'q2'],
    )
    assert.equal(document.title, '(2) Kedge')
    const by = { name: 'page' }
    stream(
      { kind: 'answered', data: { ask: 'q1', answer: { kind: 'allow' }, by }, session: 's4', seq: 3 },
      { kind: 'withdrawn', data: { ask: 'q2', reason: '' }, session: 's2', seq: 11 },
    )
    await eventually('both are gone', () => all.inbox.value.length === 0)
    assert.deepEqual([document.title, infoOf('s4')?.asks], ['Kedge', 0])
  })

  test('in a session nobody looks at is a line that leads there', async () => {
    asks(ask('q3', 's4'), 4)
    await eventually('it is told', () => telling.toasts.value.length === 1)
    const [toast] = telling.toasts.value
    assert.deepEqual([toast?.text, toast?.href], ['Title of s4 needs you: Run this command?', '#/s/s4?ask=q3'])
    assert.deepEqual(shown, [], 'who sees the page gets no notification')
    all.removeAskFromList('q3')
  })

  test('in the session that is open is spoken only; who looks elsewhere gets a notification', async () => {
    place.value = { view: 'session', id: 's4' }
    look('hidden')
    asks(ask('q4', 's4', { tool: { name: 'Ev\u001b[31mil\n', input: {}, hash: 'h', useId: 'c' } }), 5)
    await eventually('it is shown', () => shown.length === 1)
    assert.deepEqual(shown, [
      { title: 'Title of s4 needs you: Use Ev[U+001B][31mil ⏎ ?', body: 'No rule allows it.', href: '#/s/s4?ask=q4' },
    ])
    assert.deepEqual(
      [telling.toasts.value, telling.announcement.value],
      [[], 'Title of s4 needs you: Use Ev[U+001B][31mil ⏎ ?'],
    )
    all.removeAskFromList('q4')
  })

  test('is no notification where they were not allowed', async () => {
    look('hidden')
    Notification.permission = 'denied'
    asks(ask('q5', 's4', { kind: 'plan' }), 6)
    await eventually('it is told', () => telling.toasts.value.length === 1)
    Notification.permission = 'granted'
    assert.deepEqual([telling.readNotificationPermission(), shown], ['granted', []])
    all.removeAskFromList('q5')
  })
})

describe('the end of a turn', () => {
  const result = (is_error: boolean) => ({ type: 'result', is_error, total_cost_usd: 0.5 }) as never // what is read of it
  const ends = (seq: number, isError: boolean, at = new Date().toISOString()) =>
    stream({ kind: 'message', data: result(isError), session: 's2', seq, at })

  test('is told to who looks elsewhere, and so is a failure; what it cost is in the list', async () => {
    look('hidden')
    ends(20, false)
    await eventually('it is shown', () => shown.length === 1)
    ends(21, true)
    await eventually('it is shown', () => shown.length === 2)
    assert.deepEqual(
      shown.map(({ title }) => title),
      ['Title of s2 finished', 'Title of s2 failed'],
    )
    assert.deepEqual([shown[0]?.href, infoOf('s2')?.costUsd], ['#/s/s2', 0.5])
  })

  test('is not told to who looks, nor when it was long ago', async () => {
    ends(22, false)
    await eventually('it has come', () => infoOf('s2')?.seq === 22)
    look('hidden')
    ends(23, false, '2026-01-01T00:00:00.000Z')
    await eventually('it has come', () => infoOf('s2')?.seq === 23)
    assert.deepEqual(shown, [])
  })
})

test('of many lines the last three are shown, and each can be put away', () => {
  for (const text of ['a', 'b', 'c', 'd']) telling.toast(text)
  assert.deepEqual(
    telling.toasts.value.map(({ text }) => text),
    ['b', 'c', 'd'],
  )
  telling.dismiss(telling.toasts.value[1]?.id ?? 0)
  assert.deepEqual(
    telling.toasts.value.map(({ text }) => text),
    ['b', 'd'],
  )
  assert.equal(telling.sessionTitle('unknown'), 'Untitled session')
})
