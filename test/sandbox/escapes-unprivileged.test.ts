/** The same attempts by a user without rights, for whom bubblewrap and the kernel work differently than for root. */
import { after, before } from 'node:test'
import { describeEscapes } from './run-escapes.js'
import { createGround, findReason, type Ground, NOBODY } from './stage.js'

const reason = process.getuid?.() === 0 ? findReason(NOBODY) : 'the other file runs them as this user'

let ground: Ground
before(async () => {
  if (reason === undefined) ground = await createGround(NOBODY)
})
after(() => ground?.close())

describeEscapes('nobody', () => ground, reason)
