import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Options } from '../protocol/options.js'
import type { Channel } from '../protocol/spawn.js'
import { checkTransportOptions, createTransportSetupRequests } from './transport-options.js'

const channel: Channel = { send() {}, end() {}, incoming: (async function* () {})() }
const open = (options: Options) => () => checkTransportOptions({ transport: channel, ...options })
const opened = (options: Options) => () => checkTransportOptions({ transport: () => channel, ...options })

test('an open channel takes what lives here and what the protocol carries; all else is refused by name', () => {
  open({ canUseTool: async () => ({ behavior: 'allow' }), systemPrompt: 'x', model: 'm', permissionMode: 'plan' })()
  open({ cwd: undefined as never, hooks: {}, mcpServers: {} })()
  for (const one of [{ cwd: '/' }, { maxTurns: 1 }, { settings: {} }, { gate: 'always' }] satisfies Options[]) {
    const [option = ''] = Object.keys(one)
    assert.throws(open(one), { option, code: 'invalid_option', message: new RegExp(`^${option} can't be combined`) })
    opened(one)()
  }
  // An option this version does not know is one the agent would not hear of either.
  assert.throws(open({ newest: true } as Options), { option: 'newest' })
})

test('what means a process is refused with either', () => {
  for (const check of [open, opened]) {
    assert.throws(check({ isolation: 'process' }), { option: 'isolation' })
    assert.throws(check({ executableArgs: [] }), { option: 'executableArgs' })
    assert.throws(check({ spawnClaudeCodeProcess: () => assert.fail() }), { option: 'spawnClaudeCodeProcess' })
  }
})

test('servers that the agent would have to reach can not be given to an open channel', () => {
  const far = { command: 'x' }
  assert.throws(open({ mcpServers: { far } }), { option: 'mcpServers', message: /^mcpServers\.far:/ })
  opened({ mcpServers: { far } })()
})

test('model and mode are asked for only where no command line carries them', () => {
  const options: Options = { model: 'm', permissionMode: 'plan' }
  const requests = [
    { subtype: 'set_model', model: 'm' },
    { subtype: 'set_permission_mode', mode: 'plan' },
  ]
  assert.deepEqual(createTransportSetupRequests({ ...options, transport: channel }), requests)
  assert.deepEqual(createTransportSetupRequests({ ...options, transport: () => channel }), [])
  assert.deepEqual(createTransportSetupRequests(options), [])
  assert.deepEqual(createTransportSetupRequests({ transport: channel }), [])
})
