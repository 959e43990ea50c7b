/** `kedge/client` against a real server: sessions, prompts, streams, requests, files, the live view. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { type Client, ConflictError, createClient, NotFoundError } from 'kedge/client'
import type { Sessions } from '../../src/hub/sessions.js'
import { type Serving, serve, write } from '../server/serving.js'

const clientOf = ({ url, server }: Serving): Client => createClient({ url, token: server.token })
const says = (value: { items: readonly { kind: string; text?: string }[] }) =>
  value.items.flatMap(({ kind, text }) => (kind === 'text' ? [text] : []))

async function listed<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

/** Methods with the arguments of the hub's, and the same answers. */
type Shared =
  | 'create'
  | 'info'
  | 'list'
  | 'search'
  | 'folderOf'
  | 'mustBeFree'
  | 'change'
  | 'close'
  | 'delete'
  | 'send'
  | 'queue'
  | 'reorder'
  | 'interrupt'
  | 'resumeTurn'
  | 'runningTasks'
  | 'asks'
  | 'listAsks'
  | 'read'
  | 'readSome'
  | 'stored'
  | 'last'
  | 'messages'
  | 'rewindConversation'
  | 'end'

test('a client is the hub of another place: what both have is used in the same way', async () => {
  await using serving = await serve(['Hello.'])
  const client = clientOf(serving)
  const sessions: Pick<Sessions, Shared> = client
  const { id } = await sessions.create({ cwd: serving.options.cwd, title: 'Shopping' })
  assert.equal((await sessions.info(id)).title, 'Shopping')
  assert.equal(await sessions.folderOf(id), serving.options.cwd)
  assert.equal(await sessions.folderOf('5e1f0000-0000-4000-8000-000000000000'), undefined)
  await assert.rejects(sessions.mustBeFree(id), { code: 'session_in_use' })
  await sessions.mustBeFree('5e1f0000-0000-4000-8000-000000000000')
  const kinds: string[] = []
  for await (const item of sessions.read(id)) {
    // Deltas are for readers that are there when they come.
    if (kinds.push(item.kind) === 1) {
      const { seq, repeated } = await sessions.send(id, { id: 'p1', content: 'hello' })
      assert.ok(seq > 0)
      assert.equal(repeated, false)
      assert.equal((await sessions.send(id, { id: 'p1', content: 'hello' })).repeated, true)
    }
    if (item.kind === 'prompt' && item.data.change === 'done') break
  }
  assert.ok(kinds.includes('delta'))
  assert.ok(kinds.includes('message'))
  const last = await sessions.last(id)
  const stored = (await listed(sessions.stored(id, 0))).flat()
  assert.deepEqual(
    stored.map((entry) => entry.seq),
    Array.from({ length: last }, (_, n) => n + 1),
  )
  const said = (await sessions.messages(id)).map(({ type, message }) => [
    type,
    JSON.stringify(message).includes('ello'),
  ])
  assert.deepEqual(said, [
    ['user', true],
    ['assistant', true],
  ])
  const all = await sessions.last()
  for await (const entry of sessions.read('all', { after: all - 1 })) {
    assert.deepEqual([entry.all, entry.session], [all, id])
    break
  }
  assert.deepEqual(
    (await sessions.list({ text: 'shop' })).sessions.map((info) => info.id),
    [id],
  )
  assert.equal((await sessions.search({ text: 'hello' })).hits[0]?.session, id)
  await sessions.delete(id)
  await assert.rejects(client.info(id), NotFoundError)
  await sessions.end()
})

test('a live view shows the session: loaded once, current from then on, and everything can be done in it', async () => {
  await using serving = await serve([write('a.txt'), 'Written.', 'Again.'])
  const client = clientOf(serving)
  const session = client.session((await client.create({ cwd: serving.options.cwd })).id)
  const view = session.view()
  assert.equal(session.view(), view)
  assert.deepEqual([view.value.isReady, view.value.items.length], [false, 0])
  const seen: string[] = []
  const leave = view.subscribe((value, changes) => {
    assert.equal(value, view.value)
    for (const { item, what } of changes) seen.push(`${what} ${item.kind}`)
  })
  await session.send('go')
  const { requests } = await view.until((value) => value.requests.length > 0)
  const [request] = requests
  assert.ok(request)
  assert.deepEqual(await client.asks(), [request])
  assert.deepEqual(await session.ask(request.id), request)
  await assert.rejects(session.answer({ id: request.id, tool: { hash: 'of another input' } }, { kind: 'allow' }), {
    code: 'invalid_answer',
  })
  assert.equal(await session.answer(request, { kind: 'allow' }), 'accepted')
  const late = await session.answer(request, { kind: 'deny' })
  assert.ok(typeof late === 'object' && typeof late.already === 'object', JSON.stringify(late))
  const done = await view.until((value) => value.items.some(({ kind }) => kind === 'turn'))
  assert.deepEqual(says(done), ['Written.'])
  assert.equal(done.facts.status, 'idle')
  assert.ok(seen.includes('added prompt'))
  assert.ok(seen.includes('added tool'))
  leave()
  assert.equal((await session.changes())[0]?.path, 'a.txt')
  assert.equal((await session.file('a.txt')).content, 'new\n')
  assert.deepEqual(await session.files('a.txt'), ['a.txt'])
  // It was left, and continues where it was.
  await session.send('again')
  const again = await view.until((value) => says(value).length > 1)
  assert.deepEqual(says(again), ['Written.', 'Again.'])
  // A second client sees the same from the beginning.
  const other = await clientOf(serving)
    .session(session.id)
    .view()
    .until((value) => says(value).length > 1)
  // What streamed began earlier than its entry.
  const timeless = (items: typeof other.items) => items.map(({ at: _, ...item }) => item)
  assert.deepEqual(timeless(other.items), timeless(again.items))
})

test('a session goes from one server to another as a file, and what the API alone has is called by its path', async () => {
  await using serving = await serve(['Hello.'])
  const client = clientOf(serving)
  const { id } = await client.create({ cwd: serving.options.cwd, title: 'Mine' })
  await client.send(id, 'hello')
  await client
    .session(id)
    .view()
    .until(({ items }) => items.some(({ kind }) => kind === 'turn'))
  const file = await client.export(id)
  await client.delete(id)
  assert.equal((await client.importSession(file)).title, 'Mine')
  const copy = await client.fork(id)
  assert.notEqual(copy.id, id)
  assert.deepEqual(
    (await client.earlier(copy.id)).messages.map(({ type }) => type),
    ['user', 'assistant'],
  )
  assert.ok((await client.me()).scopes.includes('admin'))
  const { webhooks } = await client.request<{ webhooks: unknown[] }>('GET', '/webhooks')
  assert.deepEqual(webhooks, [])
})

test('a session that is created twice, because the first answer was lost, is one session', async () => {
  await using serving = await serve([])
  let lost = 0
  const client = createClient({
    url: serving.url,
    token: serving.server.token,
    backoff: { firstMs: 1, longestMs: 1 },
    async fetch(input, init) {
      const response = await fetch(input, init)
      if (init?.method !== 'POST' || lost > 0) return response
      lost += 1
      throw new TypeError('fetch failed')
    },
  })
  const { id } = await client.create({ cwd: serving.options.cwd })
  assert.deepEqual([lost, (await client.list()).sessions.map((info) => info.id)], [1, [id]])
  const { cwd } = serving.options
  await assert.rejects(client.create({ id, cwd }), (error) => {
    assert.ok(error instanceof ConflictError)
    assert.deepEqual([error.name, error.code, error.status], ['ConflictError', 'session_in_use', 409])
    assert.match(error.fix, /use another id/)
    return true
  })
})

test('every call takes a signal, and a client that was ended does nothing more', async () => {
  await using serving = await serve([])
  const client = clientOf(serving)
  const { id } = await client.create({ cwd: serving.options.cwd })
  const reason = new Error('Not any more.')
  const aborted = AbortSignal.abort(reason)
  const session = client.session(id)
  for (const call of [
    client.list({}, { signal: aborted }),
    client.create({ cwd: '/' }, { signal: aborted }),
    session.info({ signal: aborted }),
    session.send('hello', { signal: aborted }),
    session.view().until(() => true, { signal: aborted }),
  ])
    await assert.rejects(call, reason)
  const stop = new AbortController()
  let count = 0
  for await (const _ of session.read({ signal: stop.signal })) {
    count += 1
    stop.abort()
  }
  assert.equal(count, 1)
  const reading = listed(session.read())
  await client.end()
  assert.ok((await reading).length <= 1)
  await assert.rejects(client.list(), { code: 'client_ended' })
})

test('a cookie and the key of the page sign in as a token does', async () => {
  await using serving = await serve([])
  let cookie = ''
  const key = 'k'.repeat(40)
  const page = createClient({
    url: serving.url,
    pageKey: () => key,
    async fetch(input, init) {
      const response = await fetch(input, { ...init, headers: { ...init?.headers, ...(cookie ? { cookie } : {}) } })
      cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie
      return response
    },
  })
  await assert.rejects(page.me(), { name: 'UnauthorizedError', code: 'unauthorized' })
  await page.signIn(serving.server.token)
  assert.ok((await page.me()).scopes.includes('admin'))
  await page.signOut()
  await assert.rejects(page.me(), { code: 'unauthorized' })
  assert.throws(() => createClient({ stream: 'websocket' }), /needs pageKey/)
})

test('the first program of its page runs as it stands', async () => {
  await using serving = await serve([{ tools: [{ name: 'Bash', input: { command: 'mkdir from-client' } }] }, 'Made.'])
  const [, program = ''] = /```ts\n([\s\S]*?)```/.exec(readFileSync('docs/client.md', 'utf8')) ?? []
  const { cwd } = serving.options
  const here = program
    .replace('http://127.0.0.1:4141', serving.url)
    .replace("process.env['KEDGE_SERVER_TOKEN'] ?? ''", JSON.stringify(serving.server.token))
    .replace('process.cwd()', JSON.stringify(cwd))
  assert.equal(here.includes('process'), false)
  const folder = resolve('.build', 'client-page')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `program-${process.pid}.mjs`)
  writeFileSync(file, here)
  await import(pathToFileURL(file).href)
  assert.ok(existsSync(join(cwd, 'from-client')))
})
