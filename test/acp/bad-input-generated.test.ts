/** Every method of the protocol, each before `initialize`, of an unknown session, with params missing or wrong, twice, and at the end. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Wire } from './acp-schema.js'
import { openRig, type Rig, type RigSetup } from './rig.js'
import { METHODS, missing, wrongTypes } from './wrong-types.js'

const setup: RigSetup = { agentOnly: true, flavor: 'unstable' }
/** What a client may be told about a request that is wrong. */
const CLEAR = [-32602, -32002, -32600, -32000]
const ofSession = Object.entries(METHODS).filter(([, params]) => 'sessionId' in params)
const isLong = process.env['KEDGE_LONG'] !== undefined

type Case = { what: string; method: string; params: unknown }

/** Sends all at once, and gives the answer of each. */
async function ask({ agent }: Rig, cases: readonly Case[], name: string): Promise<{ one: Case; message: Wire }[]> {
  const lines = cases.map(({ method, params }, n) =>
    JSON.stringify({ jsonrpc: '2.0', id: `${name} ${n}`, method, params }),
  )
  agent.write(`${lines.join('\n')}\n`)
  return Promise.all(
    cases.map(async (one, n) => {
      const isIt = ({ from, message }: Wire) => from === 'agent' && message?.id === `${name} ${n}`
      return { one, message: (await agent.heard(`${one.method}, ${one.what}`, isIt)).message }
    }),
  )
}

/** Every answer is a clear error, or a result that the tap has judged. */
function assertClear(answers: readonly { one: Case; message: Wire }[], codes = CLEAR): void {
  for (const { one, message } of answers) {
    if (!message.error) continue
    const { code, message: text } = message.error
    assert.ok(codes.includes(code), `${one.method}, ${one.what}: ${JSON.stringify(message.error)}`)
    assert.ok(text.length > 0 && !/\n\s+at /.test(text))
  }
}

test('wrong params, missing params, unknown sessions, ids twice: one clear answer each, in one process', async (t) => {
  const rig = await openRig('raw', { ...setup, initialize: false })
  const { agent } = rig

  await t.test('before initialize every method is refused, and initialize still works', async () => {
    const cases = Object.entries(METHODS)
      .filter(([method]) => method !== 'initialize')
      .map(([method, params]) => ({ what: 'too early', method, params }))
    for (const { one, message } of await ask(rig, cases, 'early'))
      assert.ok(message.error, `${one.method} was answered with ${JSON.stringify(message.result)}`)
    const { protocolVersion } = await rig.request('initialize', { protocolVersion: 1 })
    assert.equal(protocolVersion, 1)
  })
  const session = await rig.begin()

  await t.test('an unknown session is -32002; to delete it is fine', async () => {
    const cases = ofSession.map(([method, params]) => ({ what: 'unknown session', method, params }))
    for (const { one, message } of await ask(rig, cases, 'unknown')) {
      if (one.method === 'session/delete') assert.deepEqual(message.result, {})
      else assert.equal(message.error?.code, -32002, `${one.method}: ${JSON.stringify(message)}`)
    }
  })

  const generated = (make: typeof missing) =>
    Object.entries(METHODS)
      // Another `initialize` would change what the client can take.
      .filter(([method]) => method !== 'initialize' && method !== 'logout')
      .flatMap(([method, params]) => {
        const known = 'sessionId' in params ? { ...params, sessionId: session.id } : params
        const kept = /delete|close|providers/.test(method) ? params : known
        return make(kept).map((one) => ({ ...one, method }))
      })
      .filter(({ method }) => method !== 'session/new' && method !== 'session/prompt')
  const alone = (make: typeof missing) =>
    ['session/new', 'session/prompt'].flatMap((method) =>
      make(METHODS[method] ?? {}).map((one) => ({ ...one, method })),
    )

  await t.test('params that are missing', async () => {
    const cases = [...generated(missing), ...alone(missing)]
    const answers = await ask(rig, cases, 'missing')
    assertClear(answers)
    const taken = answers.filter(({ one, message }) => one.what === 'no sessionId' && !message.error)
    assert.deepEqual(
      taken.map(({ one }) => one.method),
      [],
    )
  })

  await t.test('params of the wrong type', async () => {
    const cases = [...generated(wrongTypes), ...alone(wrongTypes)]
    assert.ok(cases.length >= 80, `${cases.length} cases`)
    const answers = await ask(rig, cases, 'wrong')
    assertClear(answers)
    const taken = answers.filter(({ one, message }) => /^(sessionId|cwd|prompt) is/.test(one.what) && !message.error)
    assert.deepEqual(
      taken.map(({ one }) => `${one.method}, ${one.what}`),
      [],
    )
  })

  await t.test('the same id twice: nobody gets the answer of another', async () => {
    const from = agent.tap.heard.length
    const twice = ofSession.map(([method, params]) => JSON.stringify({ jsonrpc: '2.0', id: method, method, params }))
    agent.write(`${twice.flatMap((line) => [line, line]).join('\n')}\n`)
    await rig.request('session/list', {})
    for (const [method] of ofSession) {
      const isIt = ({ from, message }: Wire) => from === 'agent' && message?.id === method
      await agent.heard(`an answer to ${method}`, isIt, from)
      const answers = agent.tap.heard.slice(from).filter(isIt)
      for (const { message } of answers)
        assert.equal(message.error?.code ?? 'result', method === 'session/delete' ? 'result' : -32002, method)
    }
  })

  await t.test('after all that a session works as if nothing had been', async () => {
    const fresh = await rig.begin()
    assert.equal((await fresh.play(['Fine.'])).text(), 'Fine.')
    assert.doesNotMatch(agent.stderr(), /^\s+at .+:\d+:\d+/m)
  })

  await t.test('the client leaves while everything is being asked: it ends, and nothing is left', () =>
    leave(rig, session.id, Object.entries(METHODS)),
  )
})

test('the client leaves during each of them, one process each', { skip: !isLong }, async () => {
  for (const one of Object.entries(METHODS)) {
    const rig = await openRig('raw', setup)
    await leave(rig, (await rig.begin()).id, [one])
  }
})

async function leave(rig: Rig, sessionId: string, methods: [string, Record<string, unknown>][]): Promise<void> {
  const lines = methods.map(([method, params], id) => {
    const known = 'sessionId' in params ? { ...params, sessionId } : params
    return JSON.stringify({ jsonrpc: '2.0', id, method, params: known })
  })
  rig.agent.write(`${lines.join('\n')}\n`)
  await rig[Symbol.asyncDispose]()
}
