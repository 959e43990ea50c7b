/** Attempts to get out of the sandbox, as the user who runs the tests. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { listed } from './listed.js'
import { ATTEMPTS, describeEscapes } from './run-escapes.js'
import { createGround, type Ground, whyNoSandbox } from './stage.js'

let ground: Ground
before(async () => {
  if (whyNoSandbox === undefined) ground = await createGround()
})
after(() => ground?.close())

it('there are enough of them, each with a mechanism of its own, and all are in docs/sandbox-tests.md', () => {
  assert.ok(ATTEMPTS.length >= 60, String(ATTEMPTS.length))
  assert.equal(new Set(ATTEMPTS.map(([, aim, name]) => `${aim}: ${name}`)).size, ATTEMPTS.length)
  assert.deepEqual(listed(/^[WPRMNSK]\d\d$/), ATTEMPTS)
})

describeEscapes(process.getuid?.() === 0 ? 'root' : 'a user', () => ground, whyNoSandbox, true)
