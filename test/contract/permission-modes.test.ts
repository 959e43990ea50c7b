/** Modes by name, wherever one can be given; `delegate` in a session; `auto` refused by name everywhere. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigurationError, type Options, type PermissionMode, query, type SDKUserMessage } from '../../src/index.js'
import { parseArgv } from '../../src/protocol/option-table/parse-argv.js'
import { PERMISSION_MODES } from '../../src/protocol/permission-modes.js'
import { collect, startModelServer, testOptions } from '../../src/testing/index.js'

const REFUSED =
  'Cannot set permission mode to auto, which Kedge does not support: must be one of acceptEdits, bypassPermissions, default, delegate, dontAsk, plan'
/** What a caller in plain JavaScript may say. */
const AUTO = 'auto' as PermissionMode

const common: Options = { model: 'claude-sonnet-4-5-20250929', isolation: 'in-process' }

test('auto as an option and as a flag', () => {
  assert.throws(
    () => query({ prompt: 'Hi.', options: { permissionMode: AUTO } }),
    (error) => {
      assert.ok(error instanceof ConfigurationError)
      assert.deepEqual([error.option, error.code, error.message], ['permissionMode', 'unsupported_option', REFUSED])
      return true
    },
  )
  assert.deepEqual(parseArgv(['--permission-mode', 'auto']), {
    ok: false,
    message:
      "error: option '--permission-mode <MODE>' argument 'auto' is not supported by Kedge. Allowed choices are default, acceptEdits, plan, dontAsk, delegate, bypassPermissions.",
  })
  for (const mode of PERMISSION_MODES) assert.equal(parseArgv(['--permission-mode', mode]).ok, true, mode)
})

test('every mode can be entered while a session runs, auto can not', async () => {
  await using server = await startModelServer(['Done.'])
  await using options = testOptions(server, { ...common, allowDangerouslySkipPermissions: true })
  let begin = (_: SDKUserMessage) => {}
  const first = new Promise<SDKUserMessage>((resolve) => {
    begin = resolve
  })
  const running = query({
    prompt: (async function* () {
      yield await first
    })(),
    options: { ...options, env: { ...options.env, IS_SANDBOX: '1' } },
  })
  for (const mode of PERMISSION_MODES) await running.setPermissionMode(mode)
  await assert.rejects(running.setPermissionMode(AUTO), { message: REFUSED })
  await running.setPermissionMode('delegate')
  begin({
    type: 'user',
    session_id: '',
    parent_tool_use_id: null,
    message: { role: 'user', content: 'Hi.' },
  })
  const { messages } = await collect(running)
  const modes = messages.flatMap((m) => (m.type === 'system' && m.subtype === 'init' ? [m.permissionMode] : []))
  assert.deepEqual(modes, ['delegate'])
})

test('in delegate mode the model reads, and is told to delegate the rest', async () => {
  await using server = await startModelServer([
    { tools: [{ id: 'toolu_g', name: 'Glob', input: { pattern: '*.none' } }] },
    { tools: [{ id: 'toolu_b', name: 'Bash', input: { command: 'touch made' } }] },
    'Done.',
  ])
  await using options = testOptions(server, { ...common, permissionMode: 'delegate', allowedTools: ['Bash'] })
  const asked: string[] = []
  const { result } = await collect(
    query({
      prompt: 'Go.',
      options: {
        ...options,
        canUseTool: async (tool) => {
          asked.push(tool)
          return { behavior: 'allow' }
        },
      },
    }),
  )
  assert.deepEqual(asked, [])
  assert.deepEqual(
    result?.permission_denials.map((denial) => denial.tool_use_id),
    ['toolu_b'],
  )
  const told = server.requests[2]?.toolResults.at(-1)
  assert.match(String(told?.text), /delegate mode.* Delegate this to an agent with the Task tool\.$/)
})
