/** `kedge/elements` where there is no browser. */
import assert from 'node:assert/strict'
import { test } from 'node:test'

test('a server can import kedge/elements, which then does nothing', async () => {
  assert.equal('HTMLElement' in globalThis, false)
  const { createClient, ...rest } = await import('kedge/elements')
  assert.equal(typeof createClient, 'function')
  assert.deepEqual(rest, {})
})
