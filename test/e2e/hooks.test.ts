import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type HookCallback, type HookInput, type HookJSONOutput, type Options, query, type SDKMessage } from 'kedge'
import { collect, type Turn } from 'kedge/testing'
import { bothWays, kinds } from './both-ways.js'

const touch: Turn = { tools: [{ id: 'toolu_t', name: 'Bash', input: { command: 'touch made' } }] }
const echo: Turn = { tools: [{ id: 'toolu_e', name: 'Bash', input: { command: 'echo hi' } }] }

const hook =
  (output: HookJSONOutput | (() => Promise<HookJSONOutput>)): HookCallback =>
  async () =>
    typeof output === 'function' ? output() : output
const pre = (...outputs: (HookJSONOutput | (() => Promise<HookJSONOutput>))[]): Options['hooks'] => ({
  PreToolUse: [{ hooks: outputs.map(hook) }],
})
const specific = (fields: object): HookJSONOutput => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields },
})

const results = (messages: readonly SDKMessage[]) =>
  messages.flatMap((m) => (m.type === 'user' && Array.isArray(m.message.content) ? m.message.content : []))
const made = ({ cwd }: { cwd: string }) => existsSync(join(cwd, 'made'))

bothWays(
  'every callback of a turn, in order, with its input',
  () => [echo, 'Done.'],
  {},
  async ({ options }) => {
    const seen: HookInput[] = []
    const watch: HookCallback = async (input) => {
      seen.push(input)
      return {}
    }
    const events = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop', 'SessionEnd'] as const
    const hooks = Object.fromEntries(events.map((event) => [event, [{ hooks: [watch] }]]))
    const run = await collect(query({ prompt: 'Go.', options: { ...options, hooks } }))
    assert.equal(run.error, undefined)
    assert.deepEqual(
      seen.map((input) => input.hook_event_name),
      [...events],
    )
    const session = run.result?.session_id ?? ''
    const base = { session_id: session, transcript_path: seen[0]?.transcript_path, cwd: options.cwd }
    assert.ok(seen[0]?.transcript_path.endsWith(`${session}.jsonl`))
    const { prompt_id } = seen[1] ?? {}
    assert.match(prompt_id ?? '', /^[0-9a-f-]{36}$/)
    const took = seen.map((input) => ('duration_ms' in input ? input.duration_ms : undefined))
    assert.deepEqual(
      took.map((ms) => typeof ms),
      seen.map(({ hook_event_name: name }) => (name === 'PostToolUse' ? 'number' : 'undefined')),
    )
    const mode = { permission_mode: 'default', prompt_id }
    const call = { tool_name: 'Bash', tool_input: { command: 'echo hi' }, tool_use_id: 'toolu_e' }
    const beside = { background_tasks: [], session_crons: [] }
    assert.deepEqual(seen, [
      { ...base, hook_event_name: 'SessionStart', source: 'startup', model: 'claude-sonnet-4-5-20250929' },
      { ...base, ...mode, hook_event_name: 'UserPromptSubmit', prompt: 'Go.' },
      { ...base, ...mode, hook_event_name: 'PreToolUse', ...call },
      {
        ...base,
        ...mode,
        hook_event_name: 'PostToolUse',
        ...call,
        tool_response: { stdout: 'hi', stderr: '', interrupted: false, isImage: false, noOutputExpected: false },
        duration_ms: took[3],
      },
      {
        ...base,
        ...mode,
        hook_event_name: 'Stop',
        stop_hook_active: false,
        last_assistant_message: 'Done.',
        ...beside,
      },
      { ...base, prompt_id, hook_event_name: 'SessionEnd', reason: 'other' },
    ])
  },
)

bothWays(
  'PreToolUse deny: the model reads the reason; it is no permission denial',
  () => [touch, 'Ok.'],
  {},
  async ({ options }) => {
    const hooks = pre(specific({ permissionDecision: 'deny', permissionDecisionReason: 'not now' }))
    const run = await collect(query({ prompt: 'Go.', options: { ...options, hooks } }))
    assert.deepEqual(results(run.messages)[0], {
      type: 'tool_result',
      content: 'not now',
      is_error: true,
      tool_use_id: 'toolu_t',
    })
    assert.deepEqual([made(options), run.result?.permission_denials], [false, []])
  },
)

bothWays(
  'PreToolUse allow runs without asking, but not past a deny rule',
  () => [touch, 'Ok.'],
  {},
  async ({ options }) => {
    const hooks = pre(specific({ permissionDecision: 'allow' }))
    await collect(query({ prompt: 'Go.', options: { ...options, hooks, disallowedTools: ['Bash(touch:*)'] } }))
    assert.equal(made(options), false)
  },
)

bothWays(
  'PreToolUse allow runs without asking',
  () => [touch, 'Ok.'],
  {},
  async ({ options }) => {
    await collect(
      query({ prompt: 'Go.', options: { ...options, hooks: pre(specific({ permissionDecision: 'allow' })) } }),
    )
    assert.equal(made(options), true)
  },
)

bothWays(
  'PreToolUse ask outdoes an allow rule; the strictest of several answers wins',
  () => [echo, 'Ok.'],
  { allowedTools: ['Bash'] },
  async ({ options }) => {
    let reason: string | undefined
    const hooks = pre(
      specific({ permissionDecision: 'allow' }),
      specific({ permissionDecision: 'ask', permissionDecisionReason: 'look first' }),
    )
    const canUseTool: Options['canUseTool'] = async (_, __, { decisionReason }) => {
      reason = decisionReason
      return { behavior: 'deny', message: 'no' }
    }
    const run = await collect(query({ prompt: 'Go.', options: { ...options, hooks, canUseTool } }))
    assert.equal(reason, 'look first')
    assert.equal(run.result?.permission_denials.length, 1)
  },
)

bothWays(
  'PreToolUse updatedInput is what runs; additionalContext follows the result',
  () => [echo, 'Ok.'],
  {},
  async ({ options, server }) => {
    const hooks = pre(
      specific({
        permissionDecision: 'allow',
        updatedInput: { command: 'touch made' },
        additionalContext: 'mind the gap',
      }),
    )
    await collect(query({ prompt: 'Go.', options: { ...options, hooks } }))
    assert.equal(made(options), true)
    const blocks = server.requests[1]?.body.messages.at(-1)?.content
    assert.deepEqual(Array.isArray(blocks) && blocks[1], {
      type: 'text',
      text: '<system-reminder>\nmind the gap\n</system-reminder>',
      cache_control: { type: 'ephemeral' },
    })
  },
)

for (const [name, output] of Object.entries({
  throws: async () => {
    throw new Error('hook exploded')
  },
  'answers garbage': async () => 'nonsense' as unknown as HookJSONOutput, // what untyped callers do
})) {
  bothWays(
    `a PreToolUse hook that ${name} means the tool does not run`,
    () => [echo, 'Ok.'],
    {},
    async ({ options }) => {
      const run = await collect(query({ prompt: 'Go.', options: { ...options, hooks: pre(output) } }))
      assert.match(JSON.stringify(results(run.messages)[0]), /PreToolUse hook hook_0 failed: /)
      assert.equal(run.result?.subtype, 'success')
    },
  )
}

bothWays(
  'a PreToolUse hook that takes too long means the tool does not run; its signal aborts',
  () => [echo, 'Ok.'],
  {},
  async ({ options }) => {
    let aborted = false
    const slow: HookCallback = (_, __, { signal }) =>
      new Promise(() =>
        signal.addEventListener('abort', () => {
          aborted = true
        }),
      )
    const hooks = { PreToolUse: [{ hooks: [slow], timeout: 0.2 }] }
    const run = await collect(query({ prompt: 'Go.', options: { ...options, hooks } }))
    assert.match(JSON.stringify(results(run.messages)[0]), /PreToolUse hook hook_0 failed: it took longer than 0.2 s/)
    assert.equal(aborted, true)
  },
)

bothWays(
  'PreToolUse continue:false stops before the tool runs',
  () => [touch],
  { allowedTools: ['Bash'] },
  async ({ options, server }) => {
    const run = await collect(
      query({ prompt: 'Go.', options: { ...options, hooks: pre({ continue: false, stopReason: 'halt' }) } }),
    )
    assert.deepEqual(
      [run.result?.subtype, run.result?.terminal_reason, made(options), server.requests.length],
      ['success', 'hook_stopped', false, 1],
    )
    assert.equal(run.result?.subtype === 'success' && run.result.result, '')
  },
)

bothWays(
  'matchers choose by tool name',
  () => [echo, { tools: [{ id: 'toolu_g', name: 'Glob', input: { pattern: '*' } }] }, 'Ok.'],
  {},
  async ({ options }) => {
    const seen: string[] = []
    const watch =
      (name: string): HookCallback =>
      async (input) => {
        seen.push(`${name}:${'tool_name' in input ? input.tool_name : ''}`)
        return {}
      }
    const hooks: Options['hooks'] = {
      PreToolUse: [
        { matcher: 'Bash', hooks: [watch('exact')] },
        { matcher: 'Gl.*|Read', hooks: [watch('pattern')] },
        { hooks: [watch('all')] },
      ],
    }
    await collect(query({ prompt: 'Go.', options: { ...options, hooks } }))
    assert.deepEqual(seen.sort(), ['all:Bash', 'all:Glob', 'exact:Bash', 'pattern:Glob'])
  },
)

bothWays(
  'PostToolUse: context for the model, and continue:false ends the turn',
  () => [echo],
  {},
  async ({ options, server }) => {
    const hooks: Options['hooks'] = {
      PostToolUse: [{ hooks: [hook({ continue: false, decision: 'block', reason: 'enough' })] }],
    }
    const run = await collect(query({ prompt: 'Go.', options: { ...options, hooks } }))
    assert.deepEqual(
      [run.result?.subtype, run.result?.terminal_reason, server.requests.length],
      ['success', 'hook_stopped', 1],
    )
  },
)

bothWays(
  'PostToolUseFailure is told the error',
  () => [{ tools: [{ id: 'toolu_f', name: 'Bash', input: { command: 'exit 4' } }] }, 'Ok.'],
  { allowedTools: ['Bash'] },
  async ({ options }) => {
    const seen: unknown[] = []
    const hooks: Options['hooks'] = {
      PostToolUseFailure: [
        {
          hooks: [
            async (input) => {
              if (input.hook_event_name === 'PostToolUseFailure')
                seen.push([input.tool_name, input.error, input.is_interrupt])
              return {}
            },
          ],
        },
      ],
    }
    await collect(query({ prompt: 'Go.', options: { ...options, hooks } }))
    assert.deepEqual(seen, [['Bash', 'Exit code 4', false]])
  },
)

bothWays(
  'UserPromptSubmit: context before the prompt',
  () => ['Ok.'],
  {},
  async ({ options, server }) => {
    const hooks: Options['hooks'] = {
      UserPromptSubmit: [
        { hooks: [hook({ hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'it rains' } })] },
      ],
    }
    await collect(query({ prompt: 'Go.', options: { ...options, hooks } }))
    assert.deepEqual(server.requests[0]?.body.messages[0]?.content, [
      { type: 'text', text: '<system-reminder>\nit rains\n</system-reminder>' },
      { type: 'text', text: 'Go.', cache_control: { type: 'ephemeral' } },
    ])
  },
)

bothWays(
  'UserPromptSubmit block: init, an empty result, no request',
  () => [],
  {},
  async ({ options, server }) => {
    const hooks: Options['hooks'] = { UserPromptSubmit: [{ hooks: [hook({ decision: 'block', reason: 'no' })] }] }
    const run = await collect(query({ prompt: 'Go.', options: { ...options, hooks } }))
    assert.deepEqual(kinds(run.messages), ['system/init', 'result'])
    assert.deepEqual([run.result?.subtype, run.result?.num_turns, server.requests.length], ['success', 0, 0])
  },
)

bothWays(
  'Stop block: feedback to the model, once more, then the end',
  () => ['First.', 'Second.'],
  {},
  async ({ options }) => {
    const active: boolean[] = []
    const hooks: Options['hooks'] = {
      Stop: [
        {
          hooks: [
            async (input) => {
              if (input.hook_event_name !== 'Stop') return {}
              active.push(input.stop_hook_active)
              return input.stop_hook_active ? {} : { decision: 'block', reason: 'keep going' }
            },
          ],
        },
      ],
    }
    const run = await collect(query({ prompt: 'Go.', options: { ...options, hooks } }))
    assert.deepEqual(active, [false, true])
    assert.deepEqual(kinds(run.messages), ['system/init', 'assistant', 'user', 'assistant', 'result'])
    const feedback = run.messages[2]
    assert.equal(feedback?.type === 'user' && feedback.isSynthetic, true)
    assert.deepEqual(results(run.messages), [{ type: 'text', text: 'Stop hook feedback:\nkeep going' }])
    assert.deepEqual([run.result?.subtype === 'success' && run.result.result, run.result?.num_turns], ['Second.', 2])
  },
)

bothWays(
  'PermissionRequest decides before the host does, whose question is withdrawn',
  () => [touch, 'Ok.'],
  {},
  async ({ options }) => {
    let withdrawn = false
    const hooks: Options['hooks'] = {
      PermissionRequest: [
        {
          hooks: [
            hook({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } } }),
          ],
        },
      ],
    }
    const canUseTool: Options['canUseTool'] = (_, __, { signal }) =>
      new Promise(() =>
        signal.addEventListener('abort', () => {
          withdrawn = true
        }),
      )
    await collect(query({ prompt: 'Go.', options: { ...options, hooks, canUseTool } }))
    assert.deepEqual([made(options), withdrawn], [true, true])
  },
)

bothWays(
  'PermissionRequest works without canUseTool, and its deny denies',
  () => [touch, 'Ok.'],
  {},
  async ({ options }) => {
    const decision = { behavior: 'deny' as const, message: 'hook says no' }
    const hooks: Options['hooks'] = {
      PermissionRequest: [{ hooks: [hook({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } })] }],
    }
    const run = await collect(query({ prompt: 'Go.', options: { ...options, hooks } }))
    assert.deepEqual(results(run.messages)[0], {
      type: 'tool_result',
      content: 'hook says no',
      is_error: true,
      tool_use_id: 'toolu_t',
    })
    assert.equal(run.result?.permission_denials.length, 1)
  },
)

bothWays(
  'an async answer does not hold anything up',
  () => [echo, 'Ok.'],
  {},
  async ({ options }) => {
    const run = await collect(
      query({ prompt: 'Go.', options: { ...options, hooks: pre({ async: true, asyncTimeout: 5 }) } }),
    )
    assert.deepEqual(results(run.messages)[0], {
      tool_use_id: 'toolu_e',
      type: 'tool_result',
      content: 'hi',
      is_error: false,
    })
  },
)

bothWays(
  'Setup hooks run with --init, and what they say reaches the model',
  () => ['Ok.'],
  { extraArgs: { init: null } },
  async ({ options, server }) => {
    const hooks: Options['hooks'] = {
      Setup: [
        {
          hooks: [
            async (input) => ({
              hookSpecificOutput: {
                hookEventName: 'Setup',
                additionalContext: input.hook_event_name === 'Setup' ? `setup by ${input.trigger}` : '',
              },
            }),
          ],
        },
      ],
    }
    await collect(query({ prompt: 'Go.', options: { ...options, hooks } }))
    assert.match(server.requests[0]?.opening ?? '', /setup by init/)
  },
)
