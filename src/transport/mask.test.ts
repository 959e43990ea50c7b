import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMask } from './mask.js'

test('what the environment calls a secret is masked, whole and in parts, also as JSON writes it', () => {
  const mask = createMask({
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
  const mask = createMask({ A_KEY: '12345678', B_KEY: '1234567890' })
  assert.equal(mask('1234567890 12345678'), '… …')
})

test('keys of the API and bearer tokens are masked wherever they come from', () => {
  assert.equal(createMask({})('sk-ant-api03-x_Y Bearer abc.def'), 'sk-ant-… Bearer …')
})
