import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/fast-check.js'
import { checkControlRequest } from './check-request.js'
import { CONTROL_REQUEST_SCHEMAS } from './control-schema.generated.js'

const good: Record<string, unknown>[] = [
  { subtype: 'initialize' },
  {
    subtype: 'initialize',
    hooks: { PreToolUse: [{ matcher: 'Bash', hookCallbackIds: ['hook_0'], timeout: 5 }], SomethingNew: 1 },
    sdkMcpServers: ['calc'],
    sdkMcpServerManifests: { calc: { initializeResult: {}, toolsListResult: { tools: [] } } },
    jsonSchema: { type: 'object' },
    systemPrompt: ['one', 'two'],
    appendSystemPrompt: 'x',
    agents: { a: { description: 'd', prompt: 'p', model: 'claude-x', mcpServers: ['s', { t: { command: 'c' } }] } },
    promptSuggestions: true,
    somethingNew: { from: 'a newer host' },
  },
  { subtype: 'interrupt' },
  { subtype: 'set_model' },
  { subtype: 'set_model', model: undefined },
  { subtype: 'set_permission_mode', mode: 'plan' },
  { subtype: 'set_max_thinking_tokens', max_thinking_tokens: null },
  {
    subtype: 'mcp_set_servers',
    servers: { a: { command: 'x' }, b: { type: 'http', url: 'u' }, c: { type: 'sdk', name: 'c' } },
  },
  { subtype: 'mcp_toggle', serverName: 's', enabled: false },
  { subtype: 'rewind_files', user_message_id: 'u', dry_run: true },
  { subtype: 'apply_flag_settings', settings: {} },
  { subtype: 'yield_turn' },
  { subtype: 'end_session' },
]

for (const request of good) {
  test(`accepts ${JSON.stringify(request).slice(0, 70)}`, () => {
    assert.deepEqual(checkControlRequest(request), { ok: true, request })
  })
}

const bad: [unknown, object][] = [
  [undefined, { path: 'subtype', problem: 'Invalid control request: subtype must be a string, got nothing' }],
  [[], { path: 'subtype', problem: 'Invalid control request: subtype must be a string, got an array' }],
  [{ subtype: 7 }, { path: 'subtype', problem: 'Invalid control request: subtype must be a string, got a number' }],
  [
    { subtype: 'nope' },
    { unknownSubtype: 'nope', path: 'subtype', problem: 'Unsupported control request subtype: nope' },
  ],
  [
    { subtype: 'can_use_tool' },
    { unknownSubtype: 'can_use_tool', path: 'subtype', problem: 'Unsupported control request subtype: can_use_tool' },
  ],
  [
    { subtype: 'constructor' },
    { unknownSubtype: 'constructor', path: 'subtype', problem: 'Unsupported control request subtype: constructor' },
  ],
  [
    { subtype: 'set_permission_mode' },
    {
      path: 'mode',
      problem:
        'Invalid set_permission_mode request: mode must be one of "default", "acceptEdits", "bypassPermissions", "plan", "dontAsk", "delegate", got nothing',
    },
  ],
  [
    { subtype: 'set_permission_mode', mode: 'zzz' },
    {
      path: 'mode',
      problem:
        'Invalid set_permission_mode request: mode must be one of "default", "acceptEdits", "bypassPermissions", "plan", "dontAsk", "delegate", got "zzz"',
    },
  ],
  [
    { subtype: 'set_max_thinking_tokens', max_thinking_tokens: Number.NaN },
    {
      path: 'max_thinking_tokens',
      problem: 'Invalid set_max_thinking_tokens request: max_thinking_tokens must be a number or null, got a number',
    },
  ],
  [
    { subtype: 'initialize', agents: { a: { description: 'd', prompt: 'p', tools: ['Read', 5] } } },
    {
      path: 'agents.a.tools[1]',
      problem: 'Invalid initialize request: agents.a.tools[1] must be a string, got a number',
    },
  ],
  [
    { subtype: 'initialize', systemPrompt: 4 },
    {
      path: 'systemPrompt',
      problem: 'Invalid initialize request: systemPrompt must be a string or an array, got a number',
    },
  ],
  [
    { subtype: 'mcp_set_servers', servers: { s: { type: 'http', headers: { authorization: 'Bearer secret' } } } },
    { path: 'servers.s.url', problem: 'Invalid mcp_set_servers request: servers.s.url must be a string, got nothing' },
  ],
  [
    { subtype: 'mcp_set_servers', servers: { s: { type: 'carrier-pigeon' } } },
    {
      path: 'servers.s',
      problem:
        'Invalid mcp_set_servers request: servers.s must be an object of a known kind, got type "carrier-pigeon"',
    },
  ],
]

for (const [request, expected] of bad) {
  test(`refuses ${JSON.stringify(request)}`, () => {
    assert.deepEqual(checkControlRequest(request), { ok: false, ...expected })
  })
}

test('takes null for an optional key as absent, and for nothing else', () => {
  const request = { subtype: 'initialize', hooks: null, agents: null, systemPrompt: 'x' }
  assert.deepEqual(checkControlRequest(request), { ok: true, request: { subtype: 'initialize', systemPrompt: 'x' } })
  assert.equal(checkControlRequest({ subtype: 'stop_task', task_id: null }).ok, false)
})

test('null means absent however deep it is, and stays where it says something', () => {
  const matcher = { hookCallbackIds: ['hook_0'] }
  const agent = { description: 'd', prompt: 'p' }
  const request = {
    subtype: 'initialize',
    hooks: { PreToolUse: [{ matcher: null, timeout: null, ...matcher }], Stop: null },
    agents: { a: { ...agent, tools: null, model: null, mcpServers: [{ s: { command: 'c', args: null } }] } },
    jsonSchema: { type: 'object', properties: { a: { default: null } } },
    toolAliases: null,
    plugins: null,
  }
  assert.deepEqual(checkControlRequest(request), {
    ok: true,
    request: {
      subtype: 'initialize',
      hooks: { PreToolUse: [matcher] },
      agents: { a: { ...agent, mcpServers: [{ s: { command: 'c' } }] } },
      jsonSchema: { type: 'object', properties: { a: { default: null } } },
      plugins: null,
    },
  })
  const wrong = checkControlRequest({ subtype: 'initialize', agents: { a: { description: null, prompt: 'p' } } })
  assert.deepEqual(wrong, {
    ok: false,
    path: 'agents.a.description',
    problem: 'Invalid initialize request: agents.a.description must be a string, got null',
  })
})

test('knows every request of the protocol', () => {
  assert.deepEqual(Object.keys(CONTROL_REQUEST_SCHEMAS).sort(), [
    'apply_flag_settings',
    'background_tasks',
    'cancel_async_message',
    'end_session',
    'file_suggestions',
    'get_binary_version',
    'get_context_usage',
    'get_hooks_listing',
    'get_session_cost',
    'get_settings',
    'get_task_output',
    'get_usage',
    'initialize',
    'interrupt',
    'list_models',
    'list_permission_rules',
    'mcp_app_call',
    'mcp_call',
    'mcp_complete',
    'mcp_message',
    'mcp_read_resource',
    'mcp_reconnect',
    'mcp_set_permission_mode_override',
    'mcp_set_servers',
    'mcp_status',
    'mcp_toggle',
    'read_file',
    'register_repo_root',
    'reload',
    'reload_output_styles',
    'reload_plugins',
    'reload_skills',
    'rename_session',
    'rewind_files',
    'seed_read_state',
    'set_has_subscribers',
    'set_max_thinking_tokens',
    'set_model',
    'set_permission_mode',
    'side_question',
    'stop_task',
    'update_settings',
    'yield_turn',
  ])
})

test('never throws, whatever comes', () => {
  const subtype = fc.constantFrom(...Object.keys(CONTROL_REQUEST_SCHEMAS), '__proto__', 'toString')
  const body = fc.dictionary(fc.constantFrom('hooks', 'agents', 'servers', 'mode', '__proto__', 'x'), fc.jsonValue())
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.anything(), fc.tuple(subtype, body)), (value) => {
      const request = Array.isArray(value) && value.length === 2 ? { ...Object(value[1]), subtype: value[0] } : value
      const checked = checkControlRequest(request)
      assert.equal(typeof checked.ok, 'boolean')
    }),
  )
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  assert.equal(checkControlRequest(proxy).ok, false)
  const trap = new Proxy({ subtype: 'initialize' }, { ownKeys: () => assert.fail('trap') })
  assert.equal(checkControlRequest(trap).ok, false)
})
