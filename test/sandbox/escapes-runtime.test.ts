/** The same attempts against the optional engine for lists of domains, where it is installed. */
import { after, before } from 'node:test'
import { describeEscapes } from './run-escapes.js'
import { createGround, type Ground, whyNoSandbox } from './stage.js'

const name = process.env['SANDBOX_RUNTIME'] ?? '@anthropic-ai/sandbox-runtime'
const loadRuntime = () => import(name)
const reason =
  whyNoSandbox ??
  (await loadRuntime().then(
    () => undefined,
    () => `${name} is not installed`,
  ))

let ground: Ground
before(async () => {
  if (reason !== undefined) return
  const settings = { network: { allowedDomains: ['kedge.example'] } }
  ground = await createGround(undefined, { machine: { loadRuntime }, settings })
})
after(() => ground?.close())

describeEscapes('a user of the optional engine', () => ground, reason)
