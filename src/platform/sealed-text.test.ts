import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newSealKey, readSealKey, sealText, unsealText } from './sealed-text.js'

test('a text is opened by its key, for what it is about, as it was', () => {
  const key = newSealKey()
  const sealed = sealText(key, 'a token: ü', 'tracker')
  assert.equal(unsealText(key, sealed, 'tracker'), 'a token: ü')
  assert.ok(!sealed.includes('token'))
  assert.notEqual(sealText(key, 'a token: ü', 'tracker'), sealed)
})

test('another key, another subject, and a changed text open nothing', () => {
  const key = newSealKey()
  const sealed = sealText(key, 'a token', 'tracker')
  const bytes = Buffer.from(sealed.slice(3), 'base64')
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1
  const results = [
    unsealText(newSealKey(), sealed, 'tracker'),
    unsealText(key, sealed, 'another'),
    unsealText(key, `v1.${bytes.toString('base64')}`, 'tracker'),
    unsealText(key, 'v1.', 'tracker'),
    unsealText(key, 'a token', 'tracker'),
  ]
  assert.deepEqual(results, [undefined, undefined, undefined, undefined, undefined])
})

test('keys are read as hexadecimal digits or base64, in full length only', () => {
  const key = newSealKey()
  assert.deepEqual(readSealKey(Buffer.from(key).toString('hex')), key)
  assert.deepEqual(readSealKey(`${Buffer.from(key).toString('base64')}\n`), key)
  assert.deepEqual([readSealKey('short'), readSealKey('')], [undefined, undefined])
})
