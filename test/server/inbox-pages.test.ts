/** The inbox of the server, page by page. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serve } from './serving.js'

test('listAsks: the inbox comes in pages, for a token of some sessions only theirs', async () => {
  await using serving = await serve(() => ({ tools: [{ name: 'Bash', input: { command: 'mkfifo made' } }] }))
  const sessions: string[] = []
  for (let n = 0; n < 3; n++) {
    const session = await serving.begin()
    await serving.send(session, '1')
    await serving.ask(session)
    sessions.push(session)
  }
  const page = async (query: string, token = serving.server.token) =>
    (await serving.call('GET', `/v1/asks${query}`, { token })).json
  const sessionsIn = ({ asks }: { asks: { session: string }[] }) => asks.map(({ session }) => session)
  assert.deepEqual([sessionsIn(await page('')), (await page('')).next], [sessions, undefined])
  const first = await page('?limit=2')
  const second = await page(`?limit=2&cursor=${encodeURIComponent(first.next)}`)
  assert.deepEqual([...sessionsIn(first), ...sessionsIn(second)], sessions)
  assert.equal(second.next, undefined)
  const body = { name: 'Ada', scopes: ['read'], sessions: sessions.slice(1) }
  const { token } = (await serving.call('POST', '/v1/tokens', { body })).json
  assert.deepEqual(sessionsIn(await page('?limit=2', token)), sessions.slice(1))
  assert.equal((await page(`?limit=1&session=${sessions[1]}`, token)).next, undefined)
  for (const query of ['?limit=0', '?limit=501', '?limit=x', '?after=1'])
    assert.equal((await serving.call('GET', `/v1/asks${query}`)).status, 400, query)
})
