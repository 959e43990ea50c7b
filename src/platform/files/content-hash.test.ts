import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createContentHash, hashContent, sha256 } from './content-hash.js'

const MEGABYTE = 1024 * 1024

test('the same content has the same hash, however it is cut, small and large', async () => {
  for (const size of [0, 1, 1000, MEGABYTE - 1, MEGABYTE, MEGABYTE + 1]) {
    const bytes = Uint8Array.from({ length: size }, (_, i) => (i * 31) % 251)
    const pieces = await createContentHash(size)
    for (let at = 0; at < size; at += 777) pieces.update(bytes.subarray(at, at + 777))
    assert.equal(pieces.digest(), await hashContent(bytes), String(size))
  }
})

test('one changed byte, one more byte and two swapped bytes are noticed', async () => {
  const bytes = Uint8Array.from({ length: 500 }, (_, i) => i % 256)
  const hashes = new Set([await hashContent(bytes)])
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = bytes.slice()
    changed[at] = (changed[at] ?? 0) ^ 1
    hashes.add(await hashContent(changed))
  }
  hashes.add(await hashContent(Uint8Array.from([...bytes, 0])))
  hashes.add(await hashContent(Uint8Array.from([1, 0, ...bytes.subarray(2)])))
  assert.equal(hashes.size, bytes.length + 3)
})

test('what is named by its content has a hash that others know', async () => {
  assert.equal(
    await sha256(new TextEncoder().encode('abc')),
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  )
})
