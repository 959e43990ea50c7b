import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPlatformIdentity } from './identity.js'

test('ids are random, of version 4, and no two are the same, also beyond one pool of random bytes', () => {
  const { uuid } = createPlatformIdentity()
  const ids = Array.from({ length: 2000 }, uuid)
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.equal(new Set(ids).size, 2000)
})

test('every digit that is free takes every value', () => {
  const { uuid } = createPlatformIdentity()
  const seen = Array.from({ length: 36 }, () => new Set<string>())
  for (let n = 0; n < 500; n += 1) for (const [at, digit] of [...uuid()].entries()) seen[at]?.add(digit)
  const sizes = seen.map(({ size }) => size)
  assert.deepEqual(
    sizes,
    [...Array(36)].map((_, at) => ([8, 13, 14, 18, 23].includes(at) ? 1 : at === 19 ? 4 : 16)),
  )
})

test('hex of any length', () => {
  const { hex } = createPlatformIdentity()
  for (const length of [0, 1, 2, 7, 8, 32, 63]) assert.match(hex(length), new RegExp(`^[0-9a-f]{${length}}$`))
  const many = Array.from({ length: 1000 }, () => hex(16))
  assert.equal(new Set(many).size, 1000)
})

test('two sessions share nothing', () => {
  const [a, b] = [createPlatformIdentity(), createPlatformIdentity()]
  assert.notEqual(a.uuid(), b.uuid())
  assert.notEqual(a.hex(16), b.hex(16))
  assert.deepEqual([a.pid, a.os, a.uid], [process.pid, process.platform, process.getuid?.() ?? null])
})
