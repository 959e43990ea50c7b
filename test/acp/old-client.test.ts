/** A client of last year, on an older protocol library: `@mcpc-tech/acp-ai-provider` behind a tap, by the stable schema. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createACPProvider } from '@mcpc-tech/acp-ai-provider'
import { testOptions } from 'kedge/testing'
import { findLeftoversAfterAbort } from '../../src/platform/processes/test-leftovers.js'
import type { Wire } from './acp-schema.js'
import { startPlannedModel } from './planned-model.js'
import { createTap } from './tap.js'

const model = await startPlannedModel()
const mark = `old-client-${process.pid}`
const options = testOptions(model.server, { env: { ACP_MARK: mark } })
const log = join(options.cwd, 'tap.log')
const cwd = options.cwd
const env = Object.fromEntries(Object.entries(options.env).map(([name, value]) => [name, value ?? '']))
const proxy = fileURLToPath(new URL('./tap-proxy.js', import.meta.url))
const kedge = join(process.cwd(), 'dist', 'kedge.cjs')

/** A provider whose model keeps its session. It has no way to cancel of its own: its connection does. */
function open(existingSessionId?: string) {
  const provider = createACPProvider({
    command: process.execPath,
    args: [proxy, log, process.execPath, kedge, 'acp'],
    env,
    session: { cwd, mcpServers: [] },
    persistSession: true,
    ...(existingSessionId ? { existingSessionId } : {}),
  })
  const language = provider.languageModel()
  // Private there, but the only way to what its protocol library can do.
  const inside = language as unknown as {
    connection: { cancel(params: { sessionId: string }): Promise<void> }
    client: { setPermissionRequestHandler(handler: (request: Wire) => unknown): void }
  }
  const say = (text: string) =>
    language
      .doGenerate({ prompt: [{ role: 'user', content: [{ type: 'text', text }] }] })
      .then(({ content }) => content.flatMap((part) => (part.type === 'text' ? part.text : [])).join(''))
  return { provider, say, inside }
}

function heard() {
  const tap = createTap('stable')
  const rest = { agent: '', client: '' }
  for (const line of readFileSync(log, 'utf8').trim().split('\n')) {
    const { from, text } = JSON.parse(line) as { from: 'agent' | 'client'; text: string }
    const lines = (rest[from] + text).split('\n')
    rest[from] = lines.pop() ?? ''
    for (const one of lines) tap.line(from, Buffer.from(one, 'latin1').toString('utf8'))
  }
  return tap
}

const first = open()
let session = ''

test('text', async () => {
  assert.equal(await first.say(`Hello. ${model.plan(['Hello from Kedge: é.'])}`), 'Hello from Kedge: é.')
  session = first.provider.getSessionId() ?? ''
  assert.ok(session)
})

test('permission: its first option allows once; a no is a no', async () => {
  const write = (name: string) => ({
    tools: [{ name: 'Write', input: { file_path: join(cwd, name), content: 'written\n' } }],
  })
  assert.match(await first.say(`Write. ${model.plan([write('yes.txt'), 'Written.'])}`), /Written\./)
  assert.equal(readFileSync(join(cwd, 'yes.txt'), 'utf8'), 'written\n')
  first.inside.client.setPermissionRequestHandler(({ options }: Wire) => {
    const { optionId } = options.find(({ kind }: Wire) => kind === 'reject_once')
    return { outcome: { outcome: 'selected', optionId } }
  })
  assert.match(await first.say(`Write. ${model.plan([write('no.txt'), 'Then not.'])}`), /Then not\./)
  assert.equal(existsSync(join(cwd, 'no.txt')), false)
})

test('cancel: the turn ends, and the session goes on', async () => {
  let tell = () => {}
  const asked = new Promise<void>((resolve) => (tell = resolve))
  const hang = () => {
    tell()
    return { noAnswer: 'hang' as const }
  }
  const saying = first.say(`Wait. ${model.plan([hang])}`)
  await asked
  await first.inside.connection.cancel({ sessionId: session })
  await saying
  assert.equal(await first.say(`Go on. ${model.plan(['Going on.'])}`), 'Going on.')
})

test('load: another process knows what was said', async () => {
  first.provider.cleanup()
  const second = open(session)
  const word = model.plan(['I remember.'])
  assert.match(await second.say(`Do you remember? ${word}`), /I remember\./)
  assert.match(JSON.stringify(model.requestsOf(word)[0]?.body.messages), /Hello from Kedge: é/)
  assert.equal(second.provider.getSessionId(), session)
  second.provider.cleanup()
})

test('every message was as the stable schema says, the canceled prompt was answered so, nothing is left', async () => {
  assert.deepEqual(await findLeftoversAfterAbort(`ACP_MARK=${mark}`), [])
  const { violations, heard: all } = heard()
  assert.deepEqual(violations, [])
  const reasons = all.flatMap(({ message }) => message?.result?.stopReason ?? [])
  assert.deepEqual(reasons, ['end_turn', 'end_turn', 'end_turn', 'cancelled', 'end_turn', 'end_turn'])
  model.assertDone()
})

after(async () => {
  first.provider.cleanup()
  await model[Symbol.asyncDispose]()
  await options[Symbol.asyncDispose]()
})
