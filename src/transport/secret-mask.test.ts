import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collectMaskableVariables, createSecretMask } from './secret-mask.js'

test('what a variable or header calls a secret is masked, wherever it turns up', () => {
  const mask = createSecretMask(
    { DEPLOY_TOKEN: 'hunter2-hunter2', PATH: '/usr/bin:/bin', API_KEY: 'short' },
    { Authorization: 'Basic dXNlcjpwYXNz', Accept: 'application/json', 'x-api-key': 7 },
  )
  assert.equal(mask('a hunter2-hunter2 b'), 'a … b')
  assert.equal(mask('Basic dXNlcjpwYXNz, dXNlcjpwYXNz alone'), '…, … alone')
  assert.equal(mask('/usr/bin:/bin application/json short 7'), '/usr/bin:/bin application/json short 7')
  assert.equal(mask('Bearer abc.def and sk-ant-api03-x'), 'Bearer … and sk-ant-…')
})

test('environments and headers are found in configurations, also where those are JSON', () => {
  const servers = { mcpServers: { a: { command: 'x', env: { A_KEY: '1' } }, b: { url: 'u', headers: { B: '2' } } } }
  const expected = [{ A_KEY: '1' }, { B: '2' }]
  assert.deepEqual(collectMaskableVariables(servers), expected)
  assert.deepEqual(collectMaskableVariables(JSON.stringify(servers)), expected)
  assert.deepEqual(collectMaskableVariables(['--settings', JSON.stringify({ env: { C: '3' } })]), [{ C: '3' }])
  assert.deepEqual(collectMaskableVariables(['{', 'text', '/a/file.json', null, 1, { env: 'text' }]), [])
})

test('what the environment calls a secret is masked, whole and in parts, also as JSON writes it', () => {
  const mask = createSecretMask({
    MY_API_TOKEN: 'abc"def-ghi',
    ANTHROPIC_CUSTOM_HEADERS: 'x-key: 0123456789',
    PATH: '/usr/local/bin',
    SHORT_KEY: 'abc',
  })
  assert.equal(mask('abc"def-ghi'), '…')
  assert.equal(mask(JSON.stringify({ t: 'abc"def-ghi' })), '{"t":"…"}')
  assert.equal(mask('sent 0123456789'), 'sent …')
  assert.equal(mask('/usr/local/bin abc'), '/usr/local/bin abc')
})

test('of two secrets the longer goes first, so that nothing of it is left', () => {
  const mask = createSecretMask({ A_KEY: '12345678', B_KEY: '1234567890' })
  assert.equal(mask('1234567890 12345678'), '… …')
})

test('keys of the API and bearer tokens are masked wherever they come from', () => {
  assert.equal(createSecretMask({})('sk-ant-api03-x_Y Bearer abc.def'), 'sk-ant-… Bearer …')
})
