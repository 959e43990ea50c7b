import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWritableFromWrite } from './whole-output.js'

const written = (output: ReturnType<typeof createWritableFromWrite>, text: string) =>
  new Promise<Error | undefined>((resolve) => {
    output.once('error', () => {})
    output.write(text, (error) => resolve(error ?? undefined))
  })

test('what the system does not take at once is given to it again', async () => {
  let file = ''
  const output = createWritableFromWrite((bytes) => {
    const taken = bytes.subarray(0, 3)
    file += Buffer.from(taken).toString('latin1')
    return taken.length
  })
  assert.equal(await written(output, 'seven bytes, and more'), undefined)
  assert.equal(file, 'seven bytes, and more')
})

test('a disk that fills in the middle is an error', async () => {
  let room = 5
  const output = createWritableFromWrite((bytes) => {
    if (room === 0) throw new Error('ENOSPC')
    const taken = Math.min(room, bytes.length)
    room -= taken
    return taken
  })
  assert.equal((await written(output, 'seven bytes'))?.message, 'ENOSPC')
})
