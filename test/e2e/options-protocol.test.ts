/** The rest of the public surface that no other test runs: flags, variables, permission updates, events, messages, exports. */
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import * as kedge from 'kedge'
import {
  type CanUseTool,
  createSdkMcpServer,
  type HookInput,
  type Options,
  type PermissionUpdate,
  query,
  type SDKMessage,
  type SpawnOptions,
  tool,
  unstable_v2_createSession,
} from 'kedge'
import { collect, startModelServer, type Turn, testOptions } from 'kedge/testing'
import { runAgent } from '../../src/agent/run-agent.js'
import { nodePlatform } from '../../src/platform/node-platform.js'
import { createChannelPair } from '../../src/transport/channel.js'
import { eventually } from '../support/eventually.js'
import { isolationsOf, sampledTest } from '../support/tier.js'
import { bothWays, kinds } from './both-ways.js'

const cli = join(process.cwd(), 'dist', 'kedge.cjs')
const bash = (command: string, extra: object = {}): Turn => ({
  tools: [{ id: `toolu_${Buffer.from(command).toString('hex')}`, name: 'Bash', input: { command, ...extra } }],
})
const resultTexts = (messages: readonly SDKMessage[]) =>
  messages.flatMap((m) =>
    m.type === 'user' && Array.isArray(m.message.content)
      ? m.message.content.flatMap((block) => (block.type === 'tool_result' ? [String(block.content)] : []))
      : [],
  )

/** What would be started, without starting it. */
async function planned(options: Options): Promise<SpawnOptions> {
  let request: SpawnOptions | undefined
  const spawnClaudeCodeProcess = (asked: SpawnOptions): never => {
    request = asked
    throw new Error('not started')
  }
  const run = await collect(query({ prompt: 'x', options: { ...options, spawnClaudeCodeProcess } }))
  assert.match(String(run.error), /Failed to spawn Claude Code process: not started/)
  assert.ok(request)
  return request
}

describe('protocol', { concurrency: 8 }, () => {
  // ── flags and variables ────────────────────────────────────────────────────

  test('every option at once becomes the observed flags, in the observed order', async () => {
    const { args } = await planned({
      pathToClaudeCodeExecutable: cli,
      maxThinkingTokens: 2000,
      effort: 'low',
      maxTurns: 3,
      maxBudgetUsd: 1.5,
      model: 'claude-sonnet-4-5-20250929',
      agent: 'reviewer',
      betas: ['context-1m-2025-08-07'],
      outputFormat: { type: 'json_schema', schema: { type: 'object' } },
      debug: true,
      canUseTool: async () => ({ behavior: 'allow' }),
      continue: true,
      resume: 'some-id',
      allowedTools: ['Read', 'Bash(ls:*)'],
      disallowedTools: ['WebFetch'],
      tools: ['Bash', 'Read'],
      mcpServers: { calc: createSdkMcpServer({ name: 'calc' }) },
      settingSources: ['user', 'project'],
      strictMcpConfig: true,
      permissionMode: 'plan',
      allowDangerouslySkipPermissions: true,
      fallbackModel: 'haiku',
      includePartialMessages: true,
      additionalDirectories: ['/a', '/b'],
      plugins: [{ type: 'local', path: '/p' }],
      forkSession: true,
      resumeSessionAt: 'some-uuid',
      sessionId: 'new-id',
      persistSession: false,
      timeoutMs: 5000,
      includeToolOutput: true,
      extraArgs: { 'replay-user-messages': null, settings: '{"a":1}' },
      sandbox: { enabled: true },
    })
    assert.deepEqual(args, [
      cli,
      ...['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json'],
      ...['--max-thinking-tokens', '2000', '--effort', 'low', '--max-turns', '3', '--max-budget-usd', '1.5'],
      ...['--model', 'claude-sonnet-4-5-20250929', '--agent', 'reviewer', '--betas', 'context-1m-2025-08-07'],
      ...['--json-schema', '{"type":"object"}', '--debug', '--permission-prompt-tool', 'stdio'],
      ...['--continue', '--resume', 'some-id', '--allowedTools', 'Read,Bash(ls:*)', '--disallowedTools', 'WebFetch'],
      ...['--tools', 'Bash,Read', '--mcp-config', '{"mcpServers":{"calc":{"type":"sdk","name":"calc"}}}'],
      ...['--setting-sources', 'user,project', '--strict-mcp-config', '--permission-mode', 'plan'],
      ...['--allow-dangerously-skip-permissions', '--fallback-model', 'haiku', '--include-partial-messages'],
      ...['--add-dir', '/a', '--add-dir', '/b', '--plugin-dir', '/p', '--fork-session'],
      ...['--resume-session-at', 'some-uuid', '--session-id', 'new-id', '--no-session-persistence'],
      ...['--timeout', '5', '--include-tool-output', '--replay-user-messages'],
      ...['--settings', '{"a":1,"sandbox":{"enabled":true}}'],
    ])
    const others: [Options, string[]][] = [
      [{ tools: [] }, ['--tools', '']],
      [{ tools: { type: 'preset', preset: 'claude_code' } }, ['--tools', 'default']],
      [{ thinking: { type: 'disabled' } }, ['--thinking', 'disabled']],
      [{ maxThinkingTokens: 0 }, ['--thinking', 'disabled']],
      [{ thinking: { type: 'adaptive' } }, ['--thinking', 'adaptive']],
      [{ thinking: { type: 'enabled' } }, ['--thinking', 'adaptive']],
      [{ thinking: { type: 'enabled', budgetTokens: 9 } }, ['--max-thinking-tokens', '9']],
      [{ permissionPromptToolName: 'mcp__x__y' }, ['--permission-prompt-tool', 'mcp__x__y']],
      [{ debugFile: '/f' }, ['--debug-file', '/f']],
      [{ maxTurns: 0 }, []],
    ]
    const always = new Set(['--setting-sources', '', '--permission-mode', 'default'])
    for (const [options, flags] of others) {
      const { args: some } = await planned({ pathToClaudeCodeExecutable: cli, ...options })
      const own = some.slice(6).filter((arg, at, all) => !always.has(arg) || all[at - 1] === '--tools')
      assert.deepEqual(own, flags)
    }
  })

  test('the environment of an agent process', async () => {
    const env = { CLAUDE_CODE_ENTRYPOINT: 'mine', NODE_OPTIONS: '--x', DEBUG: '1', NODE_EXTRA_CA_CERTS: '/ca.pem' }
    assert.deepEqual((await planned({ env, enableFileCheckpointing: true })).env, {
      CLAUDE_CODE_ENTRYPOINT: 'mine',
      CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: 'true',
      CLAUDE_CODE_SDK_READS_SESSION_STATE: '1',
      KEDGE_EXTRA_CA_CERTS: '/ca.pem',
    })
    const foreign = await planned({ env: { NODE_EXTRA_CA_CERTS: '/ca.pem' }, pathToClaudeCodeExecutable: '/other/cli' })
    assert.deepEqual(foreign.env, {
      CLAUDE_CODE_ENTRYPOINT: 'sdk-ts',
      CLAUDE_CODE_SDK_READS_SESSION_STATE: '1',
      NODE_EXTRA_CA_CERTS: '/ca.pem',
    })
    const inherited = await planned({})
    assert.equal(inherited.env.CLAUDE_AGENT_SDK_VERSION, '0.2.50')
    assert.equal(inherited.env.PATH, process.env.PATH)
  })

  sampledTest('CLAUDE_CODE_EXECUTABLE names the agent program', async () => {
    assert.throws(() => query({ prompt: 'x', options: { env: { CLAUDE_CODE_EXECUTABLE: '/no/such/cli.js' } } }), {
      code: 'executable_not_found',
    })
    await using server = await startModelServer(['Hi.'])
    await using options = testOptions(server, { env: { CLAUDE_CODE_EXECUTABLE: cli } })
    const running = query({ prompt: 'Go.', options })
    const run = await collect(running)
    assert.deepEqual([run.error, typeof running.pid], [undefined, 'number'])
  })

  sampledTest('pathToClaudeCodeExecutable that is a bare word is looked up on the PATH', async () => {
    await using server = await startModelServer(['Hi.'])
    await using options = testOptions(server)
    const bin = join(options.cwd, 'bin')
    mkdirSync(bin)
    writeFileSync(join(bin, 'my-agent'), `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`, { mode: 0o755 })
    const env = { ...options.env, PATH: `${bin}:${options.env['PATH']}` }
    const running = query({ prompt: 'Go.', options: { ...options, env, pathToClaudeCodeExecutable: 'my-agent' } })
    const run = await collect(running)
    assert.deepEqual([run.error, typeof running.pid], [undefined, 'number'])
    const none = { ...options, env, pathToClaudeCodeExecutable: 'no-such-agent' }
    assert.throws(() => query({ prompt: 'x', options: none }), { code: 'executable_not_found' })
  })

  bothWays(
    'variables of the environment are in the request',
    () => ['Hi.', 'Hi.', 'Hi.'],
    {},
    async ({ options, server }) => {
      const env = {
        ...options.env,
        ANTHROPIC_API_KEY: undefined,
        ANTHROPIC_AUTH_TOKEN: 'a-token',
        ANTHROPIC_MODEL: 'sonnet',
        ANTHROPIC_DEFAULT_SONNET_MODEL: 'claude-sonnet-4-5-20250929',
        ANTHROPIC_CUSTOM_HEADERS: 'X-Team: blue',
        CLAUDE_CODE_MAX_OUTPUT_TOKENS: '9000',
        MAX_THINKING_TOKENS: '4000',
        CLAUDE_AGENT_SDK_CLIENT_APP: 'my-app/1.0',
      }
      await collect(query({ prompt: 'Go.', options: { ...options, model: undefined, env } }))
      const [first] = server.requests
      const { authorization, 'x-api-key': key, 'x-team': team, 'x-client-app': app } = first?.headers ?? {}
      assert.deepEqual([authorization, key, team, app], ['Bearer a-token', undefined, 'blue', 'my-app/1.0'])
      assert.deepEqual(
        [first?.body.model, first?.body['max_tokens'], first?.body['thinking']],
        ['claude-sonnet-4-5-20250929', 9000, { budget_tokens: 4000, type: 'enabled' }],
      )
      const aliases = { ANTHROPIC_DEFAULT_OPUS_MODEL: 'gateway-opus', ANTHROPIC_DEFAULT_HAIKU_MODEL: 'gateway-haiku' }
      for (const model of ['opus', 'haiku']) {
        await collect(query({ prompt: 'Go.', options: { ...options, env: { ...options.env, ...aliases }, model } }))
      }
      assert.deepEqual(
        server.requests.slice(1).map(({ body }) => body.model),
        ['gateway-opus', 'gateway-haiku'],
      )
    },
  )

  bothWays(
    'API_TIMEOUT_MS and CLAUDE_CODE_MAX_RETRIES bound the wait for an answer',
    () => [{ noAnswer: 'hang' }, { noAnswer: 'hang' }],
    { env: { API_TIMEOUT_MS: '1000', CLAUDE_CODE_MAX_RETRIES: '1' } },
    async ({ options, server }) => {
      const run = await collect(query({ prompt: 'Go.', options }))
      assert.deepEqual(kinds(run.messages), ['system/init', 'system/api_retry', 'assistant', 'result'])
      assert.deepEqual([run.result?.is_error, run.result?.error_code, server.requests.length], [true, 'timeout', 2])
    },
  )

  bothWays(
    'BASH_DEFAULT_TIMEOUT_MS, BASH_MAX_TIMEOUT_MS and BASH_MAX_OUTPUT_LENGTH bound commands',
    () => {
      const steps = [bash('sleep 5; exit'), bash('sleep 5', { timeout: 20_000 }), bash('seq 5000')]
      // The model is told of two tasks that end, in one turn or in two.
      return () => steps.shift() ?? 'Done.'
    },
    {
      allowedTools: ['Bash'],
      env: { BASH_DEFAULT_TIMEOUT_MS: '1500', BASH_MAX_TIMEOUT_MS: '2000', BASH_MAX_OUTPUT_LENGTH: '500' },
    },
    async ({ options }) => {
      const texts = resultTexts((await collect(query({ prompt: 'Go.', options }))).messages)
      for (const text of texts.slice(0, 2)) assert.match(String(text), /^Command running in background with ID: b/)
      assert.ok(texts[2] && texts[2].length < 1000, `${texts[2]?.length} characters`)
    },
  )

  bothWays(
    'DEBUG_CLAUDE_AGENT_SDK shows what the library sends and receives',
    () => ['Hi.'],
    { env: { DEBUG_CLAUDE_AGENT_SDK: '1' } },
    async ({ options }) => {
      let text = ''
      const stderr = (chunk: string) => {
        text += chunk
      }
      const env = { DEPLOY_TOKEN: 'hunter2-hunter2' }
      const mcpServers = { s: { command: process.execPath, args: ['--version'], env } }
      const more = { mcpServers, settings: { env: { OTHER_KEY: 'hunter3-hunter3' } }, stderr }
      await collect(query({ prompt: 'Go: hunter2-hunter2 hunter3-hunter3.', options: { ...options, ...more } }))
      // What masks secrets is loaded meanwhile, and nothing is shown before.
      await eventually('the last line', () => /← .*"result"/.test(text))
      assert.match(text, /→ .*"initialize"[\s\S]*→ .*Go: … …\.[\s\S]*← .*"result"/)
      assert.doesNotMatch(text, /hunter/)
    },
  )

  // ── permission updates, hooks, sessions ────────────────────────────────────

  const rule = (ruleContent: string) => ({ rules: [{ toolName: 'Bash', ruleContent }], behavior: 'allow' as const })
  const updates: Record<string, { updates: PermissionUpdate[]; asked: string[]; command?: string }> = {
    addRules: {
      updates: [{ type: 'addRules', ...rule('node a.js'), destination: 'session' }],
      asked: ['node a.js', 'node b.js'],
    },
    replaceRules: {
      updates: [
        { type: 'addRules', ...rule('node a.js'), destination: 'session' },
        { type: 'replaceRules', ...rule('node b.js'), destination: 'session' },
      ],
      asked: ['node a.js', 'node a.js'],
    },
    removeRules: {
      updates: [
        { type: 'addRules', ...rule('node:*'), destination: 'cliArg' },
        { type: 'removeRules', ...rule('node:*'), destination: 'cliArg' },
      ],
      asked: ['node a.js', 'node b.js', 'node a.js'],
    },
    setMode: {
      updates: [{ type: 'setMode', mode: 'dontAsk', destination: 'session' }],
      asked: ['node a.js'],
    },
    addDirectories: {
      updates: [{ type: 'addDirectories', directories: ['/'], destination: 'session' }],
      asked: ['cat /etc/hostname'],
      command: 'cat /etc/hostname',
    },
    removeDirectories: {
      updates: [
        { type: 'addDirectories', directories: ['/'], destination: 'session' },
        { type: 'removeDirectories', directories: ['/'], destination: 'session' },
      ],
      asked: ['cat /etc/hostname', 'cat /etc/hostname', 'cat /etc/hostname'],
      command: 'cat /etc/hostname',
    },
  }
  for (const [name, { updates: list, asked, command }] of Object.entries(updates)) {
    bothWays(
      `the permission update ${name} decides what is asked next`,
      () => {
        const commands = command ? [command, command, command] : ['node a.js', 'node b.js', 'node a.js']
        return [...commands.map((c, at): Turn => bash(`${c}${' '.repeat(at)}`)), 'Done.']
      },
      {},
      async ({ options }) => {
        const seen: string[] = []
        const canUseTool: CanUseTool = async (_, input) => {
          seen.push(String(input.command).trim())
          return seen.length === 1
            ? { behavior: 'allow', updatedPermissions: list, updatedInput: { command: 'true' } }
            : { behavior: 'deny', message: 'no' }
        }
        await collect(query({ prompt: 'Go.', options: { ...options, canUseTool } }))
        assert.deepEqual(seen, asked)
      },
    )
  }

  for (const destination of ['userSettings', 'projectSettings', 'localSettings'] as const) {
    test(`a permission update for ${destination} holds for the session, and is in its file for the next`, async () => {
      await using server = await startModelServer([bash('node a.js'), bash('node  a.js'), 'Done.'])
      let stderr = ''
      let asked = 0
      const canUseTool: CanUseTool = async () => {
        asked += 1
        const update = { type: 'addRules', ...rule('node:*'), destination } as const
        return { behavior: 'allow', updatedInput: { command: 'true' }, updatedPermissions: [update] }
      }
      await using options = testOptions(server, {
        canUseTool,
        stderr: (text) => {
          stderr += text
        },
      })
      await collect(query({ prompt: 'Go.', options }))
      assert.equal(asked, 1)
      assert.equal(stderr, '')
      const project = join(options.cwd, '.claude')
      const files = {
        userSettings: join(options.env.CLAUDE_CONFIG_DIR ?? '', 'settings.json'),
        projectSettings: join(project, 'settings.json'),
        localSettings: join(project, 'settings.local.json'),
      }
      const saved = JSON.parse(readFileSync(files[destination], 'utf8'))
      assert.deepEqual(saved, { permissions: { allow: ['Bash(node:*)'] } })
    })
  }

  bothWays(
    'plan mode runs reads and asks for writes',
    () => [bash('ls'), { tools: [{ id: 'toolu_w', name: 'Write', input: { file_path: 'a', content: '' } }] }, 'Done.'],
    { permissionMode: 'plan' },
    async ({ options }) => {
      const asked: string[] = []
      const canUseTool: CanUseTool = async (name) => {
        asked.push(name)
        return { behavior: 'deny', message: 'no' }
      }
      await collect(query({ prompt: 'Go.', options: { ...options, canUseTool } }))
      assert.deepEqual(asked, ['Write'])
    },
  )

  bothWays(
    'Notification, PermissionDenied, PostToolBatch and StopFailure reach their hooks; Setup also with --maintenance',
    () => [bash('node a.js'), { status: 400 }],
    { extraArgs: { maintenance: null } },
    async ({ options }) => {
      const seen: HookInput[] = []
      const watch = async (input: HookInput) => {
        seen.push(input)
        return {}
      }
      const events = ['Notification', 'PermissionDenied', 'PostToolBatch', 'StopFailure', 'Setup'] as const
      const hooks = Object.fromEntries(events.map((event) => [event, [{ hooks: [watch] }]]))
      const silent = { PermissionRequest: [{ hooks: [async () => ({})] }] }
      await collect(query({ prompt: 'Go.', options: { ...options, hooks: { ...hooks, ...silent } } }))
      const told = seen.map((input) => {
        if (input.hook_event_name === 'Notification') return [input.hook_event_name, input.notification_type]
        if (input.hook_event_name === 'PermissionDenied') return [input.hook_event_name, input.tool_name]
        if (input.hook_event_name === 'PostToolBatch') return [input.hook_event_name, input.tool_calls.length]
        if (input.hook_event_name === 'StopFailure') return [input.hook_event_name, input.error]
        return [input.hook_event_name, input.hook_event_name === 'Setup' && input.trigger]
      })
      assert.deepEqual(told, [
        ['Setup', 'maintenance'],
        ['Notification', 'permission_prompt'],
        ['PermissionDenied', 'Bash'],
        ['PostToolBatch', 1],
        ['StopFailure', 'unknown'],
      ])
    },
  )

  bothWays(
    'SessionStart says whether the session is new or goes on',
    () => ['One.', 'Two.'],
    {},
    async ({ options }) => {
      const sources: string[] = []
      const watch = async (input: HookInput) => {
        if (input.hook_event_name === 'SessionStart') sources.push(input.source)
        return {}
      }
      const hooks = { SessionStart: [{ hooks: [watch] }] }
      const first = await collect(query({ prompt: 'Go.', options: { ...options, hooks } }))
      await collect(query({ prompt: 'On.', options: { ...options, hooks, resume: first.result?.session_id } }))
      assert.deepEqual(sources, ['startup', 'resume'])
    },
  )

  for (const way of ['isolation', 'pathToClaudeCodeExecutable', 'executable'] as const) {
    sampledTest(`a v2 session takes its options: ${way}, tools, permissions, hooks`, async () => {
      await using server = await startModelServer([bash('node a.js'), bash('touch made'), 'Done.'])
      await using base = testOptions(server)
      const events: string[] = []
      const asked: unknown[] = []
      const ways: Record<typeof way, Partial<Options>> = {
        isolation: { isolation: 'in-process' },
        pathToClaudeCodeExecutable: { pathToClaudeCodeExecutable: cli },
        executable: { executable: 'node', executableArgs: ['--no-warnings'] },
      }
      await using session = unstable_v2_createSession({
        ...base,
        ...ways[way],
        model: 'claude-sonnet-4-5-20250929',
        env: { ...base.env, ANTHROPIC_CUSTOM_HEADERS: 'X-Session: v2' },
        permissionMode: 'acceptEdits',
        allowedTools: ['Bash(node:*)'],
        disallowedTools: ['Grep'],
        canUseTool: async (_, input) => {
          asked.push(input)
          return { behavior: 'allow' }
        },
        hooks: {
          Stop: [
            {
              hooks: [
                async ({ hook_event_name: name }) => {
                  events.push(name)
                  return {}
                },
              ],
            },
          ],
        },
      })
      await session.send('Go.')
      const run = await collect(session.stream())
      assert.equal(run.error, undefined)
      assert.equal(session.sessionId, run.result?.session_id)
      assert.deepEqual([asked, events, existsSync(join(base.cwd, 'made'))], [[], ['Stop'], true])
      const [request] = server.requests
      assert.deepEqual(
        [request?.tools.includes('Grep'), request?.body.model, request?.headers['x-session']],
        [false, 'claude-sonnet-4-5-20250929', 'v2'],
      )
    })
  }

  // ── messages ───────────────────────────────────────────────────────────────

  bothWays(
    'auth_status around the run of an apiKeyHelper',
    () => ['Hi.'],
    { env: { ANTHROPIC_API_KEY: undefined } },
    async ({ options, server }) => {
      const settings = { apiKeyHelper: 'echo sk-ant-from-the-helper' }
      writeFileSync(join(options.env.CLAUDE_CONFIG_DIR ?? '', 'settings.json'), JSON.stringify(settings))
      const run = await collect(query({ prompt: 'Go.', options }))
      assert.deepEqual(kinds(run.messages), ['system/init', 'auth_status', 'auth_status', 'assistant', 'result'])
      const statuses = run.messages.flatMap((m) => (m.type === 'auth_status' ? [m.isAuthenticating] : []))
      assert.deepEqual(statuses, [true, false])
      assert.equal(server.requests[0]?.headers['x-api-key'], 'sk-ant-from-the-helper')
      assert.doesNotMatch(JSON.stringify(run.messages), /from-the-helper/)
    },
  )

  test('keep_alive on an idle connection; session_state_changed for a host that asks for it', async () => {
    for (const asks of [true, false]) {
      await using server = await startModelServer(['Hi.'])
      await using options = testOptions(server, {
        env: asks ? { CLAUDE_CODE_SDK_READS_SESSION_STATE: '1' } : {},
      })
      const [host, agent] = createChannelPair<object, object>()
      const { cwd, env } = options
      const ended = runAgent({
        argv: ['--output-format=stream-json', '--verbose', '--input-format=stream-json', '--model=haiku'],
        cwd,
        env,
        home: env.HOME ?? '',
        platform: nodePlatform(),
        channel: agent,
        keepAliveMs: 30,
        stderr: () => {},
        signal: new AbortController().signal,
      })
      // As a host of 0.3.x does: a list.
      const request = { subtype: 'initialize', systemPrompt: ['Be brief.', 'Be kind.'] }
      void host.send({ type: 'control_request', request_id: 'i', request })
      void host.send({
        type: 'user',
        message: { role: 'user', content: 'Hi.' },
        parent_tool_use_id: null,
        session_id: '',
      })
      const seen: string[] = []
      for await (const message of host.incoming) {
        const { type, subtype, state } = message as { type: string; subtype?: string; state?: string } // our own agent's
        if (type === 'keep_alive' && seen.at(-1) === type) continue
        seen.push(state ?? subtype ?? type)
        if (type !== 'keep_alive' || !seen.includes('success')) continue
        // Of the two ways to end it, one each.
        if (asks) void host.send({ type: 'control_request', request_id: 'e', request: { subtype: 'end_session' } })
        else host.end()
      }
      assert.equal(await ended, 0)
      assert.equal(server.requests[0]?.system, 'Be brief.\n\nBe kind.')
      const turn = seen.filter((kind) => kind !== 'keep_alive' && kind !== 'control_response')
      assert.deepEqual(
        turn,
        asks ? ['running', 'init', 'assistant', 'success', 'idle'] : ['init', 'assistant', 'success'],
      )
      assert.equal(seen.at(-1), asks ? 'control_response' : 'keep_alive')
    }
  })

  test('what newer hosts ask for in initialize and is not there: refused by name where it would matter, else named on stderr', async () => {
    const harmless = { agentProgressSummaries: true, excludeDynamicSections: true }
    for (const more of [{ plugins: [] }, harmless]) {
      await using server = await startModelServer(more === harmless ? ['Hi.'] : [])
      await using options = testOptions(server)
      const [host, agent] = createChannelPair<object, object>()
      const { cwd, env } = options
      let stderr = ''
      const ended = runAgent({
        argv: ['--output-format=stream-json', '--verbose', '--input-format=stream-json', '--model=haiku'],
        cwd,
        env,
        home: env.HOME ?? '',
        platform: nodePlatform(),
        channel: agent,
        stderr: (text) => {
          stderr += text
        },
        signal: new AbortController().signal,
      })
      const message = { role: 'user', content: 'Hi.' }
      void host.send({ type: 'control_request', request_id: 'i', request: { subtype: 'initialize', ...more } })
      void host.send({ type: 'user', message, parent_tool_use_id: null, session_id: '' })
      host.end()
      const lines: SDKMessage[] = []
      for await (const line of host.incoming) lines.push(line as SDKMessage) // our own agent's
      const results = lines.flatMap((line) => (line.type === 'result' ? [line] : []))
      if (more === harmless) {
        assert.deepEqual([await ended, results.length, server.requests.length], [0, 1, 1])
        assert.match(stderr, /does not have: agentProgressSummaries, excludeDynamicSections\n/)
        continue
      }
      const [name = ''] = Object.keys(more)
      assert.deepEqual([await ended, results.length, server.requests.length], [1, 1, 0], name)
      assert.match(JSON.stringify(results), new RegExp(`The option ${name} is not supported by this version of Kedge`))
    }
  })

  sampledTest(
    'an agent of another make: its own messages pass, those between programs do not, odd requests are answered',
    async () => {
      const lines = [
        { type: 'keep_alive' },
        { type: 'streamlined_text', text: 'x' },
        { type: 'streamlined_tool_use_summary', tool_summary: 'x' },
        { type: 'system', subtype: 'session_state_changed', state: 'running', sdk_host_only: true },
        { type: 'rate_limit_event', rate_limit_info: {} },
        { type: 'tool_use_summary', summary: 'x' },
        { type: 'system', subtype: 'brand_new' },
        { type: 'control_request', request_id: 'r1', request: { subtype: 'mcp_message', server_name: 'none' } },
        { type: 'control_request', request_id: 'r2', request: { subtype: 'zzz' } },
        { type: 'control_request', request_id: 'r3', request: { subtype: 'hook_callback', callback_id: 'hook_99' } },
        { type: 'control_request', request_id: 'r4', request: { subtype: 'can_use_tool', tool_name: 'x', input: {} } },
      ]
      // Ends when it has its four answers, which it repeats as a message.
      const program = `
      for (const line of ${JSON.stringify(lines)}) console.log(JSON.stringify(line))
      const answers = []
      require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { type, response } = JSON.parse(line)
        if (type === 'control_response') answers.push(response.error)
        if (answers.length < 4) return
        console.log(JSON.stringify({ type: 'answers', answers }))
        process.exit()
      })`
      const spawnClaudeCodeProcess = ({ env }: SpawnOptions) =>
        spawn(process.execPath, ['-e', program], { env, stdio: ['pipe', 'pipe', 'inherit'] })
      const options = { pathToClaudeCodeExecutable: '/other/agent', spawnClaudeCodeProcess }
      const run = await collect(query({ prompt: 'Go.', options }))
      assert.deepEqual(run.error, undefined)
      assert.deepEqual(run.messages, [
        ...lines.slice(4, 7),
        {
          type: 'answers',
          answers: [
            'SDK MCP server not found: none',
            'Unsupported control request subtype: zzz',
            'No hook callback found for ID: hook_99',
            'canUseTool callback is not provided.',
          ],
        },
      ])
    },
  )

  bothWays(
    'interrupt with a scope ends the running turn with its result',
    () => [bash('sleep 30'), bash('sleep 31')],
    { allowedTools: ['Bash'] },
    async ({ options }) => {
      for (const scope of ['turn', 'all'] as const) {
        const running = query({ prompt: 'Go.', options })
        for await (const message of running) {
          if (message.type === 'assistant') await running.interrupt({ scope })
          if (message.type === 'result') assert.match(message.terminal_reason ?? '', /^aborted_/)
        }
      }
    },
  )

  // ── exports ────────────────────────────────────────────────────────────────

  test('what the package exports', () => {
    assert.deepEqual(Object.keys(kedge), [
      ...['AbortError', 'BUILTIN_TOOL_NAMES', 'ConfigurationError', 'EXIT_REASONS', 'HOOK_EVENTS'],
      ...['InMemorySessionStore', 'KedgeError', 'LEGACY_TOOL_NAME_ALIASES', 'ORG_POLICY_LIMIT_PREFIXES'],
      ...['ProcessExitError', 'SYSTEM_PROMPT_DYNAMIC_BOUNDARY', 'USAGE_LIMIT_ERROR_PREFIXES'],
      ...['USAGE_TRANSITION_PREFIXES', 'USAGE_WARNING_PREFIXES', 'archiveSession', 'createSdkMcpServer'],
      ...['deleteSession', 'explainPermission', 'filterEscalatingDefaultMode', 'foldSessionSummary'],
      ...['folderTrust', 'forkSession'],
      ...['getSessionInfo', 'getSessionMessages', 'getSubagentMessages', 'importSessionToStore', 'listSessions'],
      ...['listSubagents', 'matchDeniedModels', 'prewarm', 'query', 'renameSession', 'resolveSettings', 'startup'],
      ...['tagSession', 'tool', 'trustFolder', 'unarchiveSession'],
      ...['unstable_v2_createSession', 'unstable_v2_prompt', 'unstable_v2_resumeSession'],
    ])
    assert.deepEqual(kedge.EXIT_REASONS, [
      ...['clear', 'logout', 'prompt_input_exit', 'other', 'bypass_permissions_disabled'],
    ])
    assert.deepEqual([kedge.HOOK_EVENTS[0], kedge.HOOK_EVENTS[17]], ['PreToolUse', 'WorktreeRemove'])
  })

  for (const isolation of isolationsOf('tool() and createSdkMcpServer() describe a server')) {
    test(`tool() and createSdkMcpServer() describe a server (${isolation})`, async () => {
      await using server = await startModelServer(['Hi.'])
      const handler = async () => ({ content: [] })
      const add = tool('add', 'Adds.', {}, handler, { annotations: { readOnlyHint: true } })
      const annotations = { readOnlyHint: true }
      assert.deepEqual(add, { name: 'add', description: 'Adds.', inputSchema: {}, handler, annotations })
      const calc = createSdkMcpServer({ name: 'calc', tools: [add] })
      await using options = testOptions(server, { isolation, mcpServers: { calc } })
      const running = query({ prompt: 'Go.', options })
      const run = await collect(running)
      const init = run.messages.find((message) => message.type === 'system' && message.subtype === 'init')
      assert.deepEqual(init && 'mcp_servers' in init ? init.mcp_servers : undefined, [
        { name: 'calc', status: 'connected' },
      ])
    })
  }

  sampledTest('explainPermission and kedge permissions explain say the same, as they are shipped', async () => {
    await using server = await startModelServer([])
    await using options = testOptions(server)
    const { cwd, env } = options
    const call = { tool: 'Bash', input: { command: 'make all && ls' } }
    const expected = await kedge.explainPermission({ ...call, cwd, home: env.HOME, rules: { allow: ['Bash(make *)'] } })
    assert.deepEqual([expected.behavior, expected.rule, expected.parts?.length], ['allow', 'Bash(make *)', 2])
    const run = (...more: string[]) =>
      new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
        const argv = [cli, 'permissions', 'explain', ...more]
        execFile(process.execPath, argv, { cwd, env }, (error, stdout, stderr) =>
          resolve({ code: error?.code ?? 0, stdout, stderr }),
        ).stdin?.end()
      })
    const shown = await run(
      '--tool',
      'Bash',
      '--input',
      JSON.stringify(call.input),
      '--allow',
      'Bash(make *)',
      '--json',
    )
    const { behavior, layer, rule, parts } = JSON.parse(shown.stdout)
    assert.deepEqual([shown.code, behavior, layer, rule], [0, expected.behavior, expected.layer, expected.rule])
    assert.equal(parts.length, 2)
    const wrong = await run('--nope')
    assert.deepEqual([wrong.code, wrong.stdout], [1, ''])
    assert.match(wrong.stderr, /kedge permissions explain --help/)
  })
})
