import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { createOutputFile } from './output-file.js'

const folder = mkdtempSync(join(tmpdir(), 'kedge-output-'))
after(() => rmSync(folder, { recursive: true }))

it('writes in the order of the calls, for its owner only', async () => {
  const file = await createOutputFile(join(folder, 'order'))
  file.write('')
  for (let i = 0; i < 200; i += 1) {
    file.write(`${i}é\n`)
    if (i % 50 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  await file.close()
  const expected = Array.from({ length: 200 }, (_, i) => `${i}é\n`).join('')
  assert.deepEqual(
    [readFileSync(file.path, 'utf8'), file.size, file.incomplete, statSync(file.path).mode & 0o777],
    [expected, Buffer.byteLength(expected), undefined, 0o600],
  )
})

it('is not larger than it may be, ends with a note, and splits no character', async () => {
  const note = '\n[… this file is full: the rest of the output was dropped …]\n'
  for (const max of [0, 1, 9, 10, 11, 12, 13]) {
    const file = await createOutputFile(join(folder, `full${max}`), max)
    for (const text of ['123456789', '😀', 'more']) {
      await file.write(text)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await file.close()
    const kept = '123456789😀'.slice(0, max < 9 ? 0 : max < 13 ? 9 : undefined) || '123456789'.slice(0, max)
    assert.deepEqual(
      [readFileSync(file.path, 'utf8'), file.size, file.incomplete],
      [kept + note, Buffer.byteLength(kept + note), 'full'],
    )
  }
})

it('says when too much is waiting', async () => {
  const file = await createOutputFile(join(folder, 'slow'))
  const text = 'x'.repeat(700_000)
  assert.deepEqual([file.write(text), file.write(text)], [undefined, undefined])
  await file.write(text)
  assert.equal(file.size, 3 * text.length)
  await file.close()
})

it('is new, and no link', async () => {
  writeFileSync(join(folder, 'old'), 'old')
  symlinkSync(join(folder, 'nowhere'), join(folder, 'link'))
  for (const name of ['old', 'link']) await assert.rejects(createOutputFile(join(folder, name)), { code: 'EEXIST' })
  assert.equal(readFileSync(join(folder, 'old'), 'utf8'), 'old')
})

it('takes a full disk as the end of the file, not of the command', { skip: process.platform !== 'linux' }, async () => {
  const file = await createOutputFile(join(folder, 'disk'))
  await file.close()
  // As a write to a full disk, this one fails.
  file.write('too late')
  await file.close()
  assert.deepEqual([file.size, typeof file.incomplete], [0, 'string'])
})
