/** Plan mode and questions to the user: both go through the permission flow, and neither resolves without an answer. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CanUseTool, query, type SDKMessage } from 'kedge'
import { collect, type Turn } from 'kedge/testing'
import { bothWays } from './both-ways.js'

const call = (name: string, input: object): Turn => ({ tools: [{ id: `toolu_${name}`, name, input }] })

const modes = (messages: readonly SDKMessage[]) =>
  messages.flatMap((m) => (m.type === 'system' && m.subtype === 'status' ? (m.permissionMode ?? []) : []))
const outputs = (messages: readonly SDKMessage[]): unknown[] =>
  messages.flatMap((m) => (m.type === 'user' ? [m.tool_use_result] : []))
const allowAll: CanUseTool = async (_name, input) => ({ behavior: 'allow', updatedInput: input })

bothWays(
  'EnterPlanMode is not asked; the plan is written, approved, and the mode before comes back',
  () => [
    call('EnterPlanMode', {}),
    ({ toolResults }) => {
      const file = /\S+\/plans\/[a-z-]+\.md/.exec(toolResults[0]?.text ?? '')?.[0]
      return call('Write', { file_path: file, content: '# The plan' })
    },
    call('ExitPlanMode', { allowedPrompts: [{ tool: 'Bash', prompt: 'run the tests' }] }),
    call('Bash', { command: 'touch made' }),
    'Done.',
  ],
  { permissionMode: 'acceptEdits' },
  async ({ options }) => {
    const asked: [string, unknown, unknown][] = []
    const canUseTool: CanUseTool = async (name, input, { suggestions }) => {
      asked.push([name, input, suggestions])
      return { behavior: 'allow', updatedInput: input }
    }
    const run = await collect(query({ prompt: 'Plan.', options: { ...options, canUseTool } }))
    assert.equal(run.error, undefined)
    assert.deepEqual(asked, [
      // With the plan in it: who approves sees what is approved.
      ['ExitPlanMode', { allowedPrompts: [{ tool: 'Bash', prompt: 'run the tests' }], plan: '# The plan' }, undefined],
    ])
    assert.deepEqual(modes(run.messages), ['plan', 'acceptEdits'])
    const output = outputs(run.messages)[2]
    assert.ok(typeof output === 'object' && output !== null && 'filePath' in output)
    const filePath = String(output.filePath)
    assert.deepEqual(output, { plan: '# The plan', isAgent: false, filePath })
    assert.ok(filePath.startsWith(join(options.env.CLAUDE_CONFIG_DIR ?? '', 'plans')))
    assert.equal(readFileSync(filePath, 'utf8'), '# The plan')
    assert.equal(existsSync(join(options.cwd, 'made')), true)
  },
)

bothWays(
  'in plan mode the model is told so, other writes are asked about, and a plan that is declined leaves the mode as it is',
  () => [call('Write', { file_path: 'a.txt', content: 'x' }), call('ExitPlanMode', {}), 'I will think again.'],
  { permissionMode: 'plan' },
  async ({ options, server }) => {
    const asked: string[] = []
    const canUseTool: CanUseTool = async (name) => {
      asked.push(name)
      return { behavior: 'deny', message: 'Not yet.' }
    }
    const run = await collect(query({ prompt: 'Plan.', options: { ...options, canUseTool } }))
    assert.deepEqual(asked, ['Write', 'ExitPlanMode'])
    assert.deepEqual(modes(run.messages), [])
    assert.match(server.requests[0]?.prompt ?? '', /Plan mode is on/)
    assert.equal(server.requests[2]?.toolResults[0]?.text, 'Not yet.')
    assert.equal(existsSync(join(options.cwd, 'a.txt')), false)
  },
)

const questions = [
  {
    question: 'Which color?',
    header: 'Color',
    multiSelect: false,
    options: [
      { label: 'Red', description: 'is red' },
      { label: 'Blue', description: 'is blue' },
    ],
  },
  {
    question: 'Which sizes?',
    header: 'Size',
    multiSelect: true,
    options: [
      { label: 'S', description: 'small' },
      { label: 'L', description: 'large' },
    ],
  },
]

bothWays(
  'AskUserQuestion: several questions, several choices and free text reach the model as the host gave them',
  () => [call('AskUserQuestion', { questions }), 'Thanks.'],
  {},
  async ({ options, server }) => {
    const answers = { 'Which color?': 'a dark green', 'Which sizes?': 'S, L' }
    const canUseTool: CanUseTool = async (_name, input) => ({ behavior: 'allow', updatedInput: { ...input, answers } })
    const run = await collect(query({ prompt: 'Ask.', options: { ...options, canUseTool } }))
    assert.match(
      server.requests[1]?.toolResults[0]?.text ?? '',
      /^User has answered your questions: "Which color\?"="a dark green", "Which sizes\?"="S, L"\. /,
    )
    assert.deepEqual(outputs(run.messages), [{ questions, answers }])
  },
)

bothWays(
  'AskUserQuestion is never answered by silence: not by a bare allow, not by bypass mode, not without a host',
  () => [call('AskUserQuestion', { questions }), 'I see.'],
  { permissionMode: 'bypassPermissions', allowDangerouslySkipPermissions: true, env: { IS_SANDBOX: '1' } },
  async ({ options, server }) => {
    const run = await collect(query({ prompt: 'Ask.', options: { ...options, canUseTool: allowAll } }))
    assert.equal(server.requests[1]?.toolResults[0]?.isError, true)
    assert.match(server.requests[1]?.toolResults[0]?.text ?? '', /Which color\?/)
    assert.equal(run.result?.subtype, 'success')
  },
)

bothWays(
  'AskUserQuestion without anybody to ask is denied with the observed text',
  () => [call('AskUserQuestion', { questions }), 'I see.'],
  {},
  async ({ options, server }) => {
    const run = await collect(query({ prompt: 'Ask.', options }))
    assert.deepEqual(server.requests[1]?.toolResults, [
      {
        id: 'toolu_AskUserQuestion',
        text: 'Answer questions? Nobody can answer in this session. Choose the most sensible option yourself, say which one, and continue.',
        isError: true,
      },
    ])
    assert.deepEqual(
      run.result?.permission_denials.map(({ tool_name }) => tool_name),
      ['AskUserQuestion'],
    )
  },
)

bothWays(
  'EnterPlanMode is no way out of dontAsk, and no trap where nobody could approve a plan',
  () => [call('EnterPlanMode', {}), call('Bash', { command: 'touch made' }), 'Done.'],
  { permissionMode: 'bypassPermissions', allowDangerouslySkipPermissions: true, env: { IS_SANDBOX: '1' } },
  async ({ options, server }) => {
    const run = await collect(query({ prompt: 'Plan.', options }))
    assert.match(server.requests[1]?.toolResults[0]?.text ?? '', /nobody who could approve a plan/)
    assert.deepEqual(modes(run.messages), [])
    assert.equal(existsSync(join(options.cwd, 'made')), true)
  },
)

bothWays(
  'EnterPlanMode in dontAsk is refused',
  () => [call('EnterPlanMode', {}), call('Bash', { command: 'touch made' }), 'Done.'],
  { permissionMode: 'dontAsk' },
  async ({ options, server }) => {
    await collect(query({ prompt: 'Plan.', options: { ...options, canUseTool: allowAll } }))
    assert.match(server.requests[1]?.toolResults[0]?.text ?? '', /never asks/)
    assert.equal(existsSync(join(options.cwd, 'made')), false)
  },
)
