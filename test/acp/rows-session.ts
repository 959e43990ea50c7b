/** Rows about a session as a whole: its life, modes, models, commands, servers, account and costs. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ModelRequest } from 'kedge/testing'
import { eventually } from '../support/eventually.js'
import type { Wire } from './acp-schema.js'
import { select } from './clients.js'
import { openRig, type Rig, type Session } from './rig.js'
import type { Row } from './rows.js'
import { bash, callsOf, statusesOf, use } from './rows-turn.js'

const isRich = ({ kind }: Rig) => kind === 'rich'
const optionOf = (options: Wire, id: string): Wire => {
  const found = options.find((option: Wire) => option.id === id)
  assert.ok(found, `no option ${id} in ${options.map((option: Wire) => option.id)}`)
  return found
}
const valuesOf = (option: Wire): string[] =>
  option.options.flatMap((entry: Wire) => entry.options ?? [entry]).map(({ value }: Wire) => value)
const choose = (rig: Rig, { id }: Session, configId: string, value: string) =>
  rig.request('session/set_config_option', { sessionId: id, configId, value })
const SERVER = {
  name: 'clock',
  command: process.execPath,
  args: [join(process.cwd(), 'bench', 'mcp-server.mjs')],
  env: [],
}
/** Calls the server's tool as soon as it is offered. */
const stampWhenReady = () => {
  let isDone = false
  return ({ tools }: ModelRequest) => {
    if (isDone) return 'Stamped.'
    isDone = tools.includes('mcp__clock__stamp')
    return isDone ? use('mcp__clock__stamp', {}) : bash('sleep 0.1')
  }
}

const life: Row = async (rig) => {
  const session = await rig.begin()
  const first = await session.play(['First answer.'], 'First question.')
  const [{ messageId }] = first.updates('user_message_chunk') as [Wire]
  await session.play(['Second answer.'], 'Second question.')
  const listed = await rig.request('session/list', { cwd: session.cwd })
  assert.deepEqual(
    listed.sessions.map(({ sessionId }: Wire) => sessionId),
    [session.id],
  )
  assert.match(listed.sessions[0].updatedAt, /^\d{4}-\d\d-\d\dT/)
  if (isRich(rig)) await forks(rig, session, messageId)
  await rig.request('session/close', { sessionId: session.id })
  const from = rig.agent.tap.heard.length
  const loaded = await rig.request('session/load', { sessionId: session.id, cwd: session.cwd, mcpServers: [] })
  assert.ok(loaded.configOptions.length > 0)
  const replayed = rig.agent.tap.heard.slice(from).flatMap(({ message }) => message?.params?.update ?? [])
  const chunks = replayed.filter(({ sessionUpdate }) => /message_chunk/.test(sessionUpdate))
  const texts = chunks.map(({ content }) => content.text).join('|')
  assert.match(texts, /First question.*First answer.*Second question.*Second answer/s)
  // The key to rewind by is the same as it was live.
  assert.equal(chunks[0].messageId, messageId)
  await rig.request('session/close', { sessionId: session.id })
  await rig.request('session/resume', { sessionId: session.id, cwd: session.cwd })
  const { word } = await session.play(['Third.'])
  assert.match(JSON.stringify(rig.model.requestsOf(word)[0]?.body.messages), /Second answer/)
  await rig.request('session/delete', { sessionId: session.id })
  assert.deepEqual((await rig.request('session/list', { cwd: session.cwd })).sessions, [])
}

async function forks(rig: Rig, { id, cwd }: Session, messageId: string): Promise<void> {
  assert.ok(rig.initialized.agentCapabilities.sessionCapabilities.fork)
  const whole = await rig.request('session/fork', { sessionId: id, cwd })
  const { word } = await rig.session(whole.sessionId, cwd).play(['Forked.'], 'In the fork.')
  assert.match(JSON.stringify(rig.model.requestsOf(word)[0]?.body.messages), /Second answer.*In the fork/s)
  const part = await rig.request('session/fork', { sessionId: id, cwd, _meta: { kedge: { messageId } } })
  const early = await rig.session(part.sessionId, cwd).play(['Forked.'], 'Earlier.')
  assert.doesNotMatch(JSON.stringify(rig.model.requestsOf(early.word)[0]?.body.messages), /Second/)
  for (const { sessionId } of [whole, part]) {
    assert.notEqual(sessionId, id)
    await rig.request('session/delete', { sessionId })
  }
}

const MODES = ['default', 'acceptEdits', 'plan', 'dontAsk', 'delegate']
const modes: Row = async (rig) => {
  const session = await rig.begin()
  const { modes, configOptions } = session.created
  const ids = modes.availableModes.map(({ id }: Wire) => id)
  assert.deepEqual(
    MODES.filter((mode) => !ids.includes(mode)),
    [],
  )
  // Root is not offered to ask nobody, unless it is in a sandbox.
  assert.equal(ids.includes('bypassPermissions'), process.getuid?.() !== 0)
  const option = optionOf(configOptions, 'mode')
  assert.deepEqual([option.category, valuesOf(option), option.currentValue], ['mode', ids, modes.currentModeId])
  const from = rig.agent.tap.heard.length
  await rig.request('session/set_mode', { sessionId: session.id, modeId: 'acceptEdits' })
  const isMode = (mode: string) => (update: Wire) => optionOf(update.configOptions, 'mode').currentValue === mode
  await session.update('config_option_update', isMode('acceptEdits'), from)
  await session.update('current_mode_update', ({ currentModeId }) => currentModeId === 'acceptEdits', from)
  const played = await session.play([use('Write', { file_path: join(session.cwd, 'a.txt'), content: 'x' }), 'Written.'])
  assert.deepEqual(played.asked(), played.asked('fs/write_text_file').concat(played.asked('fs/read_text_file')))
  const { configOptions: now } = await choose(rig, session, 'mode', 'dontAsk')
  assert.equal(optionOf(now, 'mode').currentValue, 'dontAsk')
  await session.update('current_mode_update', ({ currentModeId }) => currentModeId === 'dontAsk', from)
  const refused = await session.play([bash('touch b.txt'), 'Then not.'])
  assert.deepEqual(refused.asked('session/request_permission'), [])
  assert.equal(statusesOf(callsOf(refused, 'Bash')).at(-1), 'failed')
}

const models: Row = async (rig) => {
  const session = await rig.begin()
  const { configOptions } = session.created
  const model = optionOf(configOptions, 'model')
  assert.equal(model.category, 'model')
  // An option that does nothing is not offered: only Opus has a fast mode.
  assert.ok(!configOptions.some(({ id }: Wire) => id === 'fast'))
  const effort = optionOf(configOptions, 'effort')
  assert.equal(effort.category, 'thought_level')
  const level = valuesOf(effort).at(-1) ?? ''
  const { configOptions: then } = await choose(rig, session, 'effort', level)
  assert.equal(optionOf(then, 'effort').currentValue, level)
  const other = valuesOf(model).find((value) => /haiku/.test(value)) ?? ''
  const { configOptions: now } = await choose(rig, session, 'model', other)
  assert.equal(optionOf(now, 'model').currentValue, other)
  const { word } = await session.play(['From the other.'])
  assert.match(rig.model.requestsOf(word)[0]?.body.model ?? '', /haiku/)
  await fastAnswers(rig, session)
}
async function fastAnswers(rig: Rig, session: Session): Promise<void> {
  const { configOptions } = await choose(rig, session, 'model', 'opus')
  const { type, category } = optionOf(configOptions, 'fast')
  assert.deepEqual([type, category], [isRich(rig) ? 'boolean' : 'select', 'model_config'])
  const set = { sessionId: session.id, configId: 'fast' }
  await assert.rejects(rig.request('session/set_config_option', { ...set, value: 'quick' }), /fast/)
  const on = isRich(rig) ? { type: 'boolean', value: true } : { value: 'on' }
  const { configOptions: then } = await rig.request('session/set_config_option', { ...set, ...on })
  assert.equal(optionOf(then, 'fast').currentValue, on.value)
  const { word } = await session.play(['Quick.'])
  const [request] = rig.model.requestsOf(word)
  assert.equal(request?.body.speed, 'fast')
  assert.match(String(request?.headers['anthropic-beta']), /fast-mode-2026-02-01/)
}

const commands: Row = async (rig) => {
  const cwd = rig.folder()
  const folder = join(cwd, '.claude', 'commands')
  mkdirSync(folder, { recursive: true })
  const word = rig.model.plan(['Greeted.'])
  writeFileSync(
    join(folder, 'greet.md'),
    `---\ndescription: Greets somebody\nargument-hint: "[name]"\n---\nGreet $ARGUMENTS kindly. ${word}\n`,
  )
  const session = await rig.begin({ cwd })
  await session.update('available_commands_update')
  // What a folder brings counts when the user trusts it, which is asked with the first prompt.
  rig.person.permission = (request) => select(request, 'allow_once', /^Trust/)
  rig.person.elicitation = () => ({ action: 'accept', content: { choice: 'trust' } })
  const first = await session.play(['Hi.'])
  rig.calm()
  const [question] = first.asked(isRich(rig) ? 'elicitation/create' : 'session/request_permission')
  assert.match(JSON.stringify(question), /\.claude\/commands.*trust/is)
  const isThere = ({ availableCommands }: Wire) => availableCommands.some(({ name }: Wire) => name === 'greet')
  const { availableCommands } = await session.update('available_commands_update', isThere)
  const greet = availableCommands.find(({ name }: Wire) => name === 'greet')
  assert.match(greet.description, /Greets somebody/)
  assert.equal(greet.input.hint, '[name]')
  const names = availableCommands.map(({ name }: Wire) => name)
  for (const name of ['compact', 'rewind', 'status', 'mcp']) assert.ok(names.includes(name), `${name} in ${names}`)
  const played = await session.prompt('/greet Ada')
  assert.equal(played.text(), 'Greeted.')
  assert.match(JSON.stringify(rig.model.requestsOf(word)[0]?.body.messages), /Greet Ada kindly/)
}

const servers: Row = async (rig) => {
  const { http, sse } = rig.initialized.agentCapabilities.mcpCapabilities
  assert.deepEqual([http, sse], [true, true])
  const session = await rig.begin({ mcpServers: [SERVER] })
  const played = await session.play(stampWhenReady())
  assert.equal(played.text(), 'Stamped.')
  assert.equal(statusesOf(callsOf(played, 'mcp__clock__stamp')).at(-1), 'completed')
}

/** Without a key: how to sign in is said with the error, and can be asked for. */
const authStatus: Row = async (rig) => {
  const setup = { env: { ANTHROPIC_API_KEY: undefined } }
  await using without = await openRig(rig.kind, setup)
  const ways = without.initialized.authMethods
  assert.ok(ways.length > 0)
  assert.ok(ways.every(({ id, name }: Wire) => id && name))
  if (isRich(without)) {
    assert.deepEqual(await without.request('auth/status', {}), { state: 'unauthenticated', accounts: [] })
  }
  await assert.rejects(without.begin(), { code: -32000 })
  if (!isRich(rig)) return
  assert.ok(rig.initialized.agentCapabilities.auth.status)
  assert.equal((await without.request('auth/status', {})).state, 'unauthenticated')
  assert.equal((await rig.request('auth/status', {})).state, 'authenticated')
}

const SCHEMA = { type: 'object', properties: { answer: { type: 'number' } }, required: ['answer'] }
const structured: Row = async (rig) => {
  const outputFormat = { type: 'json_schema', schema: SCHEMA }
  const give = [use('StructuredOutput', { answer: 42 }), 'There.']
  const check = (played: Wire) => {
    assert.deepEqual(played.response._meta.kedge.structuredOutput, { answer: 42 })
    const resource = played.updates('agent_message_chunk').find(({ content }: Wire) => content.type === 'resource')
    assert.equal(resource.content.resource.mimeType, 'application/json')
    assert.deepEqual(JSON.parse(resource.content.resource.text), { answer: 42 })
  }
  const asked = await rig.begin({ _meta: { claudeCode: { options: { outputFormat } } } })
  check(await asked.play(give))
  const session = await rig.begin()
  check(await session.play(give, 'Go.', { _meta: { kedge: { outputFormat } } }))
}

const delegate: Row = async (rig) => {
  const session = await rig.begin()
  const { configOptions } = await choose(rig, session, 'mode', 'delegate')
  assert.equal(optionOf(configOptions, 'mode').currentValue, 'delegate')
  await session.update('current_mode_update', ({ currentModeId }) => currentModeId === 'delegate')
}

const plugins: Row = async (rig) => {
  const cwd = rig.folder()
  const plugin = join(cwd, 'my-plugin')
  mkdirSync(join(plugin, '.claude-plugin'), { recursive: true })
  mkdirSync(join(plugin, 'commands'))
  writeFileSync(join(plugin, '.claude-plugin', 'plugin.json'), JSON.stringify({ name: 'mine', version: '1.0.0' }))
  writeFileSync(join(plugin, 'commands', 'wave.md'), '---\ndescription: Waves\n---\nWave.\n')
  const plugins = [plugin, join(cwd, 'no-such-plugin')].map((path) => ({ type: 'local', path }))
  const session = await rig.begin({ cwd, _meta: { claudeCode: { options: { plugins } } } })
  const isThere = ({ availableCommands }: Wire) => availableCommands.some(({ name }: Wire) => name === 'mine:wave')
  await session.update('available_commands_update', isThere)
  const played = await session.play(['Hi.'])
  const said = [...session.updates(), ...played.updates()].filter((update) =>
    /no-such-plugin/.test(JSON.stringify(update)),
  )
  assert.ok(said.length > 0, 'the plugin that is not there is named')
  if (isRich(rig)) assert.ok(said.some(({ sessionUpdate }) => sessionUpdate === 'notice'))
}

const BETA = 'context-1m-2025-08-07'
const betas: Row = async (rig) => {
  const headerOf = (word: string) => rig.model.requestsOf(word)[0]?.headers['anthropic-beta'] ?? ''
  const session = await rig.begin({ _meta: { claudeCode: { options: { betas: [BETA] } } } })
  assert.match(headerOf((await session.play(['Wide.'])).word), new RegExp(BETA))
  const other = await rig.begin()
  assert.doesNotMatch(headerOf((await other.play(['Narrow.'])).word), new RegExp(BETA))
  const context = optionOf(other.created.configOptions, 'context')
  assert.equal(context.category, 'model_config')
  const wide = valuesOf(context).find((value) => /1m/i.test(value)) ?? ''
  await choose(rig, other, 'context', wide)
  assert.match(headerOf((await other.play(['Wide.'])).word), new RegExp(BETA))
}

const sandbox: Row = async (rig) => {
  const session = await rig.begin()
  const option = optionOf(session.created.configOptions, 'sandbox')
  assert.equal(option.category, '_sandbox')
  assert.deepEqual(valuesOf(option).slice(-3), ['off', 'workspace', 'strict'])
  const { configOptions } = await choose(rig, session, 'sandbox', 'workspace')
  assert.equal(optionOf(configOptions, 'sandbox').currentValue, 'workspace')
  const boxed = await rig.begin({ _meta: { claudeCode: { options: { sandbox: { enabled: true } } } } })
  assert.notEqual(optionOf(boxed.created.configOptions, 'sandbox').currentValue, 'off')
}

const account: Row = async (rig) => {
  const session = await rig.begin()
  const played = await session.prompt('/status')
  assert.equal(played.response.stopReason, 'end_turn')
  assert.match(played.text(), /API key|ANTHROPIC_API_KEY/i)
  assert.doesNotMatch(played.text(), /sk-ant-test/)
  if (!isRich(rig)) return
  const { accounts } = await rig.request('auth/status', {})
  assert.ok(accounts.length > 0 && accounts.every(({ label }: Wire) => label))
}

const dynamicServers: Row = async (rig) => {
  const session = await rig.begin()
  assert.ok(!(await offered(rig, session)).includes('mcp__clock__stamp'))
  const params = { sessionId: session.id, cwd: session.cwd, mcpServers: [SERVER] }
  await rig.request('session/resume', params)
  assert.equal((await session.play(stampWhenReady())).text(), 'Stamped.')
  assert.match((await session.prompt('/mcp')).text(), /clock/)
  // Other servers take their place, in a live session and in one that was closed.
  const watch = { ...SERVER, name: 'watch' }
  await rig.request('session/resume', { ...params, mcpServers: [watch] })
  await session.play(['Fine.'])
  const listed = (await session.prompt('/mcp')).text()
  assert.match(listed, /watch/)
  assert.doesNotMatch(listed, /clock/)
  await rig.request('session/close', { sessionId: session.id })
  await rig.request('session/resume', params)
  await session.play(['Fine.'])
  assert.match((await session.prompt('/mcp')).text(), /clock/)
  await rig.request('_kedge/mcp/set_servers', { sessionId: session.id, mcpServers: [] })
  await eventually('the server is gone', async () => !(await offered(rig, session)).includes('mcp__clock__stamp'))
  await namedAtFirst(rig)
}

/** Servers that a session began with end too, once the client names others, or none. */
const namedAtFirst: Row = async (rig) => {
  const servers = async (session: Session) => {
    await session.play(['Fine.'])
    const text = (await session.prompt('/mcp')).text()
    return ['clock', 'watch'].filter((name) => text.includes(name))
  }
  for (const method of ['session/resume', 'session/load'] as const) {
    const session = await rig.begin({ mcpServers: [SERVER] })
    const params = { sessionId: session.id, cwd: session.cwd }
    assert.deepEqual(await servers(session), ['clock'])
    await rig.request(method, { ...params, mcpServers: [{ ...SERVER, name: 'watch' }] })
    assert.deepEqual(await servers(session), ['watch'], method)
    await rig.request(method, { ...params, mcpServers: [] })
    assert.deepEqual(await servers(session), [], method)
  }
  const session = await rig.begin({ mcpServers: [SERVER] })
  // While it starts.
  await rig.request('_kedge/mcp/set_servers', { sessionId: session.id, mcpServers: [] })
  assert.deepEqual(await servers(session), [])
}
async function offered(rig: Rig, session: Session): Promise<readonly string[]> {
  const { word } = await session.play(['Nothing.'])
  return rig.model.requestsOf(word)[0]?.tools ?? []
}

const costs: Row = async (rig) => {
  const session = await rig.begin()
  const first = await session.play(['One.'])
  const second = await session.play(['Two.'])
  const costOf = ({ updates }: typeof first) =>
    updates('usage_update')
      .filter(({ cost }) => cost)
      .at(-1).cost
  assert.equal(costOf(first).currency, 'USD')
  assert.ok(costOf(first).amount > 0 && costOf(second).amount > costOf(first).amount, 'it adds up')
  const [{ used, size }] = first.updates('usage_update') as [Wire]
  assert.ok(used > 0 && size >= 200_000)
  const { usage, _meta } = first.response
  assert.deepEqual([usage.inputTokens, usage.outputTokens, usage.totalTokens], [10, 5, 15])
  assert.ok(_meta.quota.token_count !== undefined)
  assert.ok(Array.isArray(_meta.quota.model_usage) && _meta.quota.model_usage.length === 1)
}

export const sessionRows: Record<number, [string, Row]> = {
  11: ['load, resume, list, fork, delete', life],
  12: ['permission modes', modes],
  13: ['models', models],
  14: ['commands', commands],
  15: ['MCP servers', servers],
  19: ['auth status', authStatus],
  25: ['structured output', structured],
  26: ['delegate mode', delegate],
  27: ['plugins', plugins],
  28: ['betas', betas],
  29: ['sandbox', sandbox],
  30: ['account', account],
  31: ['MCP servers that change', dynamicServers],
  32: ['costs and usage', costs],
}
