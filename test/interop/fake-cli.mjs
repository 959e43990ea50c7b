// A CLI that misbehaves on request: FAKE_CLI_MODE says how. It shows what an SDK does with output no real agent sends.
import { createInterface } from 'node:readline'

const mode = process.env.FAKE_CLI_MODE ?? 'basic'
const session = '22222222-2222-4222-8222-222222222222'
let lines = 0

/** What each mode does when the first user message arrives. */
const turns = {
  basic: () => finish(assistant('hello')),
  malformed: async () => {
    write(init(), assistant('before'), 'this is not json')
    await pause(500)
    write(assistant('after'), result())
  },
  blank: () => write(init(), '', assistant('between blanks'), '   ', '', result()),
  unknown_types: () => {
    write(
      init(),
      { type: 'weird', a: 1 },
      { type: 'keep_alive' },
      { type: 'control_cancel_request', request_id: 'none' },
    )
    write({ type: 'control_response', response: { subtype: 'success', request_id: 'none', response: {} } })
    write(stamped({ type: 'system', subtype: 'brand_new', x: 1 }), stamped({ type: 'streamlined_text', text: 'x' }))
    write(
      stamped({
        type: 'tool_progress',
        tool_use_id: 't',
        tool_name: 'Bash',
        parent_tool_use_id: null,
        elapsed_time_seconds: 3,
      }),
    )
    write({ nothing: true }, result())
  },
  ctl_odd: async () => {
    write(init(), ask('r-unknown', { subtype: 'nope' }))
    write(ask('r-hook', { subtype: 'hook_callback', callback_id: 'hook_99', input: {} }))
    write(mcp('r-mcp', 'nobody', { jsonrpc: '2.0', id: 1, method: 'ping' }))
    write(
      ask('r-perm', { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'x' }, tool_use_id: 'toolu_1' }),
    )
    write(ask('r-empty', {}))
    await answered('r-unknown', 'r-hook', 'r-mcp', 'r-perm', 'r-empty')
    write(result())
  },
  mcp: async () => {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'fake', version: '1' } }
    write(init())
    const exchange = async (id, message) => {
      write(mcp(id, 'calc', { jsonrpc: '2.0', ...message }))
      await answered(id)
    }
    await exchange('m-init', { id: 0, method: 'initialize', params })
    await exchange('m-ready', { method: 'notifications/initialized' })
    await exchange('m-list', { id: 1, method: 'tools/list' })
    const add = (args) => ({ method: 'tools/call', params: { name: 'add', arguments: args } })
    await exchange('m-call', { id: 2, ...add({ a: 2, b: 3 }) })
    await exchange('m-bad', { id: 3, ...add({ a: 'two' }) })
    await exchange('m-throw', { id: 4, method: 'tools/call', params: { name: 'fail', arguments: {} } })
    await exchange('m-none', { id: 5, method: 'tools/call', params: { name: 'absent', arguments: {} } })
    await exchange('m-method', { id: 6, method: 'no/such/method' })
    write(result())
  },
  mcp_cancel: async () => {
    write(
      init(),
      mcp('m-slow', 'calc', { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'slow', arguments: {} } }),
    )
    await pause(300)
    const params = { requestId: 7, reason: 'changed my mind' }
    write(mcp('m-cancel', 'calc', { jsonrpc: '2.0', method: 'notifications/cancelled', params }))
    await answered('m-cancel')
    await pause(500)
    write(result())
  },
  cancel: async () => {
    const request = { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'x' }, tool_use_id: 'toolu_1' }
    write(init(), ask('p-1', request))
    await pause(300)
    write({ type: 'control_cancel_request', request_id: 'p-1' })
    await answered('p-1')
    write(result())
  },
  exit_0: () => write(init()).then(() => process.exit(0)),
  exit_3: () => write(init(), assistant('then gone')).then(() => process.exit(3)),
  exit_1_at_once: () => {},
  result_exit_2: () => finish(assistant('good')).then(() => process.exit(2)),
  error_exit_0: () => write(init(), result({ is_error: true, result: 'failed' })),
  error_subtype_exit_0: () => {
    write(init(), result({ subtype: 'error_during_execution', is_error: true, result: undefined, errors: ['broken'] }))
  },
  no_newline: () => write(init()).then(() => raw(JSON.stringify(result()), () => process.exit(0))),
  large: async () => {
    await write(init())
    const line = `${JSON.stringify(assistant('é→😀'.repeat(60_000)))}\n`
    const bytes = Buffer.from(line)
    // An odd size, so that chunks end inside characters.
    for (let at = 0; at < bytes.length; at += 70_001) await raw(bytes.subarray(at, at + 70_001))
    write(result())
  },
  late: async () => {
    await finish(assistant('first'))
    await pause(500)
    write(assistant('after the result'), result({ result: 'second' }))
  },
  lingers: () => finish(assistant('still here')),
  ignores_sigterm: () => write(init(), assistant('never ends')),
  init_silent: () => finish(assistant('without an answer to initialize')),
  init_error: () => finish(assistant('after a failed initialize')),
  no_ctl_answer: async () => {
    write(init(), assistant('ask me something'))
    await pause(1500)
    write(result())
  },
  ends_early: () => finish(assistant('bye')).then(() => process.exit(0)),
  env: () => finish(assistant('env')),
}

if (mode === 'exit_1_at_once') {
  process.stderr.write('fake failure at start\n')
  process.exit(1)
}
process.on('SIGTERM', () => mode === 'ignores_sigterm' || process.exit(143))
if (mode === 'ignores_sigterm') setTimeout(() => process.exit(0), 9000)

const waiting = new Map()
let started = false
const input = createInterface({ input: process.stdin })
input.on('line', (line) => {
  const message = JSON.parse(line)
  if (message.type === 'control_response') return waiting.get(message.response.request_id)?.()
  if (message.type === 'control_request') return control(message)
  if (message.type !== 'user' || started) return
  started = true
  turns[mode]()
})
input.on('close', () => {
  if (mode === 'ignores_sigterm') return
  setTimeout(() => process.exit(0), mode === 'lingers' ? 4000 : mode === 'late' ? 1500 : 0)
})

function control({ request_id, request }) {
  if (request.subtype === 'initialize') {
    if (mode === 'init_silent') return
    if (mode === 'init_error') return write(reply({ subtype: 'error', request_id, error: 'initialize refused' }))
    const command = { name: 'c', description: 'd', argumentHint: '' }
    const body = {
      commands: [command],
      output_style: 'default',
      available_output_styles: ['default'],
      models: [],
      account: {},
    }
    return write(reply({ subtype: 'success', request_id, response: body }))
  }
  if (mode === 'no_ctl_answer') return
  write(reply({ subtype: 'success', request_id }))
}

function finish(message) {
  return write(init(), message, result())
}

function write(...messages) {
  const text = messages.map((m) => `${typeof m === 'string' ? m : JSON.stringify(m)}\n`).join('')
  return raw(text)
}

function raw(data, then = () => {}) {
  return new Promise((resolve) => {
    process.stdout.write(data, () => {
      resolve()
      then()
    })
  })
}

/** Resolves when every one of these requests has been answered. */
function answered(...ids) {
  return Promise.all(ids.map((id) => new Promise((resolve) => waiting.set(id, resolve))))
}

function stamped(message) {
  lines += 1
  return { ...message, uuid: `33333333-3333-4333-8333-${String(lines).padStart(12, '0')}`, session_id: session }
}

function init() {
  const lists = { tools: [], mcp_servers: [], slash_commands: [], agents: [], skills: [], plugins: [] }
  const fixed = {
    model: 'fake',
    permissionMode: 'default',
    apiKeySource: 'none',
    claude_code_version: '0.0.0',
    output_style: 'default',
  }
  return stamped({ type: 'system', subtype: 'init', cwd: process.cwd(), ...lists, ...fixed })
}

function assistant(text) {
  const message = { id: 'msg_x', type: 'message', role: 'assistant', model: 'fake', content: [{ type: 'text', text }] }
  const rest = { stop_reason: null, stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } }
  return stamped({ type: 'assistant', message: { ...message, ...rest }, parent_tool_use_id: null })
}

function result(extra = {}) {
  const usage = { input_tokens: 1, output_tokens: 1 }
  const base = { type: 'result', subtype: 'success', is_error: false, duration_ms: 1, duration_api_ms: 1, num_turns: 1 }
  const rest = { result: 'done', stop_reason: null, total_cost_usd: 0, usage, modelUsage: {}, permission_denials: [] }
  return stamped({ ...base, ...rest, ...extra })
}

function ask(request_id, request) {
  return { type: 'control_request', request_id, request }
}

function mcp(request_id, server_name, message) {
  return ask(request_id, { subtype: 'mcp_message', server_name, message })
}

function reply(response) {
  return { type: 'control_response', response }
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
