/** What programs written for 0.3.x find here: names that work, and names that are refused when they are used. */
import assert from 'node:assert/strict'
import { readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import * as kedge from 'kedge'
import { type Channel, InMemorySessionStore, type OnUserDialog, query, SYSTEM_PROMPT_DYNAMIC_BOUNDARY } from 'kedge'
import { collect, startModelServer, testOptions } from 'kedge/testing'
import { createChannelPair } from '../../src/transport/channel.js'
import { bothWays } from './both-ways.js'

const stdioServer = fileURLToPath(new URL('../../../test/interop/mcp-stdio.mjs', import.meta.url))
const page = readFileSync(new URL('../../../docs/compatibility-tools.md', import.meta.url), 'utf8')

const edit = { old_string: 'old', new_string: 'new' }

const refusalOf = (name: string) => (error: unknown) => {
  assert.ok(error instanceof kedge.KedgeError)
  assert.equal(error.code, 'not_supported_yet')
  assert.ok(error.message.startsWith(`${name}() is not supported by this version of Kedge.`), error.message)
  return true
}

test('functions of the 0.3 line that are not here say so by name', async () => {
  const { matchDeniedModels, prewarm } = kedge
  const functions = { matchDeniedModels, prewarm }
  for (const [name, refused] of Object.entries(functions)) await assert.rejects(refused('x', {}), refusalOf(name))
})

test('methods of the 0.3 line that are not here say so by name', async () => {
  await using server = await startModelServer(['Hi.'])
  await using options = testOptions(server)
  const running = query({ prompt: 'Hi.', options })
  for (const name of [
    'setMcpPermissionModeOverride',
    'updateSettings',
    'reinitialize',
    'usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET',
    'reloadPlugins',
    'reloadSkills',
    'reloadOutputStyles',
  ] as const)
    await assert.rejects(running[name]('x', {}), refusalOf(name))
  assert.equal((await collect(running)).results.length, 1)
})

test('constants of the 0.3 line: BUILTIN_TOOL_NAMES are our tools, LEGACY_TOOL_NAME_ALIASES their other names', () => {
  const [, table = ''] = page.split('\n## Tools\n')
  const documented = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
  assert.deepEqual([...kedge.BUILTIN_TOOL_NAMES].sort(), documented.sort())
  assert.deepEqual(kedge.LEGACY_TOOL_NAME_ALIASES, { Agent: 'Task' })
})

test('texts about the limits of a subscription: there are none to compare with', () => {
  const { USAGE_LIMIT_ERROR_PREFIXES, USAGE_WARNING_PREFIXES, USAGE_TRANSITION_PREFIXES } = kedge
  const lists = [USAGE_LIMIT_ERROR_PREFIXES, USAGE_WARNING_PREFIXES, USAGE_TRANSITION_PREFIXES]
  assert.deepEqual([...lists, kedge.ORG_POLICY_LIMIT_PREFIXES], [[], [], [], []])
})

bothWays(
  'systemPrompt as a list: joined, and SYSTEM_PROMPT_DYNAMIC_BOUNDARY does not reach the model',
  () => ['Hi.', 'Hi.', 'Hi.'],
  {},
  async ({ options, server }) => {
    const mark = SYSTEM_PROMPT_DYNAMIC_BOUNDARY
    await collect(query({ prompt: 'Hi.', options: { ...options, systemPrompt: ['Be brief.', mark, 'It is May.'] } }))
    await collect(query({ prompt: 'Hi.', options: { ...options, systemPrompt: `Be brief.\n${mark}\nIt is May.` } }))
    const extraArgs = { 'system-prompt': `Be kind.\n${mark}\nIt is June.` }
    const preset = { type: 'preset', preset: 'claude_code' } as const
    await collect(query({ prompt: 'Hi.', options: { ...options, systemPrompt: preset, extraArgs } }))
    assert.deepEqual(
      server.requests
        .map(({ body }) => body.system)
        .map((system) => JSON.stringify(system).match(/"text":"(.*?)"/)?.[1]),
      ['Be brief.\\n\\nIt is May.', 'Be brief.\\nIt is May.', 'Be kind.\\nIt is June.'],
    )
  },
)

bothWays(
  "permissionPrompts: 'none': canUseTool is never asked, what needs a question is denied",
  () => [{ tools: [{ name: 'Bash', input: { command: 'touch made' } }] }, 'Done.'],
  {},
  async ({ options }) => {
    const canUseTool = () => assert.fail('asked')
    const all = { ...options, permissionPrompts: 'none' as const, canUseTool }
    const run = await collect(query({ prompt: 'Go.', options: all }))
    assert.deepEqual(
      run.results.map(({ permission_denials: denials }) => denials.map(({ tool_name: name }) => name)),
      [['Bash']],
    )
    assert.equal(run.error, undefined)
    const gated = { ...all, gate: 'always' as const }
    assert.throws(() => query({ prompt: 'Go.', options: gated }), { option: 'gate' })
  },
)

test('onUserDialog (request_user_dialog): a dialog of an agent of the 0.3 line is shown, and the answer goes back', async () => {
  const [host, agent] = createChannelPair<object, Record<string, unknown>>()
  const told: unknown[] = []
  const speak = async () => {
    for await (const { type, request, response } of agent.incoming) {
      told.push(request ?? response)
      const payload = { models: ['opus', 'haiku'] }
      const dialog = { subtype: 'request_user_dialog', dialog_kind: 'pick', payload, tool_use_id: 'toolu_1' }
      if (type === 'user') await agent.send({ type: 'control_request', request_id: 'd1', request: dialog })
      if (type === 'control_response')
        await agent.send({ type: 'result', subtype: 'success', is_error: false, result: 'ok' })
    }
    agent.end()
  }
  const spoken = speak()
  const onUserDialog: OnUserDialog = async (asked, { requestId }) => ({
    ...{ behavior: 'completed', result: { asked, requestId } },
  })
  const options = { supportedDialogKinds: ['pick'], perTaskStopAffordance: true as const, onUserDialog }
  await collect(query({ prompt: 'Go.', options: { ...options, transport: host as Channel } })) // Its other end speaks as agents do.
  await spoken
  const [initialize, , answer] = told
  const { supportedDialogKinds, perTaskStopAffordance } = initialize as typeof options // What the query sent.
  assert.deepEqual([supportedDialogKinds, perTaskStopAffordance], [['pick'], true])
  const asked = { dialogKind: 'pick', payload: { models: ['opus', 'haiku'] }, toolUseID: 'toolu_1' }
  const result = { behavior: 'completed', result: { asked, requestId: 'd1' } }
  assert.deepEqual(answer, { subtype: 'success', request_id: 'd1', response: result })
})

bothWays(
  'readMcpResource (mcp_read_resource): a ui:// resource as the server gives it, no other',
  () => [],
  { mcpServers: { st: { command: process.execPath, args: [stdioServer], alwaysLoad: true } } },
  async ({ options }) => {
    const running = query({ prompt: null, options })
    await running.initializationResult()
    assert.deepEqual(await running.readMcpResource('st', 'ui://view'), {
      contents: [{ uri: 'ui://view', mimeType: 'text/plain', text: 'resource body' }],
    })
    await assert.rejects(running.readMcpResource('st', 'fake://r1'), { message: 'Not a ui:// address: fake://r1' })
    await assert.rejects(running.readMcpResource('zzz', 'ui://view'), { message: 'Server not found: zzz' })
    running.close()
    await running.closed
  },
)

bothWays(
  'seedReadState (seed_read_state): a file the host saw read may be edited, unless it changed',
  () => [
    { tools: ['seen.txt', 'changed.txt'].map((name) => ({ name: 'Edit', input: { ...edit, file_path: name } })) },
    'Done.',
  ],
  { permissionMode: 'acceptEdits' },
  async ({ options }) => {
    const at = (name: string) => join(options.cwd, name)
    for (const name of ['seen.txt', 'changed.txt']) {
      writeFileSync(at(name), 'old')
      utimesSync(at(name), 1000, 1000.5)
    }
    const running = query({ prompt: null, options })
    await running.seedReadState('seen.txt', Math.floor(statSync(at('seen.txt')).mtimeMs))
    await running.seedReadState(at('changed.txt'), 999_000)
    await running.seedReadState('none.txt', 1)
    await assert.rejects(running.seedReadState('/etc/passwd', 1), /Not allowed to read/)
    await running.send('Go.')
    running.endInput()
    await collect(running)
    assert.deepEqual([readFileSync(at('seen.txt'), 'utf8'), readFileSync(at('changed.txt'), 'utf8')], ['new', 'old'])
  },
)

test('importSessionToStore: a session of the disk, with its sub-agents, can be resumed from a store', async () => {
  const agent = { name: 'Task', input: { description: 'd', prompt: 'Look.', subagent_type: 'general-purpose' } }
  await using server = await startModelServer([{ tools: [agent] }, 'Seen.', 'Alpha.', 'Beta.'])
  await using options = testOptions(server)
  const first = await collect(query({ prompt: 'Say it.', options }))
  const sessionId = first.results[0]?.session_id ?? ''
  const before = process.env['CLAUDE_CONFIG_DIR']
  const sizes: number[] = []
  const store = new InMemorySessionStore()
  const append = store.append.bind(store)
  store.append = async (key, entries, token) => {
    sizes.push(entries.length)
    await append(key, entries, token)
  }
  process.env['CLAUDE_CONFIG_DIR'] = options.env['CLAUDE_CONFIG_DIR']
  try {
    const dir = options.cwd
    assert.equal((await kedge.listSubagents(sessionId, { dir })).length, 1)
    await kedge.importSessionToStore(sessionId, store, { dir, batchSize: 2 })
    assert.deepEqual(
      await kedge.getSessionMessages(sessionId, { dir, sessionStore: store }),
      await kedge.getSessionMessages(sessionId, { dir }),
    )
    assert.deepEqual(
      await kedge.listSubagents(sessionId, { dir, sessionStore: store }),
      await kedge.listSubagents(sessionId, { dir }),
    )
    assert.equal(Math.max(...sizes), 2)
    const alone = new InMemorySessionStore()
    await kedge.importSessionToStore(sessionId, alone, { includeSubagents: false })
    assert.deepEqual(await kedge.listSubagents(sessionId, { dir, sessionStore: alone }), [])
    for (const batchSize of [0, 1.5])
      await assert.rejects(kedge.importSessionToStore(sessionId, store, { batchSize }), { code: 'invalid_option' })
    const none = '99999999-2222-4333-8444-555555555555'
    await assert.rejects(kedge.importSessionToStore(none, store), { code: 'session_not_found' })
  } finally {
    if (before === undefined) delete process.env['CLAUDE_CONFIG_DIR']
    else process.env['CLAUDE_CONFIG_DIR'] = before
  }
  const resumed = { ...options, resume: sessionId, sessionStore: store }
  assert.equal((await collect(query({ prompt: 'Again.', options: resumed }))).error, undefined)
  assert.match(JSON.stringify(server.requests.at(-1)?.body.messages), /Say it\..*Again\./)
})
