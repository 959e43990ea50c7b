/** Hooks at events of the session itself: its start and end, rest, folders, files, tasks. */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type HookInput, type Options, query, type SDKUserMessage } from 'kedge'
import { collect, type TestOptions, type Turn } from 'kedge/testing'
import { bothWays, kinds } from './both-ways.js'

const PROJECT: Options = { settingSources: ['project'] }
const bash = (command: string): Turn => ({ tools: [{ name: 'Bash', input: { command } }] })

function settings(options: TestOptions, hooks: Record<string, object[]>): void {
  mkdirSync(join(options.cwd, '.claude'), { recursive: true })
  writeFileSync(join(options.cwd, '.claude', 'settings.json'), JSON.stringify({ hooks }))
}
const command = (text: string, matcher?: string) => ({
  ...(matcher === undefined ? {} : { matcher }),
  hooks: [{ type: 'command', command: text }],
})

/** Remembers what hooks are told, without what differs from run to run. */
function listener() {
  const told: HookInput[] = []
  let wake = () => {}
  const hook = async (input: HookInput) => {
    told.push(input)
    wake()
    return {}
  }
  const next = () =>
    new Promise<void>((resolve) => {
      wake = resolve
    })
  return { told, next, matchers: [{ hooks: [hook] }] }
}

bothWays(
  'SessionStart and Setup commands are told of before init; what they print, the model reads',
  () => ['Hi.'],
  { ...PROJECT, extraArgs: { init: null } },
  async ({ options, server }) => {
    settings(options, {
      Setup: [command('echo set-up', 'init'), command('echo never', 'maintenance')],
      SessionStart: [command('echo "starts in $CLAUDE_PROJECT_DIR"; cat > started.json', 'startup')],
    })
    const { messages, error } = await collect(query({ prompt: 'Go.', options }))
    assert.equal(error, undefined)
    // A hook that takes more than a second, on a busy machine, is told of once more.
    const order = kinds(messages).filter((kind) => kind !== 'system/hook_progress')
    assert.deepEqual(order, [
      ...['system/hook_started', 'system/hook_response', 'system/hook_started', 'system/hook_response'],
      ...['system/init', 'assistant', 'result'],
    ])
    const told = messages.flatMap((m) =>
      m.type === 'system' && m.subtype === 'hook_response' ? [[m.hook_name, m.stdout, m.exit_code, m.outcome]] : [],
    )
    assert.deepEqual(told, [
      ['Setup:init', 'set-up\n', 0, 'success'],
      ['SessionStart:startup', `starts in ${options.cwd}\n`, 0, 'success'],
    ])
    assert.match(JSON.stringify(server.requests[0]?.body), new RegExp(`starts in ${options.cwd}`))
    const input: unknown = JSON.parse(readFileSync(join(options.cwd, 'started.json'), 'utf8'))
    assert.ok(typeof input === 'object' && input !== null && 'source' in input && input.source === 'startup')
  },
)

bothWays(
  'includeHookEvents: every hook, callback or command, is told of; without it none of them',
  () => [bash('true'), 'Hi.', bash('true'), 'Hi.'],
  PROJECT,
  async ({ options }) => {
    // With `wait` in the folder it goes on until its progress was seen.
    const patient = 'echo checking >&2; while [ -e wait ]; do sleep 0.05; done'
    settings(options, { PreToolUse: [command(patient)] })
    const hooks: Options['hooks'] = { Stop: [{ hooks: [async () => ({})] }] }
    const quiet = await collect(query({ prompt: 'Go.', options: { ...options, hooks } }))
    assert.equal(
      kinds(quiet.messages).some((kind) => kind.includes('hook')),
      false,
    )
    const wait = join(options.cwd, 'wait')
    writeFileSync(wait, '')
    const told: unknown[] = []
    for await (const m of query({ prompt: 'Go.', options: { ...options, hooks, includeHookEvents: true } })) {
      if (m.type !== 'system') continue
      if (m.subtype === 'hook_response') told.push([m.hook_name, m.stderr, m.outcome])
      if (m.subtype !== 'hook_progress') continue
      assert.deepEqual([m.hook_name, m.stderr, m.output], ['PreToolUse:Bash', 'checking\n', 'checking\n'])
      rmSync(wait, { force: true })
    }
    assert.deepEqual(told, [
      ['PreToolUse:Bash', 'checking\n', 'success'],
      ['Stop', '', 'success'],
    ])
  },
)

bothWays(
  'SessionEnd: commands run at the end of the input, once, with a reason',
  () => ['Hi.'],
  PROJECT,
  async ({ options }) => {
    settings(options, { SessionEnd: [command('cat >> ended.jsonl; echo >> ended.jsonl')] })
    await collect(query({ prompt: 'Go.', options }))
    const lines = readFileSync(join(options.cwd, 'ended.jsonl'), 'utf8').trim().split('\n')
    assert.equal(lines.length, 1)
    assert.match(lines[0] ?? '', /"hook_event_name":"SessionEnd","reason":"other"/)
  },
)

bothWays(
  'CwdChanged: where the shell was and where it is; nothing when it stays',
  () => [bash('cd sub'), bash('ls'), 'Hi.'],
  {},
  async ({ options }) => {
    mkdirSync(join(options.cwd, 'sub'))
    const { told, matchers } = listener()
    await collect(query({ prompt: 'Go.', options: { ...options, hooks: { CwdChanged: matchers } } }))
    assert.deepEqual(
      told.map((input) => input.hook_event_name === 'CwdChanged' && [input.old_cwd, input.new_cwd]),
      [[options.cwd, join(options.cwd, 'sub')]],
    )
  },
)

bothWays(
  'TaskCreated and TaskCompleted: a hook may object, and the model reads why',
  () => [
    { tools: [{ id: 't1', name: 'TaskCreate', input: { subject: 'Good', description: 'd' } }] },
    { tools: [{ id: 't2', name: 'TaskCreate', input: { subject: 'Bad', description: 'd' } }] },
    { tools: [{ id: 't3', name: 'TaskUpdate', input: { taskId: '1', status: 'completed' } }] },
    { tools: [{ id: 't4', name: 'TaskList', input: {} }] },
    'Hi.',
  ],
  { ...PROJECT, tools: ['TaskCreate', 'TaskUpdate', 'TaskList'] },
  async ({ options, server }) => {
    settings(options, {
      TaskCreated: [command('grep -q Bad && { echo "no bad tasks" >&2; exit 2; }; true')],
      TaskCompleted: [command('echo "tests are missing" >&2; exit 2')],
    })
    await collect(query({ prompt: 'Go.', options }))
    const results = server.requests.flatMap(({ toolResults }) => toolResults)
    const byId = new Map(results.map(({ id, text, isError }) => [id, { text, isError }]))
    assert.equal(byId.get('t1')?.isError, false)
    assert.match(byId.get('t2')?.text ?? '', /^The task was not made: .*no bad tasks/)
    assert.match(byId.get('t3')?.text ?? '', /^The task is not done yet: .*tests are missing/)
    assert.match(byId.get('t4')?.text ?? '', /Good/)
    assert.doesNotMatch(byId.get('t4')?.text ?? '', /Bad/)
  },
)

bothWays(
  'FileChanged and ConfigChange tell of files that change while the session runs',
  () => ['Hi.', 'Bye.'],
  PROJECT,
  async ({ options }) => {
    settings(options, {})
    writeFileSync(join(options.cwd, '.env'), 'A=1')
    const files = listener()
    const config = listener()
    let release = () => {}
    async function* prompts(): AsyncGenerator<SDKUserMessage> {
      for (const content of ['One.', 'Two.']) {
        yield { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, session_id: '' }
        await new Promise<void>((resolve) => {
          release = resolve
        })
      }
    }
    const hooks = {
      FileChanged: files.matchers.map((matcher) => ({ ...matcher, matcher: '.env|.envrc' })),
      ConfigChange: config.matchers,
    }
    for await (const message of query({ prompt: prompts(), options: { ...options, hooks } })) {
      if (message.type !== 'result') continue
      if (files.told.length === 0) {
        const changed = [files.next(), config.next()]
        writeFileSync(join(options.cwd, 'other.txt'), 'x')
        writeFileSync(join(options.cwd, '.env'), 'A=22')
        settings(options, { Stop: [] })
        await Promise.all(changed)
      }
      release()
    }
    const [file] = files.told
    assert.ok(file?.hook_event_name === 'FileChanged')
    assert.deepEqual([file.file_path, file.event, files.told.length], [join(options.cwd, '.env'), 'change', 1])
    const [setting] = config.told
    assert.ok(setting?.hook_event_name === 'ConfigChange')
    assert.deepEqual(
      [setting.source, setting.file_path],
      ['project_settings', join(options.cwd, '.claude', 'settings.json')],
    )
  },
)

bothWays(
  'Notification: on a permission wait, and when the session rests',
  () => [bash('touch x'), 'Hi.'],
  {},
  async ({ options }) => {
    const { told, next, matchers } = listener()
    let release = () => {}
    async function* prompts(): AsyncGenerator<SDKUserMessage> {
      yield { type: 'user', message: { role: 'user', content: 'Go.' }, parent_tool_use_id: null, session_id: '' }
      await new Promise<void>((resolve) => {
        release = resolve
      })
    }
    const env = { ...options.env, KEDGE_IDLE_NOTIFICATION_MS: '20' }
    const more: Options = {
      env,
      hooks: { Notification: matchers },
      canUseTool: async () => ({ behavior: 'deny', message: 'No.' }),
    }
    for await (const message of query({ prompt: prompts(), options: { ...options, ...more } })) {
      if (message.type !== 'result') continue
      while (told.length < 2) await next()
      release()
    }
    assert.deepEqual(
      told.map((input) => input.hook_event_name === 'Notification' && input.notification_type),
      ['permission_prompt', 'idle_prompt'],
    )
  },
)

bothWays(
  'CLAUDE_ENV_FILE: what SessionStart commands export there, later commands have',
  () => [bash('echo "$FROM_HOOK-$QUOTED"'), 'Hi.'],
  { ...PROJECT, allowedTools: ['Bash'] },
  async ({ options, server }) => {
    settings(options, {
      SessionStart: [command(`echo 'export FROM_HOOK=yes; export QUOTED="a b"' >> "$CLAUDE_ENV_FILE"`)],
      Stop: [command('printenv CLAUDE_ENV_FILE > leaked; true')],
    })
    await collect(query({ prompt: 'Go.', options }))
    assert.equal(server.requests[1]?.toolResults[0]?.text, 'yes-a b')
    assert.equal(readFileSync(join(options.cwd, 'leaked'), 'utf8'), '')
  },
)
