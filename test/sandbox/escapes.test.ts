/** Attempts to get out of the sandbox, as the user who runs the tests. */
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { ATTEMPTS, describeEscapes } from './run-escapes.js'
import { createGround, type Ground, whyNoSandbox } from './stage.js'

let ground: Ground
before(async () => {
  if (whyNoSandbox === undefined) ground = await createGround()
})
after(() => ground?.close())

it('there are enough of them', () => assert.ok(ATTEMPTS >= 60, String(ATTEMPTS)))

describeEscapes(process.getuid?.() === 0 ? 'root' : 'a user', () => ground, whyNoSandbox)
