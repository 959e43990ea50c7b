/** What becomes of background work when a turn is over: `onTurnEnd` and `backgroundCeilingMs`. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ConfigurationError, deleteSession, type Options, query, type SDKMessage, type SDKUserMessage } from 'kedge'
import { collect, startModelServer, type Turn, testOptions } from 'kedge/testing'
import { isolationsOf } from '../support/tier.js'
import { bothWays, kinds, withoutTaskNews } from './both-ways.js'

const bash = (id: string, command: string): Turn => ({
  tools: [{ id, name: 'Bash', input: { command, description: id, run_in_background: true } }],
})
const say = (content: string): SDKUserMessage => ({
  type: 'user',
  message: { role: 'user', content },
  parent_tool_use_id: null,
  session_id: '',
})
const tools = { allowedTools: ['Bash'] }
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
async function until(condition: () => boolean): Promise<void> {
  for (const end = Date.now() + 30_000; !condition(); await pause(10)) assert.ok(Date.now() < end, 'waited in vain')
}

const notices = (messages: readonly SDKMessage[]) =>
  messages.flatMap((message) =>
    message.type === 'system' && message.subtype === 'task_notification' ? [[message.status, message.summary]] : [],
  )
const outcomes = (messages: readonly SDKMessage[]) =>
  messages.flatMap((message) =>
    message.type === 'result' ? [[message.subtype, message.is_error, message.terminal_reason]] : [],
  )

for (const [name, options, reason] of [
  ["onTurnEnd: 'cancel'", { onTurnEnd: 'cancel' }, "onTurnEnd is 'cancel'"],
  ['backgroundCeilingMs', { backgroundCeilingMs: 300 }, 'it went on longer than backgroundCeilingMs, 300 ms'],
] satisfies [string, Options, string][]) {
  bothWays(
    `${name} stops each task with the reason, then one result says so, without the model`,
    () => [{ tools: [one('toolu_1'), one('toolu_2')] }, 'Started.'],
    { ...tools, ...options },
    async ({ options, server }) => {
      const run = await collect(query({ prompt: 'Go.', options }))
      assert.deepEqual(notices(run.messages).sort(), [
        ['stopped', `Background command "toolu_1" was stopped (${reason})`],
        ['stopped', `Background command "toolu_2" was stopped (${reason})`],
      ])
      assert.deepEqual(outcomes(run.messages), [
        ['success', false, 'completed'],
        ['error_during_execution', true, 'background_cancelled'],
      ])
      assert.deepEqual(kinds(withoutTaskNews(run.messages)).slice(-4), ['result', ...NOTICES, 'result'])
      const { result } = run
      assert.ok(result && result.subtype !== 'success')
      const [said = '', named = ''] = (result.errors[0] ?? '').split(/: (?=b)/)
      assert.match(said, /^Background work was stopped, because /)
      // Both started at once, and either may have been the first.
      assert.deepEqual(named.match(/toolu_\d/g)?.sort(), ['toolu_1', 'toolu_2'])
      assert.deepEqual(
        [result.error_code, result.num_turns, result.pending_tasks],
        ['background_cancelled', 0, undefined],
      )
      assert.equal(server.requests.length, 2)
      assert.match(String(run.error), /^Error: (Claude Code process exited with code 1: )?[^C]/)
    },
  )
}
const NOTICES = ['system/task_notification', 'system/task_notification']
function one(id: string) {
  return { id, name: 'Bash', input: { command: 'sleep 300', description: id, run_in_background: true } }
}

bothWays(
  'the ceiling counts from the last turn of the user, and work that ends in time is no matter of it',
  () => [bash('quick', 'sleep 0.1'), 'Started.', 'Heard.'],
  { ...tools, backgroundCeilingMs: 60_000 },
  async ({ options }) => {
    const run = await collect(query({ prompt: 'Go.', options }))
    assert.equal(run.error, undefined)
    assert.deepEqual(outcomes(run.messages), [
      ['success', false, 'completed'],
      ['success', false, 'completed'],
    ])
  },
)

bothWays(
  "with 'cancel' a session goes on with the next message",
  () => [bash('server', 'sleep 300'), 'Started.', 'Second.'],
  { ...tools, onTurnEnd: 'cancel' },
  async ({ options }) => {
    let next = () => {}
    const canceled = new Promise<void>((resolve) => {
      next = resolve
    })
    async function* prompts() {
      yield say('Go.')
      await canceled
      yield say('And now?')
    }
    const messages: SDKMessage[] = []
    for await (const message of query({ prompt: prompts(), options })) {
      messages.push(message)
      if (message.type === 'result' && message.is_error) next()
    }
    assert.deepEqual(
      outcomes(messages).map(([, , reason]) => reason),
      ['completed', 'background_cancelled', 'completed'],
    )
  },
)

bothWays(
  "with 'detach' the query ends, its work goes on while the host lives, and close() ends it",
  () => [
    bash('server', 'echo $$ > pid; until [ -e go ]; do sleep 0.05; done; echo went > done; sleep 300'),
    'Started.',
  ],
  { ...tools, onTurnEnd: 'detach' },
  async ({ options, server }) => {
    const running = query({ prompt: 'Go.', options })
    const run = await collect(running)
    assert.equal(run.error, undefined)
    assert.deepEqual(outcomes(run.messages), [['success', false, 'completed']])
    assert.equal(run.result?.pending_tasks?.length, 1)
    writeFileSync(join(options.cwd, 'go'), '')
    await until(() => existsSync(join(options.cwd, 'done')))
    const pid = Number(readFileSync(join(options.cwd, 'pid'), 'utf8'))
    assert.ok(isAlive(pid))
    running.close()
    await running.closed
    await until(() => !isAlive(pid))
    assert.equal(server.requests.length, 2)
  },
)

bothWays(
  "with 'detach' the agent ends when its work does, and no turn follows",
  () => [bash('short', 'until [ -e go ]; do sleep 0.05; done'), 'Started.'],
  { ...tools, onTurnEnd: 'detach' },
  async ({ options, server }) => {
    const running = query({ prompt: 'Go.', options })
    await collect(running)
    writeFileSync(join(options.cwd, 'go'), '')
    // Of itself it would not keep this process alive.
    const timer = setInterval(() => {}, 1000)
    await running.closed
    clearInterval(timer)
    assert.equal(server.requests.length, 2)
  },
)

bothWays(
  "with 'detach' the model hears with the next message what has ended meanwhile",
  () => [bash('short', 'until [ -e go ]; do sleep 0.05; done'), 'Started.', 'I see.'],
  { ...tools, onTurnEnd: 'detach' },
  async ({ options, server }) => {
    let next = () => {}
    const ended = new Promise<void>((resolve) => {
      next = resolve
    })
    async function* prompts() {
      yield say('Go.')
      await ended
      yield say('What happened?')
    }
    const messages: SDKMessage[] = []
    for await (const message of query({ prompt: prompts(), options })) {
      messages.push(message)
      if (message.type === 'result') writeFileSync(join(options.cwd, 'go'), '')
      if (message.type === 'system' && message.subtype === 'task_notification') next()
    }
    assert.equal(outcomes(messages).length, 2)
    assert.match(JSON.stringify(server.requests[2]?.body), /<status>completed<\/status>[\s\S]*What happened\?/)
  },
)

for (const isolation of isolationsOf('a program that let go of')) {
  test(`a program that let go of work in the background ends, and the work with it (${isolation})`, async () => {
    await using server = await startModelServer([bash('server', 'echo $$ > pid; exec sleep 300'), 'Started.'])
    await using options = testOptions(server, { ...tools, isolation, onTurnEnd: 'detach' })
    const program = `
      import { query } from 'kedge'
      import { existsSync } from 'node:fs'
      const options = ${JSON.stringify({ ...options })}
      for await (const message of query({ prompt: 'Go.', options })) console.log(message.type)
      while (!existsSync(options.cwd + '/pid')) await new Promise((resolve) => setTimeout(resolve, 20))`
    // Not synchronously: the model answers from here.
    const { execFile } = await import('node:child_process')
    const output = await new Promise<string>((resolve, reject) =>
      execFile(process.execPath, ['--input-type=module', '-e', program], (error, text) =>
        error ? reject(error) : resolve(text),
      ),
    )
    assert.match(output, /result\n$/)
    const pid = Number(readFileSync(join(options.cwd, 'pid'), 'utf8'))
    await until(() => !isAlive(pid))
  })
}

test('on the command line: --on-turn-end and --background-ceiling', async () => {
  await using server = await startModelServer([
    bash('server', 'sleep 300'),
    'Started.',
    bash('server', 'sleep 300'),
    'Started.',
  ])
  await using options = testOptions(server)
  const { spawn } = await import('node:child_process')
  for (const [flags, expected] of [
    [['--on-turn-end', 'cancel'], 1],
    [['--background-ceiling', '0.2'], 1],
  ] as const) {
    const args = [
      join(process.cwd(), 'dist', 'kedge.cjs'),
      '-p',
      'Go.',
      '--allowedTools',
      'Bash',
      '--model',
      'sonnet',
      ...flags,
    ]
    const child = spawn(process.execPath, args, {
      cwd: options.cwd,
      env: options.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let errors = ''
    child.stderr.on('data', (chunk) => {
      errors += chunk
    })
    assert.equal(await new Promise((resolve) => child.on('close', resolve)), expected)
    assert.match(errors, /Background work was stopped/)
  }
  const cli = (...flags: string[]) => {
    try {
      return execFileSync(process.execPath, [join(process.cwd(), 'dist', 'kedge.cjs'), '-p', 'x', ...flags], {
        stdio: 'pipe',
      })
    } catch (error) {
      return String(error)
    }
  }
  assert.match(String(cli('--on-turn-end', 'never')), /wait, detach, cancel/)
})

test('values that mean nothing are refused by name', () => {
  // A caller in plain JavaScript.
  const options = (value: object): Options => value
  assert.throws(() => query({ prompt: 'x', options: options({ onTurnEnd: 'stop' }) }), ConfigurationError)
  for (const backgroundCeilingMs of [-1, Number.NaN, '5'])
    assert.throws(() => query({ prompt: 'x', options: options({ backgroundCeilingMs }) }), ConfigurationError)
})

bothWays(
  'outputs of background work go with their session: deleteSession() removes them, and a session that is not kept its own',
  () => [bash('toolu_1', 'echo done'), 'Started.', 'Seen.', bash('toolu_2', 'echo done'), 'Started.', 'Seen.'],
  tools,
  async ({ options }) => {
    const outputOf = (messages: readonly SDKMessage[]) =>
      messages.flatMap((one) =>
        one.type === 'system' && one.subtype === 'task_notification' ? one.output_file : [],
      )[0] ?? ''
    const run = await collect(query({ prompt: 'Go.', options }))
    const output = outputOf(run.messages)
    assert.equal(readFileSync(output, 'utf8'), 'done\n')
    // What is not ours is not removed, whoever wrote it into the list.
    const other = join(options.cwd, 'other.txt')
    writeFileSync(other, '')
    const id = run.results[0]?.session_id ?? ''
    const config = options.env['CLAUDE_CONFIG_DIR'] ?? ''
    const folder = join(config, 'projects', options.cwd.replace(/[^a-zA-Z0-9]/g, '-'), id)
    appendFileSync(join(folder, 'outputs.list'), `${JSON.stringify(other)}\n{"torn\n`)
    const before = process.env['CLAUDE_CONFIG_DIR']
    process.env['CLAUDE_CONFIG_DIR'] = config
    try {
      await deleteSession(id)
    } finally {
      if (before === undefined) delete process.env['CLAUDE_CONFIG_DIR']
      else process.env['CLAUDE_CONFIG_DIR'] = before
    }
    assert.deepEqual([output, other, folder].map(existsSync), [false, true, false])
    const unkept = await collect(query({ prompt: 'Go.', options: { ...options, persistSession: false } }))
    assert.match(outputOf(unkept.messages), /\.output$/)
    assert.equal(existsSync(outputOf(unkept.messages)), false)
  },
)
