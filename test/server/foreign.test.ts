/** Requests of strangers: each is refused, and nothing has happened afterwards. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { foreignRequests } from './foreign-requests.js'
import { serve } from './serving.js'

/** The status that comes back; 0: none does. */
function statusOf(port: number, request: string): Promise<number> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += chunk
      const [, status] = /^HTTP\/1\.\d (\d{3})/.exec(text) ?? []
      if (status !== undefined) {
        socket.destroy()
        resolve(Number(status))
      }
    })
    socket.on('error', () => resolve(0))
    socket.on('close', () => resolve(0))
    socket.write(request)
  })
}

test('more than 300 requests of strangers are refused, and nothing has happened', async () => {
  await using serving = await serve([])
  const session = await serving.begin({ title: 'Mine' })
  const other = await serving.begin()
  const token = async (name: string, scopes: string[], more = {}) =>
    (await serving.call('POST', '/v1/tokens', { body: { name, scopes, ...more } })).json.token
  const lesser = {
    read: await token('read', ['read']),
    answer: await token('answer', ['answer']),
    prompt: await token('prompt', ['prompt']),
    other: await token('other', ['read', 'answer', 'prompt'], { sessions: [other] }),
  }
  const expired = await token('expired', ['read'], { expiresInSeconds: 1 })
  const key = { 'x-kedge-key': 'a-key-that-a-page-made-up-for-tests' }
  const { headers } = await serving.call('POST', '/v1/login', { body: { key: key['x-kedge-key'] } })
  const [cookie = ''] = (headers['set-cookie']?.[0] ?? '').split(';')
  const { host, port } = new URL(serving.url)
  while ((await serving.call('GET', '/v1/me', { token: expired })).status === 200)
    await new Promise((r) => setTimeout(r, 50))
  // Those who came before are not kept waiting by who guesses.
  for (const known of Object.values(lesser)) await serving.call('GET', '/v1/me', { token: known })
  await serving.call('GET', '/v1/me', { token: null, headers: { cookie, ...key } })
  const before = (await serving.call('GET', '/v1/sessions')).json
  const audited = (await serving.call('GET', '/v1/audit?limit=1000')).json.lines.length
  const rows = foreignRequests({ host, token: serving.server.token, cookie, key, session, lesser, expired })
  assert.ok(rows.length > 300, `${rows.length} rows`)
  const letIn: string[] = []
  await Promise.all(
    [0, 1, 2, 3].map(async (lane) => {
      for (const { kind, name, request, refused } of rows.filter((_, n) => n % 4 === lane)) {
        const status = await statusOf(Number(port), request)
        if (!refused.includes(status)) letIn.push(`${kind} | ${name}: ${status}, not ${refused.join(' or ')}`)
      }
    }),
  )
  assert.deepEqual(letIn, [])
  assert.deepEqual((await serving.call('GET', '/v1/sessions')).json, before)
  const lines: { status: number; operation: string }[] = (await serving.call('GET', '/v1/audit?limit=1000')).json.lines
  assert.deepEqual(
    lines.slice(0, lines.length - audited).filter(({ status }) => status < 400),
    [],
  )
  assert.equal(serving.lines.join('').includes(serving.server.token), false)
  assert.equal(serving.model.requests.length, 0)
})
