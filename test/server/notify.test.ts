/** Webhooks and Web Push: who is told what, signed or sealed, again when it fails, and not when it should not be. */
import assert from 'node:assert/strict'
import { createDecipheriv, createECDH, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import type { OutgoingPost } from '../../src/server/notify/send-post.js'
import { type Anything, byName, serve, write } from './serving.js'

type Told = { headers: IncomingHttpHeaders; body: string }

/** Somebody who is told; answers with the statuses given, then with 204. */
async function receiver(statuses: number[] = []) {
  const told: Told[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      told.push({ headers: request.headers, body })
      response.writeHead(statuses.shift() ?? 204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const until = async (count: number): Promise<Anything[]> => {
    while (told.length < count) await new Promise((resolve) => setTimeout(resolve, 5))
    return told.map(({ body }) => JSON.parse(body))
  }
  return { url: `http://127.0.0.1:${port}/hook`, told, until, [Symbol.asyncDispose]: async () => void server.close() }
}

test('webhooks are told what needs somebody, what is done and what ends: signed, again after a failure, also after a restart', async () => {
  await using first = await receiver([500])
  await using second = await receiver()
  await using serving = await serve([write('a.txt'), 'Written.', 'Again.'], { webhooks: [first.url] })
  const api = byName(serving)
  const body = { url: second.url, kinds: ['done'] }
  const made = (await api('createWebhook', {}, { body })).json
  for (const url of ['ftp://x', 'nothing', ''])
    assert.equal((await api('createWebhook', {}, { body: { url } })).status, 400)
  const session = await serving.begin({ title: 'Shopping' })
  await serving.send(session, '1')
  const ask = await serving.ask(session)
  const [failed, again] = await first.until(2)
  // The same message again, under the same id: who has it already knows.
  assert.deepEqual(failed, again)
  assert.deepEqual(
    [first.told[0]?.headers['webhook-id'], first.told[1]?.headers['webhook-id']],
    [first.told[1]?.headers['webhook-id'], first.told[0]?.headers['webhook-id']],
  )
  assert.deepEqual(
    [again.type, again.data.session, again.data.title, again.data.ask],
    ['session.needs_you', session, 'Shopping', { id: ask.id, kind: 'permission', tool: 'Write' }],
  )
  await serving.call('POST', `/v1/sessions/${session}/asks/${ask.id}/answer`, { body: { kind: 'allow' } })
  await serving.ended(session, '1')
  assert.deepEqual((await first.until(3))[2].data.text, 'Written.')
  const [done] = await second.until(1)
  assert.equal(done.type, 'session.done')
  const { headers, body: sent } = second.told[0] as Told
  const key = Buffer.from(made.secret.replace('whsec_', ''), 'base64')
  const signature = createHmac('sha256', key)
    .update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${sent}`)
    .digest('base64')
  assert.equal(headers['webhook-signature'], `v1,${signature}`)
  const listed = (await api('listWebhooks')).json.webhooks
  assert.deepEqual(
    listed.map(({ url, failures, secret }: Anything) => [url, failures, secret]),
    [
      [first.url, 0, undefined],
      [second.url, 0, undefined],
    ],
  )
  assert.equal(
    statSync(join(serving.options.env['CLAUDE_CONFIG_DIR'] ?? '', 'server', 'webhooks.json')).mode & 0o777,
    0o600,
  )

  await serving.restart()
  await serving.send(session, '2')
  await serving.ended(session, '2')
  assert.equal((await second.until(2))[1].data.text, 'Again.')
  assert.equal((await api('removeWebhook', { webhook: made.id })).status, 204)
  assert.equal((await api('removeWebhook', { webhook: made.id })).status, 404)
  await serving.call('POST', `/v1/sessions/${session}/close`)
  const kinds = (await first.until(5)).map(({ type }) => type)
  assert.deepEqual(kinds, ['session.needs_you', 'session.needs_you', 'session.done', 'session.done', 'session.closed'])
  assert.equal(second.told.length, 2)
  // What comes from a file happened elsewhere: nobody is told.
  const { text } = await serving.call('GET', `/v1/sessions/${session}/export`)
  await serving.call('DELETE', `/v1/sessions/${session}`)
  const headersOf = { 'content-type': 'application/x-ndjson', authorization: `Bearer ${serving.server.token}` }
  assert.equal(
    (await fetch(`${serving.url}/v1/sessions/import`, { method: 'POST', headers: headersOf, body: text })).status,
    201,
  )
  const other = await serving.begin()
  await serving.call('POST', `/v1/sessions/${other}/close`)
  assert.equal((await first.until(6))[5].data.session, other)
})

/** What a browser does: makes keys, and reads what is sent to it. */
function browser() {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  const auth = randomBytes(16)
  const keys = { p256dh: pair.getPublicKey('base64url'), auth: auth.toString('base64url') }
  const hkdf = (secret: Uint8Array, salt: Uint8Array, info: string | Uint8Array, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, info, length))
  const read = (given: string | Uint8Array) => {
    const body = Buffer.from(given as Uint8Array)
    const [salt, theirs, sealed] = [body.subarray(0, 16), body.subarray(21, 86), body.subarray(86)]
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), theirs])
    const secret = hkdf(pair.computeSecret(theirs), auth, info, 32)
    const key = hkdf(secret, salt, 'Content-Encoding: aes128gcm\0', 16)
    const decipher = createDecipheriv('aes-128-gcm', key, hkdf(secret, salt, 'Content-Encoding: nonce\0', 12))
    decipher.setAuthTag(sealed.subarray(-16))
    const text = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
    assert.equal(text.at(-1), 2)
    return JSON.parse(text.toString('utf8', 0, text.length - 1))
  }
  return { keys, read }
}

test('a browser subscribes, is told sealed, only of what it may see, and not when its token or it is gone', async () => {
  const posts: OutgoingPost[] = []
  let status = 201
  const post = async (given: OutgoingPost) => {
    posts.push(given)
    return status
  }
  const until = async (count: number) => {
    while (posts.length < count) await new Promise((resolve) => setTimeout(resolve, 5))
    return posts
  }
  await using serving = await serve([write('a.txt'), 'Written.', 'Two.', 'Three.'], {}, { post })
  const api = byName(serving)
  const { publicKey } = (await api('getPushKey')).json
  assert.equal((await api('getPushKey')).json.publicKey, publicKey)
  const folder = join(serving.options.env['CLAUDE_CONFIG_DIR'] ?? '', 'server')
  assert.equal(statSync(join(folder, 'vapid.json')).mode & 0o777, 0o600)
  const { keys, read } = browser()
  const endpoint = 'https://push.example.com/ada'
  const subscribe = (body: object, token?: string) => api('createPush', {}, { body, ...(token ? { token } : {}) })
  const taken = await subscribe({ endpoint, keys, expirationTime: null })
  assert.equal(taken.status, 201)
  assert.equal((await subscribe({ endpoint, keys })).json.id, taken.json.id)
  for (const wrong of [
    'http://push.example.com/',
    'https://127.0.0.1/',
    'https://printer.local/',
    'https://[::1]/',
    'x',
  ])
    assert.equal((await subscribe({ endpoint: wrong, keys })).status, 400, wrong)
  assert.equal((await subscribe({ endpoint, keys: { ...keys, p256dh: 'AAAA' } })).status, 400)

  const [mine, other] = [await serving.begin({ title: 'Mine' }), await serving.begin()]
  const { token, id } = (
    await serving.call('POST', '/v1/tokens', { body: { name: 'Bob', scopes: ['read'], sessions: [other] } })
  ).json
  const bob = browser()
  await subscribe({ endpoint: 'https://push.example.com/bob', keys: bob.keys, kinds: ['done'] }, token)
  assert.equal((await api('listPush', {}, { token })).json.subscriptions.length, 1)
  assert.equal((await api('listPush')).json.subscriptions.length, 2)
  assert.equal((await api('removePush', { subscription: taken.json.id }, { token })).status, 404)

  await serving.send(mine, '1')
  const ask = await serving.ask(mine)
  const [first] = await until(1)
  assert.deepEqual([first?.url, first?.isPublicOnly, first?.headers['urgency']], [endpoint, true, 'high'])
  assert.match(first?.headers['authorization'] ?? '', new RegExp(`^vapid t=\\S+, k=${publicKey}$`))
  const { session, title, text, kind } = read(first?.body ?? '')
  assert.deepEqual([session, title, kind, text], [mine, 'Mine', 'needs_you', 'Write: a.txt'])
  await serving.call('POST', `/v1/sessions/${mine}/asks/${ask.id}/answer`, { body: { kind: 'allow' } })
  assert.equal(read((await until(2))[1]?.body ?? '').kind, 'done')
  await serving.send(other, '2')
  const both = (await until(4)).slice(2)
  const toBob = both.find(({ url }) => url.endsWith('/bob'))
  assert.deepEqual([both.length, bob.read(toBob?.body ?? '').session], [2, other])
  await serving.call('DELETE', `/v1/tokens/${id}`)
  // The service says that the browser is gone.
  status = 410
  await serving.send(other, '3')
  await serving.ended(other, '3')
  await until(5)
  while ((await api('listPush')).json.subscriptions.length > 0) await new Promise(setImmediate)
  assert.equal(posts.length, 5)
  assert.equal((await api('removePush', { subscription: taken.json.id })).status, 404)
  status = 201
  const { id: again } = (await subscribe({ endpoint, keys })).json
  assert.equal((await api('removePush', { subscription: again })).status, 204)
})
