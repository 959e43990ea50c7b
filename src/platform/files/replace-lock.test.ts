import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { withReplaceLock } from './replace-lock.js'

test('a lock beside the file while it works; one that another holds is waited for, one that was left is taken over', async () => {
  const path = mkdtempSync(join(tmpdir(), 'kedge-lock-'))
  try {
    const folder = { at: (name: string) => join(path, name) }
    const seen: string[][] = []
    await withReplaceLock(folder, 'a.txt', () => seen.push(readdirSync(path)))
    const [lock = ''] = seen[0] ?? []
    assert.match(lock, /^\.kedge-.*\.lock$/)
    assert.deepEqual(readdirSync(path), [])
    const order: string[] = []
    writeFileSync(join(path, lock), '')
    const waiting = withReplaceLock(folder, 'a.txt', () => order.push('waited'))
    await withReplaceLock(folder, 'b.txt', () => order.push('another file'))
    rmSync(join(path, lock))
    await waiting
    writeFileSync(join(path, lock), '')
    await withReplaceLock(folder, 'a.txt', () => order.push('took over'), 0)
    assert.deepEqual(order, ['another file', 'waited', 'took over'])
    const failing = withReplaceLock(folder, 'a.txt', () => {
      throw new Error('no')
    })
    await assert.rejects(failing, /no/)
    assert.deepEqual(readdirSync(path), [])
  } finally {
    rmSync(path, { recursive: true })
  }
})
