import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMask, variablesIn } from './mask.js'

test('what a variable or header calls a secret is masked, wherever it turns up', () => {
  const mask = createMask(
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
  assert.deepEqual(variablesIn(servers), expected)
  assert.deepEqual(variablesIn(JSON.stringify(servers)), expected)
  assert.deepEqual(variablesIn(['--settings', JSON.stringify({ env: { C: '3' } })]), [{ C: '3' }])
  assert.deepEqual(variablesIn(['{', 'text', '/a/file.json', null, 1, { env: 'text' }]), [])
})
