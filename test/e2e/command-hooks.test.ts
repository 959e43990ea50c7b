/** Commands of settings files and plugins around prompts, tools and the end of a turn: the hook matrix through query(). */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Options, query, type SDKMessage } from 'kedge'
import { collect, type ModelServer, type TestOptions, type Turn } from 'kedge/testing'
import { bothWays, kinds } from './both-ways.js'

const PROJECT: Options = { settingSources: ['project'] }
const bash = (command: string, id = 'toolu_1'): Turn => ({ tools: [{ id, name: 'Bash', input: { command } }] })
const touch = () => bash('touch made')
const made = ({ cwd }: { cwd: string }) => existsSync(join(cwd, 'made'))

type Entry = { command: string; timeout?: number; async?: boolean; matcher?: string }
const groups = (entries: readonly Entry[]) =>
  entries.map(({ matcher, ...hook }) => ({
    ...(matcher === undefined ? {} : { matcher }),
    hooks: [{ type: 'command', ...hook }],
  }))

function settings({ cwd }: TestOptions, hooks: Record<string, Entry[]>, more: object = {}): void {
  mkdirSync(join(cwd, '.claude'), { recursive: true })
  const file = {
    hooks: Object.fromEntries(Object.entries(hooks).map(([event, list]) => [event, groups(list)])),
    ...more,
  }
  writeFileSync(join(cwd, '.claude', 'settings.json'), JSON.stringify(file))
}

function plugin({ cwd }: TestOptions, hooks: Record<string, Entry[]>): NonNullable<Options['plugins']> {
  const path = join(cwd, 'my plugin')
  mkdirSync(join(path, '.claude-plugin'), { recursive: true })
  mkdirSync(join(path, 'hooks'), { recursive: true })
  writeFileSync(join(path, '.claude-plugin', 'plugin.json'), JSON.stringify({ name: 'mine' }))
  const all = Object.fromEntries(Object.entries(hooks).map(([event, list]) => [event, groups(list)]))
  writeFileSync(join(path, 'hooks', 'hooks.json'), JSON.stringify({ hooks: all }))
  return [{ type: 'local', path }]
}

const json = (output: object) => `echo '${JSON.stringify(output)}'`
const specific = (hookEventName: string, fields: object) => json({ hookSpecificOutput: { hookEventName, ...fields } })
const texts = (messages: readonly SDKMessage[]) =>
  messages.flatMap((m) => (m.type === 'user' && Array.isArray(m.message.content) ? m.message.content : []))
const resultOf = (server: ModelServer, request = 1) => server.requests[request]?.toolResults[0]
const lastMessage = (server: ModelServer, request: number) =>
  JSON.stringify(server.requests[request]?.body.messages.at(-1)?.content)

bothWays(
  'PreToolUse exit code 2: the call is not made, the model reads what the hook printed',
  () => [touch(), 'Ok.'],
  { ...PROJECT, allowedTools: ['Bash'] },
  async ({ options, server }) => {
    settings(options, { PreToolUse: [{ command: 'echo "not here" >&2; exit 2' }] })
    const { result } = await collect(query({ prompt: 'Go.', options }))
    assert.deepEqual([made(options), result?.permission_denials], [false, []])
    const command = 'echo "not here" >&2; exit 2'
    assert.deepEqual(resultOf(server)?.text, `PreToolUse:Bash hook error: [${command}]: not here\n`)
  },
)

bothWays(
  'C28 PreToolUse exit code 2 with nothing on stderr: blocked, with a reason of ours',
  () => [touch(), 'Ok.'],
  { ...PROJECT, allowedTools: ['Bash'] },
  async ({ options, server }) => {
    settings(options, { PreToolUse: [{ command: 'exit 2' }] })
    await collect(query({ prompt: 'Go.', options }))
    assert.equal(made(options), false)
    assert.equal(resultOf(server)?.text, 'PreToolUse:Bash hook error: [exit 2]: No stderr output')
  },
)

bothWays(
  'C26 a command that prints 10 MB: cut with a note',
  () => [bash('echo hi'), 'Ok.'],
  PROJECT,
  async ({ options, server }) => {
    const context = '"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"'
    settings(options, {
      UserPromptSubmit: [{ command: "printf '%010000000d' 0" }],
      PreToolUse: [{ command: "printf '%010000000d' 0" }],
      PostToolUse: [{ command: `printf '%s%010000000d%s' '{${context}' 0 '"}}'` }],
    })
    const { result } = await collect(query({ prompt: 'Go.', options }))
    assert.equal(result?.subtype, 'success')
    for (const request of [0, 1]) {
      assert.match(lastMessage(server, request), /\[cut: the hook sent 10000000 characters\]/)
      assert.ok(lastMessage(server, request).length < 110_000)
    }
  },
)

const CRASHES: Record<string, Entry> = {
  'is not there': { command: './no-such-guard.sh' },
  'is killed': { command: 'kill -9 $$' },
  'takes too long': { command: 'sleep 60', timeout: 0.2 },
  'prints broken JSON': { command: `echo '{"decision": block'` },
  'says nothing that counts': { command: json({ decision: 'deny' }) },
  'prints a log line first': { command: `echo checking; ${json({ decision: 'block' })}` },
}
for (const [name, entry] of Object.entries(CRASHES)) {
  bothWays(
    `a PreToolUse command that ${name} means the tool does not run`,
    () => [touch(), 'Ok.'],
    { ...PROJECT, allowedTools: ['Bash'] },
    async ({ options, server }) => {
      settings(options, { PreToolUse: [{ command: json({ decision: 'approve' }) }, entry] })
      const { result } = await collect(query({ prompt: 'Go.', options }))
      assert.deepEqual([made(options), result?.subtype], [false, 'success'])
      assert.match(resultOf(server)?.text ?? '', /^PreToolUse hook \[.*\] failed: /s)
    },
  )
}

bothWays(
  'PreToolUse exit code 1 is no decision: what is allowed runs, what is not does not',
  () => [bash('echo hi'), 'Ok.', touch(), 'Ok.'],
  PROJECT,
  async ({ options, server }) => {
    settings(options, { PreToolUse: [{ command: 'echo oops >&2; exit 1' }] })
    const errors: string[] = []
    const stderr = (text: string) => errors.push(text)
    await collect(query({ prompt: 'Go.', options: { ...options, stderr } }))
    await collect(query({ prompt: 'Go.', options }))
    assert.deepEqual([resultOf(server, 1)?.text, made(options)], ['hi', false])
    const file = join(options.cwd, '.claude', 'settings.json')
    assert.match(errors.join(''), new RegExp(`Hook PreToolUse:Bash \\[.*\\] of ${file}: exit code 1: oops`))
  },
)

bothWays(
  'PreToolUse allow runs without asking, but not past a deny rule; updatedInput is what runs',
  () => [bash('true', 'a'), bash('touch other', 'b'), 'Ok.'],
  { ...PROJECT, disallowedTools: ['Bash(touch other)'] },
  async ({ options, server }) => {
    const allowed = { permissionDecision: 'allow', updatedInput: { command: 'touch made' } }
    settings(options, {
      PreToolUse: [
        {
          command: `if grep -q other; then ${specific('PreToolUse', { permissionDecision: 'allow' })}; else ${specific('PreToolUse', allowed)}; fi`,
        },
      ],
    })
    await collect(query({ prompt: 'Go.', options }))
    assert.deepEqual([made(options), existsSync(join(options.cwd, 'other'))], [true, false])
    assert.equal(resultOf(server, 2)?.isError, true)
  },
)

bothWays(
  'matchers choose by tool; the same command of several places runs once',
  () => [bash('echo hi'), 'Ok.'],
  PROJECT,
  async ({ options }) => {
    const see = (name: string) => `echo ${name} >> seen`
    settings(options, {
      PreToolUse: [
        { matcher: 'Bash', command: see('exact') },
        { matcher: 'Read|Bash', command: see('list') },
        { matcher: 'B.s', command: see('expression') },
        { matcher: 'Read', command: see('other') },
        { matcher: '*', command: see('exact') },
      ],
    })
    const plugins = plugin(options, { PreToolUse: [{ command: see('exact') }] })
    await collect(query({ prompt: 'Go.', options: { ...options, plugins } }))
    const seen = readFileSync(join(options.cwd, 'seen'), 'utf8').trim().split('\n').sort()
    // The plugin's has a folder of its own to look into: that is another command.
    assert.deepEqual(seen, ['exact', 'exact', 'expression', 'list'])
  },
)

bothWays(
  'PostToolUse: exit code 2 and context are for the model; updatedToolOutput replaces the result',
  () => [bash('echo hi'), 'Ok.'],
  PROJECT,
  async ({ options, server }) => {
    settings(options, {
      PostToolUse: [
        { command: 'echo "format it" >&2; exit 2' },
        { command: specific('PostToolUse', { additionalContext: 'it rains', updatedToolOutput: 'ho' }) },
      ],
    })
    await collect(query({ prompt: 'Go.', options }))
    assert.equal(resultOf(server)?.text, 'ho')
    assert.match(lastMessage(server, 1), /A hook objects to Bash echo hi: format it.*it rains/s)
  },
)

bothWays(
  'UserPromptSubmit: what it prints is context; exit code 2 blocks the prompt',
  () => ['Ok.'],
  PROJECT,
  async ({ options, server }) => {
    settings(options, {
      UserPromptSubmit: [{ command: `if grep -q '"prompt":"secret"'; then echo no >&2; exit 2; fi; echo it rains` }],
    })
    await collect(query({ prompt: 'Go.', options }))
    assert.match(server.requests[0]?.opening ?? '', /<system-reminder>\\?n?\n?it rains/)
    const blocked = await collect(query({ prompt: 'secret', options }))
    assert.deepEqual(kinds(blocked.messages), ['system/init', 'result'])
    assert.deepEqual([blocked.result?.num_turns, server.requests.length], [0, 1])
  },
)

bothWays(
  'Stop exit code 2: the model goes on with what the hook printed',
  () => ['One.', 'Two.'],
  PROJECT,
  async ({ options }) => {
    const command = `if grep -q '"stop_hook_active":true'; then exit 0; fi; echo "keep going" >&2; exit 2`
    settings(options, { Stop: [{ command }] })
    const { messages, result } = await collect(query({ prompt: 'Go.', options }))
    assert.deepEqual(texts(messages), [{ type: 'text', text: `Stop hook feedback:\n[${command}]: keep going\n` }])
    assert.equal(result?.subtype === 'success' && result.result, 'Two.')
  },
)

bothWays(
  'a Stop hook that always blocks ends: at maxTurns, and without it after 20 times',
  () => Array.from({ length: 3 + 21 }, (_, index) => `Answer ${index}.`),
  PROJECT,
  async ({ options, server }) => {
    settings(options, { Stop: [{ command: 'exit 2' }] })
    const limited = await collect(query({ prompt: 'Go.', options: { ...options, maxTurns: 3 } }))
    assert.deepEqual([limited.result?.subtype, server.requests.length], ['error_max_turns', 3])
    const { messages, result } = await collect(query({ prompt: 'Go.', options }))
    assert.deepEqual([result?.subtype, server.requests.length], ['success', 3 + 21])
    const notice = messages.find((m) => m.type === 'system' && m.subtype === 'informational')
    assert.match(JSON.stringify(notice), /Stop hooks sent the model back 20 times/)
  },
)

for (const [name, command, allowed] of [
  ['allows', specific('PermissionRequest', { decision: { behavior: 'allow' } }), true],
  ['denies', specific('PermissionRequest', { decision: { behavior: 'deny', message: 'hook says no' } }), false],
  ['denies by exit code 2', 'echo "hook says no" >&2; exit 2', false],
] as const) {
  bothWays(
    `a PermissionRequest command ${name}, with nobody else to ask`,
    () => [touch(), 'Ok.'],
    PROJECT,
    async ({ options, server }) => {
      settings(options, { PermissionRequest: [{ command }] })
      const { result } = await collect(query({ prompt: 'Go.', options }))
      assert.deepEqual([made(options), result?.permission_denials.length], [allowed, allowed ? 0 : 1])
      if (!allowed) assert.match(resultOf(server)?.text ?? '', /hook says no/)
    },
  )
}

bothWays(
  'a PermissionRequest command that crashes leaves it to the host, whatever others say',
  () => [touch(), 'Ok.'],
  PROJECT,
  async ({ options }) => {
    const allow = specific('PermissionRequest', { decision: { behavior: 'allow' } })
    settings(options, { PermissionRequest: [{ command: allow }, { command: 'kill -9 $$' }] })
    let asked = 0
    const canUseTool: Options['canUseTool'] = async () => {
      asked += 1
      return { behavior: 'deny', message: 'No.' }
    }
    await collect(query({ prompt: 'Go.', options: { ...options, canUseTool } }))
    assert.deepEqual([asked, made(options)], [1, false])
  },
)

bothWays(
  'systemMessage reaches the host',
  () => [bash('echo hi'), 'Ok.'],
  PROJECT,
  async ({ options }) => {
    settings(options, { PreToolUse: [{ command: json({ systemMessage: 'mind the gap', suppressOutput: true }) }] })
    const { messages } = await collect(query({ prompt: 'Go.', options }))
    const said = messages.flatMap((m) => (m.type === 'system' && m.subtype === 'informational' ? [m.content] : []))
    assert.deepEqual(said, ['mind the gap'])
  },
)

bothWays(
  'an async command does not hold the turn up; what it says later, the model reads with the next request',
  () => [bash('touch go; until [ -e said ]; do sleep 0.05; done', 'a'), bash('echo hi', 'b'), 'Ok.'],
  { ...PROJECT, allowedTools: ['Bash'], includeHookEvents: true },
  async ({ options, server }) => {
    const late = specific('PreToolUse', { additionalContext: 'late news' })
    const command = `if grep -q echo; then exit 0; fi; until [ -e go ]; do sleep 0.05; done; ${late}`
    settings(options, { PreToolUse: [{ async: true, command }] })
    for await (const message of query({ prompt: 'Go.', options })) {
      const isOver = message.type === 'system' && message.subtype === 'hook_response'
      if (isOver) writeFileSync(join(options.cwd, 'said'), '')
    }
    assert.match(lastMessage(server, 1), /late news/)
    assert.doesNotMatch(lastMessage(server, 2), /late news/)
  },
)

bothWays(
  'commands know the project and their plugin, and none of our keys',
  () => ['Ok.'],
  PROJECT,
  async ({ options, server }) => {
    settings(options, { UserPromptSubmit: [{ command: 'env > "$CLAUDE_PROJECT_DIR/env-settings"' }] })
    const plugins = plugin(options, {
      UserPromptSubmit: [{ command: 'cd / && env > "$CLAUDE_PLUGIN_ROOT/env-plugin"; echo "from the plugin"' }],
    })
    await collect(query({ prompt: 'Go.', options: { ...options, plugins } }))
    for (const path of ['env-settings', 'my plugin/env-plugin']) {
      const env = readFileSync(join(options.cwd, path), 'utf8')
      assert.match(env, new RegExp(`^CLAUDE_PROJECT_DIR=${options.cwd}$`, 'm'))
      assert.doesNotMatch(env, /^ANTHROPIC_(API_KEY|AUTH_TOKEN)=/m)
    }
    assert.match(server.requests[0]?.opening ?? '', /from the plugin/)
  },
)

bothWays(
  'without the source, or with disableAllHooks of the user, none of them is run',
  () => ['Ok.', 'Ok.', 'Ok.'],
  {},
  async ({ options }) => {
    settings(options, { UserPromptSubmit: [{ command: 'echo x >> ran' }] })
    const configDir = options.env['CLAUDE_CONFIG_DIR'] ?? ''
    const ran = () => existsSync(join(options.cwd, 'ran'))
    await collect(query({ prompt: 'Go.', options }))
    assert.equal(ran(), false)
    const off = { ...options, settingSources: ['user', 'project'] } satisfies Options
    writeFileSync(join(configDir, 'settings.json'), JSON.stringify({ disableAllHooks: true }))
    await collect(query({ prompt: 'Go.', options: off }))
    assert.equal(ran(), false)
    writeFileSync(join(configDir, 'settings.json'), '{}')
    await collect(query({ prompt: 'Go.', options: off }))
    assert.equal(ran(), true)
  },
)
