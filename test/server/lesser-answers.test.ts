/** Answers with lesser tokens, over HTTP: what they leave behind is what the request suggests, for its session. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { PermissionUpdate } from '../../src/protocol/permission-types.js'
import { createServerBackend } from '../../src/terminal/sessions/server-backend.js'
import { type Serving, serve } from './serving.js'

const bash = (command: string) => ({ tools: [{ name: 'Bash', input: { command } }] })
const rule = (toolName: string, ruleContent?: string) => [{ toolName, ...(ruleContent ? { ruleContent } : {}) }]

async function tokenFor(serving: Serving, scopes: string[], sessions?: string[]): Promise<string> {
  const body = { name: scopes.join(' '), scopes, ...(sessions ? { sessions } : {}) }
  return (await serving.call('POST', '/v1/tokens', { body })).json.token
}

/** Every settings file that an update could have written, with its text. */
function settingsIn({ options }: Serving): Record<string, string> {
  const folders = [join(options.cwd, '.claude'), options.env['CLAUDE_CONFIG_DIR'] ?? '']
  const files = folders.flatMap((folder) =>
    existsSync(folder)
      ? readdirSync(folder).flatMap((name) => (/^settings/.test(name) ? [join(folder, name)] : []))
      : [],
  )
  return Object.fromEntries(files.map((file) => [file, readFileSync(file, 'utf8')]))
}

const WIDER: Record<string, PermissionUpdate> = {
  'a rule in the user settings': {
    type: 'addRules',
    rules: rule('Bash'),
    behavior: 'allow',
    destination: 'userSettings',
  },
  'a rule in the project settings': {
    type: 'addRules',
    rules: rule('Bash'),
    behavior: 'allow',
    destination: 'projectSettings',
  },
  'a rule of the command line': { type: 'addRules', rules: rule('Bash'), behavior: 'allow', destination: 'cliArg' },
  'a wider rule for the session': { type: 'addRules', rules: rule('Bash'), behavior: 'allow', destination: 'session' },
  'the suggested rule beside another': {
    type: 'addRules',
    behavior: 'allow',
    destination: 'session',
    rules: [...rule('Bash', 'mkfifo:*'), ...rule('Read', '/**')],
  },
  'no deny rules any more': {
    type: 'removeRules',
    rules: rule('Read', './.env'),
    behavior: 'deny',
    destination: 'userSettings',
  },
  'no deny rules for the session': { type: 'replaceRules', rules: [], behavior: 'deny', destination: 'session' },
  'the root as a directory': { type: 'addDirectories', directories: ['/'], destination: 'session' },
  'another mode': { type: 'setMode', mode: 'acceptEdits', destination: 'session' },
  'a mode in the settings': { type: 'setMode', mode: 'default', destination: 'userSettings' },
}

for (const [kind, scopes, isForOne] of [
  ['a token for one session', ['answer'], true],
  ['a token that sends prompts to one session, too', ['answer', 'prompt'], true],
  ['a token for all sessions without admin', ['answer'], false],
] as const)
  test(`${kind} can't leave more behind than the request suggests`, async () => {
    await using serving = await serve([bash('mkfifo made'), 'Done.'])
    const session = await serving.begin()
    const token = await tokenFor(serving, [...scopes], isForOne ? [session] : undefined)
    await serving.send(session, '1')
    const ask = await serving.ask(session)
    const before = settingsIn(serving)
    const answer = (body: unknown) =>
      serving.call('POST', `/v1/sessions/${session}/asks/${ask.id}/answer`, { token, body })
    const [suggested] = ask.suggestions
    assert.ok(suggested)
    assert.notEqual(suggested.update.destination, 'session')
    const wider = { ...WIDER, 'the suggestion in the settings': suggested.update }
    for (const [name, update] of Object.entries(wider)) {
      const { status, json } = await answer({ kind: 'allow', updates: [update] })
      assert.deepEqual([status, json.code], [403, 'forbidden_update'], name)
      assert.match(json.fix, /"destination": "session"/)
    }
    // One that is suggested does not take another one with it.
    const own = { ...suggested.update, destination: 'session' }
    const both = await answer({ kind: 'allow', updates: [own, WIDER['the root as a directory']] })
    assert.deepEqual([both.status, both.json.detail], [403, 'updates/1: the request does not suggest this update.'])
    assert.equal((await serving.call('GET', `/v1/sessions/${session}/asks/${ask.id}`)).status, 200, 'still open')
    assert.equal((await answer({ kind: 'allow', updates: [own] })).status, 204)
    await serving.ended(session, '1')
    assert.ok(existsSync(join(serving.options.cwd, 'made')))
    assert.deepEqual(settingsIn(serving), before)
  })

test('the main token still saves a suggested rule', async () => {
  await using serving = await serve([bash('mkfifo made'), 'Done.'])
  const session = await serving.begin()
  await serving.send(session, '1')
  const ask = await serving.ask(session)
  const body = { kind: 'allow', updates: ask.suggestions.map(({ update }) => update) }
  assert.equal((await serving.call('POST', `/v1/sessions/${session}/asks/${ask.id}/answer`, { body })).status, 204)
  await serving.ended(session, '1')
  assert.match(Object.values(settingsIn(serving)).join(), /mkfifo/)
})

test('only a token that can send prompts changes what runs', async () => {
  await using serving = await serve([bash('mkfifo asked'), bash('mkfifo asked'), 'Done.'])
  const session = await serving.begin()
  await serving.send(session, '1')
  const run = async (token: string, input: object) => {
    const [ask] = (await serving.call('GET', `/v1/asks?session=${session}`)).json.asks
    return serving.call('POST', `/v1/sessions/${session}/asks/${ask.id}/answer`, {
      token,
      body: { kind: 'allow', input },
    })
  }
  await serving.ask(session)
  const answering = await tokenFor(serving, ['answer'], [session])
  const refused = await run(answering, { command: 'mkfifo other' })
  assert.deepEqual([refused.status, refused.json.code], [403, 'forbidden_scope'])
  assert.match(refused.json.detail, /scope prompt/)
  assert.equal((await run(answering, { command: 'mkfifo asked' })).status, 204, 'the same input is no change')
  let asks = 0
  await serving.log(session, ({ kind }) => kind === 'ask' && ++asks === 2)
  assert.equal(
    (await run(await tokenFor(serving, ['answer', 'prompt'], [session]), { command: 'mkfifo third' })).status,
    204,
  )
  await serving.ended(session, '1')
  const made = ['asked', 'other', 'third'].filter((name) => existsSync(join(serving.options.cwd, name)))
  assert.deepEqual(made, ['asked', 'third'])
})

test('"always" of the universal API is for the session, and editors over HTTP need the scope admin', async () => {
  await using serving = await serve([bash('mkfifo made'), bash('mkfifo made'), 'Done.'])
  const before = settingsIn(serving)
  const created = await serving.call('POST', '/universal/v1/sessions/mine', { body: { agent: 'claude' } })
  const session = created.json.nativeSessionId
  const token = await tokenFor(serving, ['answer', 'prompt'], [session])
  const message = { message: 'go' }
  assert.equal(
    (await serving.call('POST', '/universal/v1/sessions/mine/messages', { token, body: message })).status,
    204,
  )
  const ask = await serving.ask(session)
  const path = `/universal/v1/sessions/mine/permissions/${ask.id}/reply`
  assert.equal((await serving.call('POST', path, { token, body: { reply: 'always' } })).status, 204)
  // The second call runs under the rule of the session: nothing is asked any more.
  const log = await serving.log(session, ({ kind, data }) => kind === 'message' && 'result' in data)
  assert.equal(log.filter(({ kind }) => kind === 'ask').length, 1)
  assert.deepEqual(settingsIn(serving), before)
  const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: 1 } }
  for (const prefix of ['/v1', '/universal/v1']) {
    const { status, json } = await serving.call('POST', `${prefix}/acp/mine`, { token, body: initialize })
    assert.deepEqual([status, json.code], [403, 'forbidden_scope'], prefix)
  }
})

test('kedge attach offers a lesser token what it can take', async () => {
  await using serving = await serve([bash('mkfifo made'), 'Done.'])
  const session = await serving.begin()
  await serving.send(session, '1')
  const whole = (await serving.ask(session)).suggestions
  const seenWith = async (token: string) => {
    const stop = new AbortController()
    const client = await createServerBackend({ url: serving.url, token }).open(session)
    try {
      for await (const item of client.read(0, stop.signal)) if (item.kind === 'ask') return { client, ask: item.data }
    } finally {
      stop.abort()
    }
    throw new Error('nothing was asked')
  }
  assert.deepEqual((await seenWith(serving.server.token)).ask.suggestions, whole)
  const { client, ask } = await seenWith(await tokenFor(serving, ['answer'], [session]))
  const [offered] = ask.suggestions
  assert.deepEqual([offered?.scope, offered?.update.destination], ['session', 'session'])
  const updates = offered ? [offered.update] : []
  assert.equal(await client.answer(ask.id, { kind: 'allow', updates }), 'accepted')
  await serving.ended(session, '1')
})
