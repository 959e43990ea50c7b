import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loggedName, loggedPath } from './logged-path.js'

const MAIN = 'a-token/of my own'
const UUID = '01234567-89ab-4cde-8f01-23456789abcd'
const isRoute = (path: string) => path.startsWith('/v1/sessions/')
const logged = (url: string) => loggedPath(url, MAIN, isRoute)

test('paths are logged as they are, without their queries', () => {
  for (const path of [
    '/',
    '/v1/me',
    `/v1/sessions/${UUID}/asks/${UUID}`,
    '/v1/sessions/a/prompts/a-long-id-of-a-prompt',
    `/${UUID}`,
  ])
    assert.equal(logged(`${path}?token=kdg_abc#kdg_abc`), path)
})

test('what is or may be a secret is not', () => {
  const token = 'kdg_AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_abcde'
  for (const part of [token, token.replace('_', '%5F'), token.replace('_', '%255f'), token.toUpperCase(), `x${token}`])
    for (const place of [`/${part}`, `/v1/sessions/${part}/log`, `/v1/sessions;t=${part}`]) {
      assert.match(logged(place), /\[redacted\]/, place)
      assert.doesNotMatch(logged(place), /AbCd/i, place)
    }
  assert.equal(logged(`/v1/sessions/${encodeURIComponent(MAIN)}`), '/v1/sessions/[redacted]')
  assert.equal(logged('/an-older-token-of-mine/x'), '/[redacted]/x')
  assert.equal(logged('http://me:word@host/x'), 'http://[redacted]/x')
  assert.deepEqual(
    [loggedName('ab12cd34', MAIN), loggedName(token, MAIN), loggedName(MAIN, MAIN)],
    ['ab12cd34', '[redacted]', '[redacted]'],
  )
})
