/** What a conformance suite asks of an agent, row by row, with a client that can take nothing and by the stable schema. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Wire } from './acp-schema.js'
import { openRig, type Session } from './rig.js'
import { bash, callsOf, textsIn } from './rows-turn.js'

const rig = await openRig('raw', { agentOnly: true })
const isFrom = (session: Session) => (heard: Wire) =>
  heard.from === 'agent' && heard.message?.params?.sessionId === session.id
/** Whatever the agent still had to say is heard when a later question is answered. */
const settle = () => rig.request('session/list', {})
/** A turn of the model that never comes; `asked` settles when it is waited for. */
function endless() {
  let tell = () => {}
  const asked = new Promise<void>((resolve) => (tell = resolve))
  const step = () => {
    tell()
    return { noAnswer: 'hang' as const }
  }
  return { step, asked }
}
const send = (message: object) => rig.agent.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const answerTo = async (id: unknown) =>
  (await rig.agent.heard(`an answer to ${id}`, ({ from, message }) => from === 'agent' && message?.id === id)).message
const kindsOf = (session: Session, from: number) =>
  rig.agent.tap.heard
    .slice(from)
    .filter(isFrom(session))
    .map(({ message }) => message.params.update?.sessionUpdate)

test('kedge acp, initialize: version 1 for 1, who the agent is, what it can do', () => {
  const { protocolVersion, agentInfo, agentCapabilities } = rig.initialized
  assert.equal(protocolVersion, 1)
  assert.equal(typeof agentInfo.name, 'string')
  assert.match(agentInfo.version, /^\d+\.\d+\.\d+/)
  assert.equal(agentCapabilities.loadSession, true)
  for (const capability of ['list', 'resume', 'close', 'delete'])
    assert.ok(agentCapabilities.sessionCapabilities[capability], capability)
})

test('initialize: a version nobody knows is answered with one the agent has', async () => {
  const { protocolVersion } = await rig.request('initialize', { protocolVersion: 65_535 })
  assert.ok([1, 2].includes(protocolVersion))
})

test('without the capability: no terminal to sign in with, no boolean option, no fs, terminal or elicitation', async () => {
  // The tap judges the rest with every message; here are the two that are said once.
  assert.deepEqual(
    (rig.initialized.authMethods ?? []).filter((way: Wire) => way.type === 'terminal'),
    [],
  )
  const { created } = await rig.begin()
  assert.deepEqual(
    (created.configOptions ?? []).filter((option: Wire) => option.type === 'boolean'),
    [],
  )
})

test('ids are given back as they were: numbers and texts', async () => {
  for (const id of [0, 77, 'a-text', '77']) {
    send({ id, method: 'session/list', params: {} })
    assert.ok('result' in (await answerTo(id)))
  }
})

test('an unknown method is -32601, also one that is an extension; an unknown notification is ignored', async () => {
  await assert.rejects(rig.request('session/no_such', {}), { code: -32601 })
  await assert.rejects(rig.request('_unheard/of', {}), { code: -32601 })
  const from = rig.agent.tap.heard.length
  await rig.notify('session/no_such', {})
  await rig.notify('_unheard/of', { any: 'thing' })
  await settle()
  const answers = rig.agent.tap.heard.slice(from).filter(({ from, message }) => from === 'agent' && 'error' in message)
  assert.deepEqual(answers, [])
})

test('session ids are unique', async () => {
  const sessions = await Promise.all([rig.begin(), rig.begin(), rig.begin()])
  assert.equal(new Set(sessions.map(({ id }) => id)).size, 3)
})

test('a prompt ends with a stop reason, and updates carry its session', async () => {
  const session = await rig.begin()
  const played = await session.play(['Hello there.'])
  assert.equal(played.response.stopReason, 'end_turn')
  assert.equal(played.text(), 'Hello there.')
  const ids = played.heard.flatMap(({ from, message }) => (from === 'agent' ? (message.params?.sessionId ?? []) : []))
  assert.deepEqual([...new Set(ids)], [session.id])
})

test('what a command prints is there while it runs, as text for who can take nothing else', async () => {
  const session = await rig.begin()
  const playing = session.play([bash('echo early; until [ -e go ]; do sleep 0.1; done; echo late'), 'Done.'])
  const live = await session.update('tool_call_update', ({ content }) => /early/.test(textsIn(content)))
  assert.equal(live.status ?? 'in_progress', 'in_progress')
  writeFileSync(join(session.cwd, 'go'), '')
  assert.match(textsIn(callsOf(await playing, 'Bash').at(-1).content), /early\nlate/)
})

test('session/cancel: the prompt is answered with canceled, and nothing comes after', async () => {
  const session = await rig.begin()
  const { step, asked } = endless()
  const playing = session.play([step])
  await asked
  await rig.notify('session/cancel', { sessionId: session.id })
  assert.equal((await playing).response.stopReason, 'cancelled')
  const from = rig.agent.tap.heard.length
  await settle()
  assert.deepEqual(kindsOf(session, from), [])
  assert.equal((await session.play(['Still here.'])).text(), 'Still here.')
})

test('session/load: all of the history before the answer, nothing of it after', async () => {
  const session = await rig.begin()
  await session.play(['First answer.'], 'First question.')
  await session.play(['Second answer.'], 'Second question.')
  await rig.request('session/close', { sessionId: session.id })
  const from = rig.agent.tap.heard.length
  await rig.request('session/load', { sessionId: session.id, cwd: session.cwd, mcpServers: [] })
  const replayed = rig.agent.tap.heard.slice(from).filter(isFrom(session))
  const texts = replayed.map(({ message }) => message.params.update).flatMap((update) => update.content?.text ?? [])
  assert.match(texts.join('|'), /First question.*First answer.*Second question.*Second answer/s)
  const after = rig.agent.tap.heard.length
  await settle()
  assert.deepEqual(kindsOf(session, after), [])
})

test('session/resume: no history, and the conversation goes on', async () => {
  const session = await rig.begin()
  await session.play(['First answer.'], 'Remember seven.')
  await rig.request('session/close', { sessionId: session.id })
  const from = rig.agent.tap.heard.length
  await rig.request('session/resume', { sessionId: session.id, cwd: session.cwd })
  assert.deepEqual(
    kindsOf(session, from).filter((kind) => /chunk|tool_call|plan/.test(kind)),
    [],
  )
  const { word } = await session.play(['Seven.'])
  assert.match(JSON.stringify(rig.model.requestsOf(word)[0]?.body.messages), /Remember seven/)
})

test('session/list: what is there, by folder; an empty list where nothing is', async () => {
  const session = await rig.begin()
  await session.play(['Listed.'])
  const { sessions } = await rig.request('session/list', { cwd: session.cwd })
  assert.deepEqual(
    sessions.map(({ sessionId, cwd }: Wire) => ({ sessionId, cwd })),
    [{ sessionId: session.id, cwd: session.cwd }],
  )
  assert.deepEqual((await rig.request('session/list', { cwd: rig.folder('empty') })).sessions, [])
})

test('session/delete: of a fresh one and of an unknown one is {}; then it is gone', async () => {
  const session = await rig.begin()
  for (const sessionId of [session.id, 'no-such-session'])
    assert.deepEqual(await rig.request('session/delete', { sessionId }), {})
  const params = { sessionId: session.id, cwd: session.cwd, mcpServers: [] }
  await assert.rejects(rig.request('session/load', params), { code: -32002 })
})

test('session/close in the middle of a turn: the prompt is answered with canceled', async () => {
  const session = await rig.begin()
  const { step, asked } = endless()
  const playing = session.play([step])
  await asked
  assert.deepEqual(await rig.request('session/close', { sessionId: session.id }), {})
  assert.equal((await playing).response.stopReason, 'cancelled')
})

test('session/set_config_option gives all options, with the new value', async () => {
  const session = await rig.begin()
  const { configOptions } = await rig.request('session/set_config_option', {
    sessionId: session.id,
    configId: 'mode',
    value: 'plan',
  })
  const ids = (options: Wire) => options.map(({ id }: Wire) => id)
  assert.deepEqual(ids(configOptions), ids(session.created.configOptions))
  assert.equal(configOptions.find(({ id }: Wire) => id === 'mode').currentValue, 'plan')
})

test('an unknown session is -32002, wrong params are -32602, and both leave the agent usable', async () => {
  const prompt = [{ type: 'text', text: 'Hi.' }]
  await assert.rejects(rig.request('session/prompt', { sessionId: 'no-such-session', prompt }), { code: -32002 })
  await assert.rejects(rig.request('session/prompt', { sessionId: 7, prompt: 'Hi.' }), { code: -32602 })
  await assert.rejects(rig.request('session/new', { cwd: 'relative/path', mcpServers: [] }), { code: -32602 })
  assert.equal((await (await rig.begin()).play(['Usable.'])).text(), 'Usable.')
})

test('_meta is accepted everywhere', async () => {
  const _meta = {
    'example.com/any': { deep: [1, 2] },
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  }
  const session = await rig.begin({ _meta })
  assert.equal((await session.play(['Fine.'], 'Hi.', { _meta })).response.stopReason, 'end_turn')
  await rig.notify('session/cancel', { sessionId: session.id, _meta })
})

test('the end: it exits by itself when stdin ends; only JSON on stdout, and no violation in all of the above', async () => {
  await rig[Symbol.asyncDispose]()
})
