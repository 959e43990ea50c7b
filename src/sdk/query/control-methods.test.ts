import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SDKControlInitializeResponse } from '../../protocol/control.js'
import { controlMethods } from './control-methods.js'

const said = {
  commands: [{ name: 'help', description: '', argumentHint: '' }],
  output_style: 'default',
  available_output_styles: [],
  models: [{ value: 'm', displayName: 'M', description: '' }],
  account: { email: 'a@b' },
} satisfies SDKControlInitializeResponse

function stage(answer: (request: Record<string, unknown>) => Record<string, unknown> = () => ({})) {
  const requests: Record<string, unknown>[] = []
  const servers: string[] = []
  const output: { commands: typeof said.commands | undefined } = { commands: undefined }
  const methods = controlMethods(
    {
      async request(request) {
        requests.push({ ...request })
        return answer({ ...request })
      },
    },
    Promise.resolve(said),
    {
      add: () => ({ replaced: ['old'], keep: () => void servers.push('keep'), undo: () => void servers.push('undo') }),
      remove: (names) => void servers.push(`remove ${names.join()}`),
    },
    output,
    async () => said,
  )
  return { methods, requests, servers, output }
}

test('each method is its request, without fields nobody set', async () => {
  const { methods, requests } = stage()
  await methods.interrupt()
  await methods.interrupt({ scope: 'all' })
  await methods.setModel()
  await methods.setModel('opus')
  await methods.setPermissionMode('plan')
  await methods.setMaxThinkingTokens(null)
  await methods.rewindFiles('u1')
  await methods.rewindFiles('u1', { dryRun: true })
  await methods.readFile('a', { maxBytes: 5 })
  await methods.stopTask('t')
  await methods.backgroundTasks('toolu_1')
  await methods.yieldTurn()
  assert.deepEqual(requests, [
    { subtype: 'interrupt' },
    { subtype: 'interrupt', scope: 'all' },
    { subtype: 'set_model' },
    { subtype: 'set_model', model: 'opus' },
    { subtype: 'set_permission_mode', mode: 'plan' },
    { subtype: 'set_max_thinking_tokens', max_thinking_tokens: null },
    { subtype: 'rewind_files', user_message_id: 'u1' },
    { subtype: 'rewind_files', user_message_id: 'u1', dry_run: true },
    { subtype: 'read_file', path: 'a', max_bytes: 5 },
    { subtype: 'stop_task', task_id: 't' },
    { subtype: 'background_tasks', tool_use_id: 'toolu_1' },
    { subtype: 'yield_turn' },
  ])
})

test('what JSON can not say is refused before it is sent', async () => {
  const { methods, requests } = stage()
  await assert.rejects(methods.setMaxThinkingTokens(Number.NaN), /must be a number or null/)
  assert.deepEqual(requests, [])
})

test('what the agent said about itself is asked once, and a list it left out is empty', async () => {
  const { methods, requests } = stage()
  assert.deepEqual(await methods.supportedModels(), said.models)
  assert.deepEqual(await methods.supportedCommands(), said.commands)
  assert.deepEqual(await methods.supportedAgents(), [])
  assert.deepEqual(await methods.accountInfo(), said.account)
  assert.deepEqual(requests, [])
})

test('commands are those that the agent last told of', async () => {
  const { methods, output } = stage()
  output.commands = [{ name: 'git:review (MCP)', description: '', argumentHint: '' }]
  assert.deepEqual(await methods.supportedCommands(), output.commands)
})

test('setMcpServers: a server that took over a name is greeted anew, those removed go; a refusal takes all back', async () => {
  const taken = stage(({ subtype }) => (subtype === 'mcp_set_servers' ? { added: [], removed: ['gone'] } : {}))
  await taken.methods.setMcpServers({})
  assert.deepEqual(
    taken.requests.map(({ subtype, serverName }) => [subtype, serverName]),
    [
      ['mcp_set_servers', undefined],
      ['mcp_reconnect', 'old'],
    ],
  )
  assert.deepEqual(taken.servers, ['keep', 'remove gone'])
  const refused = stage(() => {
    throw new Error('no')
  })
  await assert.rejects(refused.methods.setMcpServers({}), /no/)
  assert.deepEqual(refused.servers, ['undo'])
})
