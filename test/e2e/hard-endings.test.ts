import assert from 'node:assert/strict'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CanUseTool, KedgeError, query, type SDKUserMessage, unstable_v2_createSession } from 'kedge'
import { collect, startModelServer, type Turn, testOptions } from 'kedge/testing'
import { isolationsOf, sampledTest as test } from '../support/tier.js'
import { bothWays } from './both-ways.js'

const say = (content: string): SDKUserMessage => ({
  type: 'user',
  message: { role: 'user', content },
  parent_tool_use_id: null,
  session_id: '',
})
const bash = (id: string, command: string): Turn => ({ tools: [{ id, name: 'Bash', input: { command } }] })
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

for (const isolation of isolationsOf('messages that wait are dropped by')) {
  test(`messages that wait are dropped by close(): nothing of them runs (${isolation})`, async () => {
    await using server = await startModelServer(() => bash(`toolu_${Math.random()}`, 'sleep 0.3; echo x >> ran.txt'))
    await using options = testOptions(server, { isolation, allowedTools: ['Bash'], maxTurns: 1 })
    async function* prompts() {
      for (const text of ['One.', 'Two.', 'Three.']) yield say(text)
    }
    const running = query({ prompt: prompts(), options })
    for await (const message of running) if (message.type === 'assistant') break
    await running.closed
    await pause(600)
    assert.equal(existsSync(join(options.cwd, 'ran.txt')), false)
    assert.ok(server.requests.length <= 1)
  })

  test(`several reads at once are served in order (${isolation})`, async () => {
    await using server = await startModelServer(['Hi.'])
    await using options = testOptions(server, { isolation })
    const running = query({ prompt: 'Hi.', options })
    const reads = await Promise.all(Array.from({ length: 5 }, () => running.next()))
    assert.deepEqual(
      reads.map(({ value, done }) => (done ? 'done' : value?.type)),
      ['system', 'assistant', 'result', 'done', 'done'],
    )
  })

  test(`a reader that stopped reading does not hold up a time-out (${isolation})`, async () => {
    await using server = await startModelServer(() => ({ text: 'x'.repeat(60_000), chunk: 1 }))
    await using options = testOptions(server, { isolation, includePartialMessages: true, timeoutMs: 1500 })
    const running = query({ prompt: 'Talk.', options })
    await running.next()
    await pause(2500)
    const run = await collect(running)
    assert.equal(run.result?.terminal_reason, 'timeout')
  })

  test(`what is sent when nobody takes it any more is refused (${isolation})`, async () => {
    await using server = await startModelServer(['Hi.', 'Hi.'])
    await using options = testOptions(server, { isolation })
    const running = query({ prompt: 'Hi.', options })
    await collect(running)
    const more = (async function* () {
      yield say('More.')
    })()
    await assert.rejects(running.streamInput(more), { code: 'transport_closed' })
    const session = unstable_v2_createSession({ ...options, model: 'sonnet' })
    await session.send('Hi.')
    await collect(session.stream())
    session.close()
    await assert.rejects(session.send('More.'), { code: 'session_closed' })
  })
}

bothWays(
  'a message that comes during the last tool call of a limited turn gets a turn of its own',
  () => [bash('toolu_a', 'sleep 0.6'), 'Second.'],
  { allowedTools: ['Bash'], maxTurns: 1 },
  async ({ options, server }) => {
    let started: () => void = () => {}
    const running = new Promise<void>((resolve) => {
      started = resolve
    })
    async function* prompts() {
      yield say('First.')
      await running
      yield say('Meanwhile.')
    }
    const results = []
    for await (const message of query({ prompt: prompts(), options })) {
      if (message.type === 'assistant') started()
      if (message.type === 'result') results.push([message.subtype, message.terminal_reason])
    }
    assert.deepEqual(results, [
      ['error_max_turns', 'max_turns'],
      ['success', 'completed'],
    ])
    assert.match(server.requests[1]?.prompt ?? '', /Meanwhile/)
  },
)

bothWays(
  'a host that edits what it is shown does not change what runs, nor gets past a deny rule',
  () => [bash('toolu_a', 'echo kept > a.txt'), bash('toolu_b', 'echo b'), 'Done.'],
  { disallowedTools: ['Bash(rm:*)'] },
  async ({ options, server }) => {
    writeFileSync(join(options.cwd, 'victim.txt'), 'x')
    const canUseTool: CanUseTool = async (_, input) => {
      if (input.command === 'echo b') input.command = 'rm victim.txt'
      return { behavior: 'allow', updatedInput: input }
    }
    const ask = {
      PreToolUse: [
        {
          hooks: [
            async () => ({
              hookSpecificOutput: { hookEventName: 'PreToolUse' as const, permissionDecision: 'ask' as const },
            }),
          ],
        },
      ],
    }
    for await (const message of query({ prompt: 'Go.', options: { ...options, canUseTool, hooks: ask } })) {
      if (message.type !== 'assistant') continue
      for (const block of message.message.content)
        if (block.type === 'tool_use') block.input = { command: '[redacted]' }
    }
    assert.equal(readFileSync(join(options.cwd, 'a.txt'), 'utf8'), 'kept\n')
    assert.equal(existsSync(join(options.cwd, 'victim.txt')), true)
    assert.doesNotMatch(JSON.stringify(server.requests.at(-1)?.body), /redacted/)
    assert.match(
      server.requests[2]?.toolResults[0]?.text ?? '',
      /Permission to use Bash with command rm victim.txt has been denied/,
    )
  },
)

bothWays(
  'a PreToolUse decision in the wrong place is a failure, not an approval',
  () => [bash('toolu_a', 'echo a'), 'Done.'],
  { allowedTools: ['Bash'] },
  async ({ options, server }) => {
    const misplaced = { hookSpecificOutput: { hookEventName: 'PostToolUse' as const, permissionDecision: 'deny' } }
    await collect(
      query({ prompt: 'Go.', options: { ...options, hooks: { PreToolUse: [{ hooks: [async () => misplaced] }] } } }),
    )
    assert.match(server.requests[1]?.toolResults[0]?.text ?? '', /PreToolUse hook hook_0 failed: .*hookEventName/)
  },
)

bothWays(
  'a fork can not overwrite a session that exists',
  () => ['One.', 'Two.'],
  {},
  async ({ options }) => {
    const first = await collect(query({ prompt: 'One.', options }))
    const second = await collect(query({ prompt: 'Two.', options }))
    const taken = second.result?.session_id ?? ''
    let stderr = ''
    const fork = { resume: first.result?.session_id, forkSession: true, sessionId: taken }
    const run = await collect(
      query({ prompt: 'x', options: { ...options, ...fork, stderr: (text) => (stderr += text) } }),
    )
    assert.ok(run.error instanceof Error)
    assert.match(stderr, /already in use/)
  },
)

bothWays(
  'deny rules given twice add up',
  () => ['Done.'],
  { disallowedTools: ['Write'], extraArgs: { disallowedTools: 'Bash' } },
  async ({ options, server }) => {
    await collect(query({ prompt: 'Go.', options }))
    assert.deepEqual(
      server.requests[0]?.tools.filter((name) => name === 'Write' || name === 'Bash'),
      [],
    )
  },
)

test('a relative cwd and a stderr callback that throws do no harm', async () => {
  await using server = await startModelServer([
    { tools: [{ id: 'toolu_w', name: 'Write', input: { file_path: 'a.txt', content: 'x' } }] },
    'Done.',
  ])
  await using options = testOptions(server, { permissionMode: 'acceptEdits', debug: true })
  const { relative } = await import('node:path')
  const cwd = relative(process.cwd(), options.cwd)
  const stderr = () => {
    throw new Error('from stderr')
  }
  const run = await collect(query({ prompt: 'Go.', options: { ...options, cwd, stderr } }))
  assert.equal(run.error, undefined)
  assert.equal(existsSync(join(options.cwd, 'a.txt')), true)
})

test('an agent program that talks nonsense and ignores SIGTERM is ended; one whose grandchild keeps the pipe is not waited for', async () => {
  await using server = await startModelServer([])
  await using options = testOptions(server)
  const program = (name: string, code: string) => {
    const path = join(options.cwd, name)
    writeFileSync(path, `#!/usr/bin/env node\n${code}`)
    chmodSync(path, 0o755)
    return path
  }
  const nonsense = program(
    'nonsense',
    `process.on('SIGTERM', () => {}); console.log('this is not json'); setInterval(() => {}, 1000)`,
  )
  const bad = query({ prompt: 'x', options: { ...options, pathToClaudeCodeExecutable: nonsense } })
  const run = await collect(bad)
  assert.ok(KedgeError.isInstance(run.error))
  assert.equal(run.error.code, 'invalid_output')
  await bad.closed

  const line = JSON.stringify({ type: 'system', subtype: 'init', session_id: 's', uuid: 'u' })
  const forks = program(
    'forks',
    `console.log(${JSON.stringify(line)}); const g = require('child_process').spawn('sh', ['-c', 'sleep 60; touch waited'], { stdio: ['ignore', 'inherit', 'ignore'], detached: true }); g.unref(); setTimeout(() => process.exit(3), 100)`,
  )
  const left = await collect(query({ prompt: 'x', options: { ...options, pathToClaudeCodeExecutable: forks } }))
  assert.equal(left.messages.length, 1)
  assert.equal(left.error instanceof Error && left.error.message, 'Claude Code process exited with code 3')
  // What is left of an agent is ended with it: nobody waited until it ended by itself.
  assert.equal(existsSync(join(options.cwd, 'waited')), false)
})

test('nothing of an ended query keeps its process alive', async () => {
  const { execFileSync } = await import('node:child_process')
  const script = `
    import { query } from 'kedge'
    const hooks = { SessionEnd: [{ hooks: [async () => ({})] }] }
    for await (const _ of query({ prompt: 'list the files', options: { model: 'practice', hooks, persistSession: false } }));
    const closed = query({ prompt: 'list the files', options: { model: 'practice', persistSession: false } })
    await closed.next()
    closed.close()
    await closed.closed
    await new Promise(setImmediate)
    console.log(JSON.stringify(process.getActiveResourcesInfo().filter((kind) => /Timeout|TCP|Process/.test(kind))))`
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  assert.equal(output.trim(), '[]')
})
