import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CanUseTool, type PermissionResult, query, type SDKMessage } from 'kedge'
import { collect, type Turn } from 'kedge/testing'
import { bothWays, kinds } from './both-ways.js'

const write = (id: string, file: string): Turn => ({
  tools: [{ id, name: 'Write', input: { file_path: file, content: 'text' } }],
})
const bash = (id: string, command: string): Turn => ({ tools: [{ id, name: 'Bash', input: { command } }] })

const results = (messages: readonly SDKMessage[]) =>
  messages.flatMap((m) => (m.type === 'user' && Array.isArray(m.message.content) ? m.message.content : []))

bothWays(
  'allow runs the tool; the callback sees input, suggestions and ids',
  () => [write('toolu_w', 'a.txt'), 'Done.'],
  {},
  async ({ options }) => {
    const asked: unknown[] = []
    const canUseTool: CanUseTool = async (name, input, { signal, ...rest }) => {
      asked.push([name, input, rest, signal.aborted])
      return { behavior: 'allow', updatedInput: input }
    }
    const run = await collect(query({ prompt: 'Write.', options: { ...options, canUseTool } }))
    assert.equal(run.error, undefined)
    assert.equal(readFileSync(join(options.cwd, 'a.txt'), 'utf8'), 'text')
    assert.deepEqual(asked, [
      [
        'Write',
        { file_path: 'a.txt', content: 'text' },
        {
          suggestions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
          blockedPath: undefined,
          decisionReason: undefined,
          toolUseID: 'toolu_w',
          agentID: undefined,
        },
        false,
      ],
    ])
    assert.deepEqual(run.result?.permission_denials, [])
  },
)

bothWays(
  'allow without updatedInput runs with the original input',
  () => [write('toolu_w', 'a.txt'), 'Done.'],
  {},
  async ({ options }) => {
    await collect(query({ prompt: 'Write.', options: { ...options, canUseTool: async () => ({ behavior: 'allow' }) } }))
    assert.equal(readFileSync(join(options.cwd, 'a.txt'), 'utf8'), 'text')
  },
)

bothWays(
  'deny: the model reads the message, the loop goes on, the result lists it',
  () => [write('toolu_w', 'a.txt'), 'I see.'],
  {},
  async ({ options, server }) => {
    const run = await collect(
      query({
        prompt: 'Write.',
        options: { ...options, canUseTool: async () => ({ behavior: 'deny', message: 'Not today.' }) },
      }),
    )
    assert.deepEqual(results(run.messages), [
      { type: 'tool_result', content: 'Not today.', is_error: true, tool_use_id: 'toolu_w' },
    ])
    assert.deepEqual(server.requests[1]?.toolResults, [{ id: 'toolu_w', text: 'Not today.', isError: true }])
    assert.deepEqual(run.result?.permission_denials, [
      { tool_name: 'Write', tool_use_id: 'toolu_w', tool_input: { file_path: 'a.txt', content: 'text' } },
    ])
    assert.equal(run.result?.subtype, 'success')
    assert.equal(existsSync(join(options.cwd, 'a.txt')), false)
  },
)

bothWays(
  'deny with interrupt ends the turn without another request',
  () => [write('toolu_w', 'a.txt')],
  {},
  async ({ options, server }) => {
    const canUseTool: CanUseTool = async () => ({ behavior: 'deny', message: 'Stop everything.', interrupt: true })
    const run = await collect(query({ prompt: 'Write.', options: { ...options, canUseTool } }))
    assert.deepEqual(results(run.messages), [
      { type: 'tool_result', content: 'Stop everything.', is_error: true, tool_use_id: 'toolu_w' },
      { type: 'text', text: '[Request interrupted by user for tool use]' },
    ])
    assert.deepEqual(
      [run.result?.subtype, run.result?.is_error, run.result?.terminal_reason, run.result?.num_turns],
      ['error_during_execution', false, 'interrupted_by_permission', 3],
    )
    assert.equal(run.error, undefined)
    assert.equal(server.requests.length, 1)
  },
)

bothWays(
  'updatedInput runs instead, while the history keeps what the model said',
  () => [write('toolu_w', 'a.txt'), 'Done.'],
  {},
  async ({ options, server }) => {
    const canUseTool: CanUseTool = async (_, input) => ({
      behavior: 'allow',
      updatedInput: { ...input, file_path: join(options.cwd, 'b.txt') },
    })
    const run = await collect(query({ prompt: 'Write.', options: { ...options, canUseTool } }))
    assert.equal(existsSync(join(options.cwd, 'a.txt')), false)
    assert.equal(readFileSync(join(options.cwd, 'b.txt'), 'utf8'), 'text')
    const said = run.messages.find((m) => m.type === 'assistant')
    assert.deepEqual(said?.message.content, [
      { type: 'tool_use', id: 'toolu_w', name: 'Write', input: { file_path: 'a.txt', content: 'text' } },
    ])
    assert.deepEqual(
      JSON.parse(JSON.stringify(server.requests[1]?.body.messages[1]).replace(/,"cache_control":\{[^}]*\}/g, '')),
      {
        role: 'assistant',
        content: said?.message.content,
      },
    )
  },
)

bothWays(
  'setMode in updatedPermissions: a status message, and no further questions',
  () => [write('toolu_1', 'a.txt'), write('toolu_2', 'b.txt'), 'Done.'],
  {},
  async ({ options }) => {
    let asked = 0
    const canUseTool: CanUseTool = async (_, updatedInput, { suggestions }) => {
      asked += 1
      return { behavior: 'allow', updatedInput, updatedPermissions: suggestions }
    }
    const run = await collect(query({ prompt: 'Write.', options: { ...options, canUseTool } }))
    assert.equal(asked, 1)
    assert.equal(existsSync(join(options.cwd, 'b.txt')), true)
    assert.deepEqual(kinds(run.messages).slice(0, 4), ['system/init', 'assistant', 'system/status', 'user'])
    const status = run.messages.find((m) => m.type === 'system' && m.subtype === 'status')
    assert.equal(status?.type === 'system' && status.subtype === 'status' && status.permissionMode, 'acceptEdits')
  },
)

bothWays(
  'nobody to ask: denied with the observed texts, and said so',
  () => [write('toolu_w', 'w.txt'), bash('toolu_b', 'node -e 1'), bash('toolu_l', 'ls'), 'Done.'],
  {},
  async ({ options }) => {
    const run = await collect(query({ prompt: 'Go.', options }))
    const path = join(options.cwd, 'w.txt')
    assert.deepEqual(results(run.messages).slice(0, 2), [
      {
        type: 'tool_result',
        content: `Claude requested permissions to write to ${path}, but you haven't granted it yet. Nobody can approve it in this session, so it did not run.`,
        is_error: true,
        tool_use_id: 'toolu_w',
      },
      {
        type: 'tool_result',
        content: `This command requires approval. The reason: "node -e 1" is not known to be read-only. Nobody can approve it in this session, so it did not run. Allowed without approval: commands that only read inside ${options.cwd}.`,
        is_error: true,
        tool_use_id: 'toolu_b',
      },
    ])
    assert.deepEqual(results(run.messages)[2], {
      tool_use_id: 'toolu_l',
      type: 'tool_result',
      content: '(no output, exit code 0)',
      is_error: false,
    })
    assert.deepEqual(
      run.result?.permission_denials.map(({ tool_use_id: id }) => id),
      ['toolu_w', 'toolu_b'],
    )
    assert.equal(run.messages.filter((m) => m.type === 'system' && m.subtype === 'permission_denied').length, 2)
    assert.equal(run.result?.subtype, 'success')
  },
)

bothWays(
  'acceptEdits writes inside the folder, and still asks for commands',
  () => [write('toolu_w', 'w.txt'), bash('toolu_t', 'touch b'), bash('toolu_n', 'node -e 1'), 'Done.'],
  { permissionMode: 'acceptEdits' },
  async ({ options }) => {
    const run = await collect(query({ prompt: 'Go.', options }))
    assert.deepEqual([existsSync(join(options.cwd, 'w.txt')), existsSync(join(options.cwd, 'b'))], [true, true])
    assert.deepEqual(
      run.result?.permission_denials.map(({ tool_use_id: id }) => id),
      ['toolu_n'],
    )
  },
)

bothWays(
  'dontAsk denies without asking',
  () => [write('toolu_w', 'w.txt'), 'Done.'],
  { permissionMode: 'dontAsk' },
  async ({ options }) => {
    let asked = 0
    const canUseTool: CanUseTool = async () => {
      asked += 1
      return { behavior: 'allow' }
    }
    const run = await collect(query({ prompt: 'Go.', options: { ...options, canUseTool } }))
    assert.equal(asked, 0)
    assert.match(JSON.stringify(results(run.messages)[0]), /Permission to use Write has been denied because/)
  },
)

bothWays(
  'a bare deny hides the tool; a scoped one blocks the call',
  () => [bash('toolu_b', 'rm -rf x'), { tools: [{ id: 'toolu_g', name: 'Grep', input: { pattern: 'x' } }] }, 'Done.'],
  { disallowedTools: ['Bash(rm:*)', 'Grep'] },
  async ({ options, server }) => {
    const run = await collect(query({ prompt: 'Go.', options }))
    const [first, second] = results(run.messages)
    assert.deepEqual(first, {
      type: 'tool_result',
      content:
        "Permission to use Bash with command rm -rf x has been denied. The rule Bash(rm:*) forbids it. Don't try to reach it in another way.",
      is_error: true,
      tool_use_id: 'toolu_b',
    })
    const missing = second?.type === 'tool_result' && typeof second.content === 'string' ? second.content : ''
    assert.match(missing, /^<tool_use_error>Error: No such tool available: Grep\. Tools: Task, .*<\/tool_use_error>$/)
    assert.doesNotMatch(missing, /Tools: .*Grep/)
    assert.equal(server.requests[0]?.tools.includes('Grep'), false)
    const init = run.messages[0]
    assert.equal(init?.type === 'system' && init.subtype === 'init' && init.tools.includes('Grep'), false)
    assert.deepEqual(
      run.result?.permission_denials.map(({ tool_use_id: id }) => id),
      ['toolu_b'],
    )
  },
)

bothWays(
  'a malformed answer is a denial for the model and a typed error for the host',
  () => [write('toolu_w', 'a.txt'), 'Done.'],
  {},
  async ({ options }) => {
    // What untyped callers do.
    const canUseTool: CanUseTool = async () => ({ allowed: true }) as unknown as PermissionResult
    const run = await collect(query({ prompt: 'Write.', options: { ...options, canUseTool } }))
    assert.match(JSON.stringify(results(run.messages)[0]), /Tool permission request failed: .*behavior/)
    assert.equal(existsSync(join(options.cwd, 'a.txt')), false)
    assert.equal(run.result?.permission_denials.length, 1)
    assert.ok(run.error instanceof Error && 'code' in run.error)
    assert.equal(run.error.code, 'invalid_permission_result')
  },
)

bothWays(
  'a callback that throws is a denial',
  () => [write('toolu_w', 'a.txt'), 'Done.'],
  {},
  async ({ options }) => {
    const canUseTool: CanUseTool = async () => {
      throw new Error('callback blew up')
    }
    const run = await collect(query({ prompt: 'Write.', options: { ...options, canUseTool } }))
    assert.deepEqual(results(run.messages)[0], {
      type: 'tool_result',
      content: 'Tool permission request failed: Error: callback blew up',
      is_error: true,
      tool_use_id: 'toolu_w',
    })
    assert.equal(run.error, undefined)
    assert.equal(run.result?.permission_denials.length, 1)
  },
)

bothWays(
  'tools: [] means none',
  () => ['Nothing to use.'],
  { tools: [] },
  async ({ options, server }) => {
    const run = await collect(query({ prompt: 'Go.', options }))
    assert.equal(run.error, undefined)
    assert.deepEqual(server.requests[0]?.tools, [])
  },
)

bothWays(
  "gate: 'always' asks for every call, also those that rules, mode or a hook would let run; deny stays deny",
  () => [
    { tools: [{ id: 'toolu_r', name: 'Read', input: { file_path: 'a.txt' } }] },
    bash('toolu_l', 'ls'),
    bash('toolu_x', 'rm a.txt'),
    write('toolu_w', 'b.txt'),
    'Done.',
  ],
  {
    permissionMode: 'acceptEdits',
    allowedTools: ['Read', 'Bash'],
    disallowedTools: ['Bash(rm:*)'],
    gate: 'always',
    hooks: {
      PreToolUse: [
        {
          hooks: [
            async () => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } as const }),
          ],
        },
      ],
    },
  },
  async ({ options }) => {
    const asked: string[] = []
    const canUseTool: CanUseTool = async (name, _, { toolUseID }) => {
      asked.push(toolUseID)
      return name === 'Write' ? { behavior: 'deny', message: 'No.' } : { behavior: 'allow' }
    }
    const run = await collect(query({ prompt: 'Go.', options: { ...options, canUseTool } }))
    assert.equal(run.error, undefined)
    assert.deepEqual(asked, ['toolu_r', 'toolu_l', 'toolu_w'])
    assert.deepEqual(
      run.result?.permission_denials.map((denial) => denial.tool_use_id),
      ['toolu_x', 'toolu_w'],
    )
    assert.equal(existsSync(join(options.cwd, 'b.txt')), false)
  },
)

bothWays(
  'no PermissionRequest hook approves what only a person may',
  () => [bash('toolu_home', 'rm -rf ~'), bash('toolu_dir', 'mkdir made'), 'Done.'],
  {
    hooks: {
      PermissionRequest: [
        {
          hooks: [
            async () => ({
              hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } } as const,
            }),
          ],
        },
      ],
    },
  },
  async ({ options }) => {
    const home = join(options.cwd, '..', 'home-of-nobody')
    const env = { ...options.env, HOME: home }
    const run = await collect(query({ prompt: 'Go.', options: { ...options, env } }))
    assert.equal(run.error, undefined)
    assert.deepEqual(
      run.result?.permission_denials.map((denial) => denial.tool_use_id),
      ['toolu_home'],
    )
    assert.equal(existsSync(join(options.cwd, 'made')), true)
  },
)

/** A comment to most readers; to bash the sign belongs to the word before it, and a second command follows. */
const SPLIT_READING = 'cat <(echo a)# ; touch made'

bothWays(
  'a command line that bash might read in another way asks in every mode, and what a person approves runs as written',
  () => [bash('toolu_1', SPLIT_READING), 'Done.'],
  {},
  async ({ options }) => {
    const asked: unknown[] = []
    const canUseTool: CanUseTool = async (_name, input) => {
      asked.push(input)
      return { behavior: 'allow', updatedInput: input }
    }
    const trust = { permissionMode: 'acceptEdits' as const, allowedTools: ['Bash'] }
    await collect(query({ prompt: 'Run.', options: { ...options, ...trust, canUseTool } }))
    assert.deepEqual(asked, [{ command: SPLIT_READING }])
    assert.ok(existsSync(join(options.cwd, 'made')))
  },
)

bothWays(
  'where nobody can be asked, such a command line does not run',
  () => [bash('toolu_1', SPLIT_READING), 'Done.'],
  { allowedTools: ['Bash'] },
  async ({ options }) => {
    const run = await collect(query({ prompt: 'Run.', options }))
    assert.deepEqual(
      run.result?.permission_denials.map(({ tool_input }) => tool_input),
      [{ command: SPLIT_READING }],
    )
    assert.ok(!existsSync(join(options.cwd, 'made')))
  },
)

bothWays(
  'bash gets the text of what was judged; hooks and the transcript have the original',
  () => [bash('toolu_1', 'echo "one  two" $0 \\\n  "$BASH_COMMAND" # three'), 'Done.'],
  { allowedTools: ['Bash'] },
  async ({ options }) => {
    const seen: unknown[] = []
    const hooks = {
      PreToolUse: [
        {
          hooks: [
            async (input: unknown) => {
              seen.push(input && typeof input === 'object' && 'tool_input' in input ? input.tool_input : undefined)
              return {}
            },
          ],
        },
      ],
    }
    const run = await collect(query({ prompt: 'Run.', options: { ...options, hooks } }))
    const command = 'echo "one  two" $0 \\\n  "$BASH_COMMAND" # three'
    assert.deepEqual(seen, [{ command }])
    const calls = run.messages.flatMap((m) => (m.type === 'assistant' ? m.message.content : []))
    assert.deepEqual(
      calls.flatMap((block) => (block.type === 'tool_use' ? [block.input] : [])),
      [{ command }],
    )
    const [result] = results(run.messages)
    assert.ok(typeof result === 'object' && 'content' in result)
    assert.equal(result.content, `one  two /bin/bash echo 'one  two' \${0} "\${BASH_COMMAND}"`)
  },
)
