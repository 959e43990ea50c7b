/** Options that no other test runs: each does what it says, or is refused with an error that names it. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { ConfigurationError, type Options, ProcessExitError, query, type SDKMessage, type SDKUserMessage } from 'kedge'
import { collect, type Run, startModelServer, type Turn, testOptions } from 'kedge/testing'
import { bothWays, kinds } from './both-ways.js'

const say = (content: string): SDKUserMessage => ({
  type: 'user',
  message: { role: 'user', content },
  parent_tool_use_id: null,
  session_id: '',
})
const bash = (command: string, extra: object = {}): Turn => ({
  tools: [{ id: `toolu_${Buffer.from(command).toString('hex')}`, name: 'Bash', input: { command, ...extra } }],
})
const initOf = (messages: readonly SDKMessage[]) =>
  messages.find((m): m is Extract<SDKMessage, { subtype: 'init' }> => m.type === 'system' && m.subtype === 'init')
const resultTexts = (messages: readonly SDKMessage[]) =>
  messages.flatMap((m) =>
    m.type === 'user' && Array.isArray(m.message.content)
      ? m.message.content.flatMap((block) => (block.type === 'tool_result' ? [block.content] : []))
      : [],
  )
const beside = mkdtempSync(join(realpathSync(tmpdir()), 'kedge-beside-'))
after(() => rmSync(beside, { recursive: true }))

/** Adds a `stderr` that keeps what it is given. */
function listening<T extends Options>(options: T): T & { heard(): string } {
  let text = ''
  const stderr = (chunk: string) => {
    text += chunk
  }
  return { ...options, stderr, heard: () => text }
}
/** Refused before anything ran: one error result that says why, then an error. */
function assertRefused(run: Run<SDKMessage>, why: RegExp, code: string): void {
  assert.deepEqual(kinds(run.messages), ['result'])
  const { result } = run
  assert.deepEqual(
    [result?.subtype, result?.is_error, result?.terminal_reason, result?.error_code],
    ['error_during_execution', true, 'invalid_input', code],
  )
  assert.match(result?.subtype !== 'success' ? (result?.errors.join('\n') ?? '') : '', why)
  assert.ok(run.error instanceof ProcessExitError)
  assert.equal(run.error.message, 'Claude Code process exited with code 1')
}

describe('options', { concurrency: 8 }, () => {
  // ── refused ──────────────────────────────────────────────────────────────────

  const later: Record<string, Options> = {
    agent: { agent: 'reviewer' },
    outputFormat: { outputFormat: { type: 'json_schema', schema: { type: 'object' } } },
    plugins: { plugins: [{ type: 'local', path: '.' }] },
    sandbox: { sandbox: { enabled: true } },
    permissionPromptToolName: { permissionPromptToolName: 'mcp__ask__me' },
  }
  for (const [name, overrides] of Object.entries(later)) {
    bothWays(
      `${name} is not supported yet: a result that names it, then an error`,
      () => [],
      overrides,
      async ({ options }) => {
        const run = await collect(query({ prompt: 'Go.', options }))
        assertRefused(run, new RegExp(`^${name}\\b.* not supported yet`), 'not_supported_yet')
      },
    )
  }

  bothWays(
    'agents and enableFileCheckpointing (CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING) run, with a warning that says what is missing',
    () => ['Hi.'],
    {
      agents: { reviewer: { description: 'Reviews.', prompt: 'Review.', model: 'haiku' } },
      enableFileCheckpointing: true,
    },
    async ({ options }) => {
      let stderr = ''
      const running = query({ prompt: 'Go.', options: { ...options, stderr: (text) => (stderr += text) } })
      assert.deepEqual(await running.supportedAgents(), [{ name: 'reviewer', description: 'Reviews.', model: 'haiku' }])
      await assert.rejects(running.rewindFiles('99999999-2222-4333-8444-555555555555'), /not supported yet/)
      const run = await collect(running)
      assert.equal(run.error, undefined)
      const [init] = run.messages
      assert.deepEqual(init?.type === 'system' && init.subtype === 'init' && init.agents, ['reviewer'])
      assert.match(stderr, /Warning: agents: /)
      assert.match(stderr, /Warning: enableFileCheckpointing: /)
      assert.doesNotMatch(JSON.stringify(run.messages), /"files_persisted"/)
    },
  )

  bothWays(
    'settingSources: a settings file that exists is not passed over; without one there is nothing to read',
    () => ['Hi.'],
    { settingSources: ['user', 'project', 'local'] },
    async ({ options }) => {
      const without = await collect(query({ prompt: 'Go.', options }))
      assert.equal(without.error, undefined)
      mkdirSync(join(options.cwd, '.claude'))
      writeFileSync(join(options.cwd, '.claude', 'settings.json'), '{"permissions":{"deny":["Bash"]}}')
      const run = await collect(query({ prompt: 'Go.', options }))
      assertRefused(run, /settingSources 'project' .*settings\.json exists.* not supported yet/, 'not_supported_yet')
      // What untyped callers do.
      const settingSources = ['zzz'] as unknown as Options['settingSources']
      const unknown = await collect(query({ prompt: 'Go.', options: { ...options, settingSources } }))
      assertRefused(unknown, /Unknown setting source 'zzz'/, 'invalid_option')
    },
  )

  bothWays(
    'resumeSessionAt without a session to resume is refused; a disabled sandbox is no request for one',
    () => ['Hi.'],
    {},
    async ({ options }) => {
      const run = await collect(query({ prompt: 'Go.', options: { ...options, resumeSessionAt: 'some-uuid' } }))
      assertRefused(run, /^resumeSessionAt .*set resume or continue/, 'invalid_option')
      const servers = await collect(
        query({ prompt: 'Go.', options: { ...options, extraArgs: { 'mcp-config': '{}' } } }),
      )
      assertRefused(servers, /^Invalid MCP configuration/, 'invalid_option')
      const free = await collect(query({ prompt: 'Go.', options: { ...options, sandbox: { enabled: false } } }))
      assert.equal(free.error, undefined)
    },
  )

  test('options that contradict each other or are not known throw at once and are named', async () => {
    const refused: [option: string, options: object, message: RegExp][] = [
      [
        'canUseTool',
        { canUseTool: async () => ({ behavior: 'allow' }), permissionPromptToolName: 'x' },
        /^canUseTool callback cannot be used with permissionPromptToolName\. Please use one or the other\.$/,
      ],
      [
        'fallbackModel',
        { model: 'opus', fallbackModel: 'opus' },
        /^Fallback model cannot be the same as the main model\./,
      ],
      ['plugins', { plugins: [{ type: 'git', path: '.' }] }, /^Unsupported plugin type: git$/],
      ['hooks', { hooks: { PreToolUs: [{ hooks: [] }] } }, /there is no event 'PreToolUs'/],
      ['isolation', { isolation: 'proces' }, /must be 'in-process' or 'process'/],
      [
        'isolation',
        { isolation: 'in-process', executable: 'node' },
        /can't be combined with an executable or a spawn function/,
      ],
      ...[
        ...['sessionStore', 'onElicitation', 'includeHookEvents', 'forwardSubagentText', 'taskBudget', 'gate'],
        ...['settings', 'skills', 'managedSettings', 'toolAliases', 'toolConfig', 'planModeInstructions'],
        ...['permissionPrompts', 'onUserDialog', 'title'],
      ].map((name): [string, object, RegExp] => [
        name,
        { [name]: 'always' },
        new RegExp(`^The option ${name} is not supp`),
      ]),
    ]
    for (const [option, options, message] of refused) {
      assert.throws(
        () => query({ prompt: 'Go.', options }),
        (error: unknown) => {
          assert.ok(error instanceof ConfigurationError)
          assert.equal(error.option, option)
          assert.match(error.message, message)
          return true
        },
      )
    }
  })

  bothWays(
    'values that mean nothing end the query before it starts; the error has the reason',
    () => [],
    {},
    async ({ options }) => {
      // What untyped callers do.
      const wrong: [option: object, stderr: RegExp][] = [
        [{ effort: 'zzz' }, /--effort .*'zzz' is invalid\. Allowed choices are low, medium, high, max/],
        [{ permissionMode: 'zzz' }, /--permission-mode .*'zzz' is invalid/],
        [{ maxTurns: -1 }, /--max-turns .*needs a number/],
        [{ maxBudgetUsd: Number.NaN }, /--max-budget-usd .*needs a number/],
        [{ maxThinkingTokens: -5 }, /--max-thinking-tokens .*needs a number/],
        [{ timeoutMs: -1 }, /--timeout .*needs a number/],
        [{ extraArgs: { zzz: null } }, /unknown option '--zzz'/],
      ]
      for (const [option, stderr] of wrong) {
        const run = await collect(query({ prompt: 'Go.', options: { ...options, ...option } }))
        assert.deepEqual(run.messages, [])
        assert.ok(run.error instanceof ProcessExitError)
        assert.match(run.error.stderr, stderr)
      }
    },
  )

  bothWays(
    'bypassPermissions needs allowDangerouslySkipPermissions, and then runs everything but what a deny rule covers',
    () => [bash('node -e 1'), bash('touch made'), 'Done.'],
    { permissionMode: 'bypassPermissions', env: { IS_SANDBOX: '1' }, disallowedTools: ['Bash(touch:*)'] },
    async ({ options }) => {
      const refused = await collect(query({ prompt: 'Go.', options }))
      assertRefused(refused, /needs allowDangerouslySkipPermissions: true/, 'bypass_not_launched')
      const run = await collect(
        query({ prompt: 'Go.', options: { ...options, allowDangerouslySkipPermissions: true } }),
      )
      assert.deepEqual(resultTexts(run.messages), [
        '',
        'Permission to use Bash with command touch made has been denied.',
      ])
      assert.equal(existsSync(join(options.cwd, 'made')), false)
    },
  )

  // ── what is not there, and says so ───────────────────────────────────────────

  bothWays(
    'mcpServers are listed as failed, with the reason; strictMcpConfig changes nothing about that',
    () => ['Hi.'],
    { mcpServers: { files: { command: 'true' } }, strictMcpConfig: true },
    async ({ options }) => {
      const running = query({ prompt: 'Go.', options })
      assert.deepEqual(await running.mcpServerStatus(), [
        {
          name: 'files',
          status: 'failed',
          error: 'MCP servers are not supported yet by this version of Kedge.',
          scope: 'dynamic',
        },
      ])
      await assert.rejects(running.toggleMcpServer('files', false), /MCP servers are not supported yet/)
      await assert.rejects(running.reconnectMcpServer('files'), /MCP servers are not supported yet/)
      const run = await collect(running)
      assert.deepEqual(initOf(run.messages)?.mcp_servers, [{ name: 'files', status: 'failed' }])
    },
  )

  const missing = [
    ...['Task', 'TaskOutput', 'TaskStop', 'ExitPlanMode', 'EnterPlanMode', 'NotebookEdit', 'WebFetch', 'WebSearch'],
    ...['AskUserQuestion', 'Skill', 'ToolSearch', 'ListMcpResourcesTool', 'ReadMcpResourceTool', 'StructuredOutput'],
    ...['TeamCreate', 'TeamDelete', 'SendMessage'],
  ]
  bothWays(
    'tools: the preset has all of this version; a missing one is not listed, asking for it is reported, calling it is an error',
    () => [{ tools: missing.map((name) => ({ name, input: {} })) }, 'Done.', 'Done.'],
    { tools: { type: 'preset', preset: 'claude_code' }, env: { CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS: '1' } },
    async ({ options, server }) => {
      const run = await collect(query({ prompt: 'Go.', options }))
      const all = ['Bash', 'Glob', 'Grep', 'Read', 'Edit', 'Write', 'TodoWrite']
      assert.deepEqual([initOf(run.messages)?.tools, server.requests[0]?.tools], [all, all])
      assert.deepEqual(
        resultTexts(run.messages),
        missing.map((name) => `<tool_use_error>Error: No such tool available: ${name}</tool_use_error>`),
      )
      const heard = listening({ ...options, tools: ['Read', 'WebFetch', 'Bash'] })
      const chosen = await collect(query({ prompt: 'Go.', options: heard }))
      assert.deepEqual(initOf(chosen.messages)?.tools, ['Bash', 'Read'])
      assert.equal(heard.heard(), 'Warning: tools that this version of Kedge does not have: WebFetch\n')
    },
  )

  bothWays(
    'work in the background is refused: no task_started, task_notification or other task message comes',
    () => [bash('echo hi', { run_in_background: true }), 'Done.'],
    { allowedTools: ['Bash'] },
    async ({ options }) => {
      const running = query({ prompt: 'Go.', options })
      await assert.rejects(running.backgroundTasks(), /not supported yet/)
      await assert.rejects(running.stopTask('b123456'), { message: 'No task found with ID: b123456' })
      const run = await collect(running)
      assert.match(String(resultTexts(run.messages)[0]), /Background commands are not supported yet/)
      // Not task_progress, task_updated and background_tasks_changed either; and no pending_tasks in the result.
      assert.deepEqual(kinds(run.messages), ['system/init', 'assistant', 'user', 'assistant', 'result'])
      assert.equal(run.result?.pending_tasks, undefined)
    },
  )

  bothWays(
    'slash commands: none is there, and none is played by the model; /compact makes no compact_boundary',
    () => [],
    {},
    async ({ options, server }) => {
      for (const command of ['compact', 'context', 'clear', 'help']) {
        const run = await collect(query({ prompt: `/${command} now`, options }))
        assert.deepEqual(kinds(run.messages), ['system/init', 'result'])
        assert.equal(run.result?.subtype === 'success' && run.result.result, `Unknown skill: ${command}`)
        assert.deepEqual(initOf(run.messages)?.slash_commands, [])
      }
      assert.equal(server.requests.length, 0)
    },
  )

  bothWays(
    'messages of features that are refused never come',
    () => [],
    {},
    async ({ options }) => {
      // The subtype of a message, and the setting or option without which it can't come.
      const shellHook = { hooks: { SessionStart: [{ hooks: [{ type: 'command', command: 'echo hi' }] }] } }
      const refused: [messages: string[], option: Options, why: RegExp][] = [
        [
          ['hook_started', 'hook_progress', 'hook_response'],
          { settingSources: ['project'] },
          /settingSources 'project'/,
        ],
        [
          ['error_max_structured_output_retries'],
          { outputFormat: { type: 'json_schema', schema: {} } },
          /outputFormat/,
        ],
      ]
      mkdirSync(join(options.cwd, '.claude'))
      writeFileSync(join(options.cwd, '.claude', 'settings.json'), JSON.stringify(shellHook))
      for (const [never, option, why] of refused) {
        const run = await collect(query({ prompt: 'Go.', options: { ...options, ...option } }))
        assertRefused(run, why, 'not_supported_yet')
        for (const name of never) assert.doesNotMatch(JSON.stringify(run.messages), new RegExp(`"${name}"`))
      }
    },
  )

  bothWays(
    'hooks of events that this version does not have: a warning names them',
    () => ['Hi.'],
    {},
    async ({ options }) => {
      const silent = [
        ...[
          'SubagentStart',
          'SubagentStop',
          'PreCompact',
          'PostCompact',
          'TeammateIdle',
          'TaskCreated',
          'TaskCompleted',
        ],
        ...['ConfigChange', 'WorktreeCreate', 'WorktreeRemove', 'Elicitation', 'ElicitationResult'],
        ...['InstructionsLoaded', 'CwdChanged', 'FileChanged'],
      ]
      const hooks = Object.fromEntries(['Stop', ...silent].map((event) => [event, [{ hooks: [async () => ({})] }]]))
      const heard = listening({ ...options, hooks })
      const run = await collect(query({ prompt: 'Go.', options: heard }))
      assert.equal(run.error, undefined)
      assert.equal(heard.heard(), `Warning: hooks that this version of Kedge never calls: ${silent.join(', ')}\n`)
    },
  )

  // ── the request ──────────────────────────────────────────────────────────────

  bothWays(
    'systemPrompt: none, a text, the preset, the preset with something appended; and the flags for it',
    () => Array.from({ length: 6 }, () => 'Hi.'),
    {},
    async ({ options, server }) => {
      const preset = { type: 'preset', preset: 'claude_code' } as const
      const forms: Options[] = [
        {},
        { systemPrompt: 'You are a pirate.' },
        { systemPrompt: preset },
        { systemPrompt: { ...preset, append: 'Rhyme.' } },
        { extraArgs: { 'system-prompt': 'From a flag.' } },
        { systemPrompt: preset, extraArgs: { 'append-system-prompt': 'Appended by a flag.' } },
      ]
      for (const form of forms) await collect(query({ prompt: 'Go.', options: { ...options, ...form } }))
      const systems = server.requests.map(({ body }) => body.system)
      assert.equal(systems[0], undefined)
      const words = systems.map((system) => (Array.isArray(system) ? system.map(({ text }) => text) : []))
      assert.deepEqual([words[1], words[4]], [['You are a pirate.'], ['From a flag.']])
      assert.match(words[2]?.join() ?? '', /software engineering agent run by Kedge/)
      assert.deepEqual(words[3], [...(words[2] ?? []), 'Rhyme.'])
      assert.deepEqual(words[5], [...(words[2] ?? []), 'Appended by a flag.'])
    },
  )

  bothWays(
    'model, thinking, maxThinkingTokens, effort and betas are in the request',
    () => Array.from({ length: 7 }, () => 'Hi.'),
    {},
    async ({ options, server }) => {
      const asked: Options[] = [
        { model: 'opus', effort: 'low' },
        { model: 'opus', thinking: { type: 'disabled' } },
        { model: 'opus', thinking: { type: 'adaptive' } },
        { thinking: { type: 'enabled', budgetTokens: 2048 } },
        { maxThinkingTokens: 3000 },
        { maxThinkingTokens: 0 },
        { model: 'sonnet', betas: ['context-1m-2025-08-07'] },
      ]
      const runs = []
      for (const some of asked) runs.push(await collect(query({ prompt: 'Go.', options: { ...options, ...some } })))
      assert.deepEqual(
        server.requests.map(({ body }) => [body.model, body['thinking'] ?? null, body['output_config'] ?? null]),
        [
          ['claude-opus-4-6', { type: 'adaptive' }, { effort: 'low' }],
          ['claude-opus-4-6', null, null],
          ['claude-opus-4-6', { type: 'adaptive' }, null],
          ['claude-sonnet-4-5-20250929', { budget_tokens: 2048, type: 'enabled' }, null],
          ['claude-sonnet-4-5-20250929', { budget_tokens: 3000, type: 'enabled' }, null],
          ['claude-sonnet-4-5-20250929', null, null],
          ['claude-sonnet-4-6', { type: 'adaptive' }, null],
        ],
      )
      assert.match(server.requests[0]?.headers['anthropic-beta'] ?? '', /effort-2025-11-24/)
      assert.match(server.requests[6]?.headers['anthropic-beta'] ?? '', /context-1m-2025-08-07/)
      assert.deepEqual(initOf(runs[6]?.messages ?? [])?.betas, ['context-1m-2025-08-07'])
    },
  )

  bothWays(
    'promptSuggestions: a prompt_suggestion after the second and later successful turns',
    () => ['One.', 'Two.', 'Run the tests', 'Three.', 'NONE', 'Four.', 'Five.'],
    { promptSuggestions: true },
    async ({ options, server }) => {
      let next = () => {}
      async function* prompts() {
        for (const text of ['First.', 'Second.', 'Third.']) {
          const over = new Promise<void>((resolve) => {
            next = resolve
          })
          yield say(text)
          await over
        }
      }
      const messages: SDKMessage[] = []
      for await (const message of query({ prompt: prompts(), options })) {
        messages.push(message)
        const results = messages.filter(({ type }) => type === 'result').length
        // After the second turn the suggestion is waited for: a new prompt would make it pointless.
        if (message.type === 'prompt_suggestion' || (message.type === 'result' && results !== 2)) next()
      }
      const turn = ['system/init', 'assistant', 'result']
      assert.deepEqual(kinds(messages), [...turn, ...turn, 'prompt_suggestion', ...turn])
      const [suggestion] = messages.filter((m) => m.type === 'prompt_suggestion')
      assert.equal(suggestion?.suggestion, 'Run the tests')
      // What was only asked for the suggestion is not part of the conversation.
      assert.doesNotMatch(JSON.stringify(server.requests[3]?.body.messages), /Run the tests/)
      async function* two() {
        yield* [say('Fourth.'), say('Fifth.')]
      }
      const env = { ...options.env, CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: 'false' }
      const off = await collect(query({ prompt: two(), options: { ...options, env } }))
      assert.deepEqual(kinds(off.messages), [...turn, ...turn])
    },
  )

  // ── tools ────────────────────────────────────────────────────────────────────

  bothWays(
    'additionalDirectories: tools may work there, and nowhere else',
    () => [
      { tools: [{ id: 'toolu_1', name: 'Read', input: { file_path: join(beside, 'note.txt') } }] },
      { tools: [{ id: 'toolu_2', name: 'Read', input: { file_path: '/etc/passwd' } }] },
      'Done.',
    ],
    {},
    async ({ options }) => {
      writeFileSync(join(beside, 'note.txt'), 'remember the milk')
      const run = await collect(query({ prompt: 'Go.', options: { ...options, additionalDirectories: [beside] } }))
      assert.match(String(resultTexts(run.messages)[0]), /remember the milk/)
      assert.deepEqual(
        run.result?.permission_denials.map(({ tool_use_id: id }) => id),
        ['toolu_2'],
      )
    },
  )
  bothWays(
    'allowedTools: a rule covers path commands inside the working directories, and what it does not name is not allowed',
    () => [bash('mkdir d1'), bash(`mkdir ${beside}/d1`), bash('node -e 1'), 'Done.'],
    { allowedTools: ['Bash(mkdir:*)'] },
    async ({ options }) => {
      const run = await collect(query({ prompt: 'Go.', options }))
      assert.deepEqual([existsSync(join(options.cwd, 'd1')), existsSync(join(beside, 'd1'))], [true, false])
      assert.deepEqual(
        run.result?.permission_denials.map(({ tool_input: { command } }) => command),
        [`mkdir ${beside}/d1`, 'node -e 1'],
      )
    },
  )

  bothWays(
    'includeToolOutput: tool_progress of a long command carries what it printed; without it only the seconds',
    () => [bash('echo one; sleep 2.5'), 'Done.', bash('echo one; sleep 2.5'), 'Done.'],
    { allowedTools: ['Bash'] },
    async ({ options }) => {
      const progress = async (includeToolOutput: boolean) => {
        const run = await collect(query({ prompt: 'Go.', options: { ...options, includeToolOutput } }))
        const [line] = run.messages.filter((m) => m.type === 'tool_progress')
        return [line?.tool_name, line?.elapsed_time_seconds, line?.output]
      }
      assert.deepEqual(await progress(true), ['Bash', 2, 'one\n'])
      assert.deepEqual(await progress(false), ['Bash', 2, undefined])
    },
  )

  // ── the agent and its host ───────────────────────────────────────────────────

  bothWays(
    'debug: a timeline on stderr; debugFile: in that file instead; secrets are masked',
    () => ['Hi.', 'Hi.', 'Hi.'],
    {},
    async ({ options }) => {
      const timeline = /^\[kedge [\d.]+\] ← .*"initialize"[\s\S]*^\[kedge [\d.]+\] → .*"result"/m
      const prompt = 'My key is sk-ant-api03-abcdef'
      const debug = listening({ ...options, debug: true })
      await collect(query({ prompt, options: debug }))
      assert.match(debug.heard(), timeline)
      assert.doesNotMatch(debug.heard(), /abcdef/)
      const alias = listening({ ...options, extraArgs: { 'debug-to-stderr': null } })
      await collect(query({ prompt, options: alias }))
      assert.match(alias.heard(), timeline)
      const debugFile = join(options.cwd, 'debug.txt')
      const file = listening({ ...options, debugFile })
      await collect(query({ prompt, options: file }))
      assert.equal(file.heard(), '')
      assert.match(readFileSync(debugFile, 'utf8'), timeline)
      assert.doesNotMatch(readFileSync(debugFile, 'utf8'), /abcdef/)
    },
  )

  bothWays(
    'timeoutMs that is over before the first message came: a result says so all the same',
    () => [],
    { timeoutMs: 1 },
    async ({ options }) => {
      async function* never() {
        await new Promise((resolve) => setTimeout(resolve, 300))
        yield* [] as SDKUserMessage[] // only the type
      }
      const run = await collect(query({ prompt: never(), options }))
      assert.deepEqual(kinds(run.messages), ['result'])
      assert.deepEqual([run.result?.terminal_reason, run.result?.is_error], ['timeout', true])
      assert.ok(run.error instanceof ProcessExitError)
    },
  )

  test('executable and executableArgs: the arguments come before the script, and stderr arrives', async () => {
    await using server = await startModelServer(['Hi.'])
    await using options = testOptions(server, {
      executable: 'node',
      executableArgs: ['--import', 'data:text/javascript,console.error("from an argument")'],
    })
    const heard = listening(options)
    const run = await collect(query({ prompt: 'Go.', options: heard }))
    assert.deepEqual([run.error, heard.heard()], [undefined, 'from an argument\n'])
  })
})
