/** Waiting has an end: what never comes fails with a message instead of a hang. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually, within } from '../support/eventually.js'

test('eventually returns what it found, and names what never comes', async () => {
  let looks = 0
  assert.equal(await eventually('three looks', () => (looks++ < 3 ? undefined : looks)), 4)
  await assert.rejects(
    eventually('the ship', () => false, 30),
    /not within 0\.03 s: the ship/,
  )
})

test('within returns what came, passes errors on, and names what never comes', async () => {
  assert.equal(await within('a number', Promise.resolve(7)), 7)
  await assert.rejects(within('a number', Promise.reject(new Error('broken'))), /broken/)
  await assert.rejects(within('the tide', new Promise(() => {}), 30), /not within 0\.03 s: the tide/)
})
