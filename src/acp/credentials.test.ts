import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ModelCredentials, toAuthStatusResponse } from './credentials.js'

const env = { ANTHROPIC_API_KEY: 'k', PATH: '/bin' }

test('the environment is as it is, until the client gives an endpoint or its user signs out', () => {
  const credentials = new ModelCredentials(env)
  assert.equal(credentials.environment, undefined)
  const headers = { 'X-Api-Key': 'other', Authorization: 'Bearer token', 'X-Team': 'a' }
  credentials.setProvider({ providerId: 'main', apiType: 'anthropic', baseUrl: 'https://gateway', headers })
  assert.deepEqual(credentials.environment, {
    PATH: '/bin',
    ANTHROPIC_BASE_URL: 'https://gateway',
    ANTHROPIC_API_KEY: 'other',
    ANTHROPIC_AUTH_TOKEN: 'token',
    ANTHROPIC_CUSTOM_HEADERS: 'X-Team: a',
  })
  credentials.logout()
  assert.deepEqual(credentials.environment, { PATH: '/bin' })
  credentials.authenticate('api-key')
  assert.equal(credentials.environment, undefined)
})

test('what is no endpoint of ours is refused by name', () => {
  const set = (fields: object) => () =>
    new ModelCredentials(env).setProvider({ providerId: 'main', apiType: 'anthropic', baseUrl: 'https://x', ...fields })
  assert.throws(set({ providerId: 'other' }), /Unknown provider "other"/)
  assert.throws(set({ apiType: 'openai' }), /"openai" are not supported/)
  assert.throws(set({ baseUrl: 'file:///x' }), /http\(s\) address/)
  assert.throws(set({ headers: { a: 'b\r\nc: d' } }), /line breaks/)
  assert.throws(() => new ModelCredentials(env).authenticate('login'), /use "api-key"/)
})

test('the status names where the credential is from, never the credential', () => {
  assert.deepEqual(toAuthStatusResponse({ apiKeySource: 'practice' }), { state: 'not_required', accounts: [] })
  assert.deepEqual(toAuthStatusResponse({ apiKeySource: 'none', tokenSource: 'none' }), {
    state: 'unauthenticated',
    accounts: [],
  })
  assert.deepEqual(toAuthStatusResponse({ apiKeySource: 'ANTHROPIC_API_KEY', tokenSource: 'none' }), {
    state: 'authenticated',
    accounts: [{ label: 'ANTHROPIC_API_KEY', active: true }],
  })
  assert.deepEqual(new ModelCredentials(env).guess().accounts, [{ label: 'ANTHROPIC_API_KEY', active: true }])
})
