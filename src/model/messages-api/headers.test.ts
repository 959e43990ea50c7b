import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiUserId, hasCredentialHeader, requestHeaders, secretsToRedact } from './headers.js'

const BASE = {
  accept: 'application/json',
  'content-type': 'application/json',
  'anthropic-version': '2023-06-01',
  'user-agent': 'kedge/1.2.3',
}

test('with a key', () => {
  const credential = { kind: 'api-key', secret: 'k', source: 'ANTHROPIC_API_KEY' } as const
  assert.deepEqual(requestHeaders('1.2.3', credential, [], { clientApp: null, customHeaders: {} }), {
    ...BASE,
    'x-api-key': 'k',
  })
})

test('with a token, betas, an app and headers of the user', () => {
  const credential = { kind: 'bearer', secret: 't', source: 'ANTHROPIC_AUTH_TOKEN' } as const
  const customHeaders = { 'x-team': 'a', 'anthropic-beta': 'b2, b3,' }
  assert.deepEqual(requestHeaders('1.2.3', credential, ['b1', 'b2'], { clientApp: 'app/2', customHeaders }), {
    ...BASE,
    'user-agent': 'kedge/1.2.3 client-app/app/2',
    'x-client-app': 'app/2',
    authorization: 'Bearer t',
    'x-team': 'a',
    'anthropic-beta': 'b1,b2,b3',
  })
})

test('headers of the user may be the credential, and are kept secret then', () => {
  assert.deepEqual([hasCredentialHeader({ authorization: 'x' }), hasCredentialHeader({ 'x-team': 'a' })], [true, false])
  const custom = { authorization: 'Bearer abc', 'x-team': 'public', 'x-gateway-key': 'def' }
  assert.deepEqual(secretsToRedact({ kind: 'bearer', secret: 's', source: 'none' }, custom), ['s', 'abc', 'def'])
})

test('the user id is stable, 64 hex digits, and not the name itself', () => {
  const id = apiUserId('someone', 'session-1')
  assert.match(id, /^user_[0-9a-f]{64}_account__session_session-1$/)
  assert.equal(id, apiUserId('someone', 'session-1'))
  const many = new Set(Array.from({ length: 1000 }, (_, i) => apiUserId(`user${i}`, 's')))
  assert.equal(many.size, 1000)
  const given = 'ab'.repeat(32)
  assert.equal(apiUserId(given, 's'), `user_${given}_account__session_s`)
})
