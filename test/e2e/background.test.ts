/** Commands in the background, as a host sees them: announced, listed, reported, stopped, and never lost. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { query, type SDKMessage, type SDKResultMessage } from 'kedge'
import { collect, startModelServer, type Turn, testOptions } from 'kedge/testing'
import { bothWays, kinds, withoutTaskNews } from './both-ways.js'

const bash = (id: string, input: object): Turn => ({ tools: [{ id, name: 'Bash', input }] })
const WAIT = { command: 'until test -e go; do sleep 0.05; done' }
const taskTools = { allowedTools: ['Bash'] }

type System = Extract<SDKMessage, { type: 'system' }>
type Notice = Extract<System, { subtype: 'task_notification' }>

const notices = (messages: readonly SDKMessage[]) =>
  messages.filter((m): m is Notice => m.type === 'system' && m.subtype === 'task_notification')
const backgroundId = (messages: readonly SDKMessage[]): string => {
  for (const message of messages) {
    const output: unknown = message.type === 'user' ? message.tool_use_result : undefined
    if (typeof output === 'object' && output !== null && 'backgroundTaskId' in output)
      return String(output.backgroundTaskId)
  }
  throw new Error('no background task')
}
const outcome = (result: SDKResultMessage | undefined) =>
  result && { subtype: result.subtype, pending: result.pending_tasks?.map(({ description }) => description) }

bothWays(
  'a background command: the turn ends first, its end starts a turn of its own, the query ends after that',
  () => [
    bash('toolu_1', {
      command: 'echo start; sleep 0.5; echo finish',
      description: 'slow echo',
      run_in_background: true,
    }),
    'Started.',
    'I see.',
  ],
  taskTools,
  async ({ options, server }) => {
    const run = await collect(query({ prompt: 'Go.', options }))
    assert.equal(run.error, undefined)
    assert.deepEqual(kinds(run.messages), [
      'system/init',
      'assistant',
      'system/background_tasks_changed',
      'user',
      'assistant',
      'system/task_started',
      'result',
      'system/background_tasks_changed',
      'system/task_updated',
      'system/task_notification',
      'system/init',
      'assistant',
      'result',
    ])
    // `pending_tasks` of each result.
    assert.deepEqual(run.results.map(outcome), [
      { subtype: 'success', pending: ['slow echo'] },
      { subtype: 'success', pending: undefined },
    ])
    const id = backgroundId(run.messages)
    const running = { task_id: id, task_type: 'local_bash', description: 'slow echo' }
    assert.deepEqual(
      run.messages.flatMap((m) => (m.type === 'system' && m.subtype === 'background_tasks_changed' ? [m.tasks] : [])),
      [[running], []],
    )
    const [updated] = run.messages.flatMap((m) => (m.type === 'system' && m.subtype === 'task_updated' ? [m] : []))
    assert.deepEqual([updated?.task_id, updated?.patch.status], [id, 'completed'])
    assert.equal(typeof updated?.patch.end_time, 'number')
    const [notice] = notices(run.messages)
    assert.ok(notice)
    assert.deepEqual(
      [notice.task_id, notice.tool_use_id, notice.status, notice.summary],
      [id, 'toolu_1', 'completed', 'Background command "slow echo" completed (exit code 0)'],
    )
    assert.equal(readFileSync(notice.output_file, 'utf8'), 'start\nfinish\n')
    assert.equal(statSync(notice.output_file).mode & 0o777, 0o600)
    assert.equal(
      server.requests[1]?.toolResults[0]?.text,
      `Command running in background with ID: ${id}. Output is being written to: ${notice.output_file}\nLook at it with TaskOutput; end it with TaskStop.`,
    )
    assert.match(server.requests[2]?.prompt ?? '', new RegExp(`<task-id>${id}</task-id>[^]*<status>completed</status>`))
  },
)

bothWays(
  'CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: a caller sees that a turn is over, and still all of what goes on behind it',
  () => [bash('toolu_1', { command: `${WAIT.command}; echo x > went`, run_in_background: true }), 'Started.', 'I see.'],
  { ...taskTools, env: { CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1' } },
  async ({ options }) => {
    const seen: string[] = []
    for await (const message of query({ prompt: 'Go.', options })) {
      const state = message.type === 'system' && message.subtype === 'session_state_changed' ? message.state : undefined
      if (state || message.type === 'result') seen.push(state ?? message.type)
      // Only now: the state must not wait for the command.
      if (state === 'idle') writeFileSync(`${options.cwd}/go`, '')
    }
    assert.deepEqual(seen, ['running', 'result', 'idle', 'running', 'result', 'idle'])
    assert.ok(existsSync(`${options.cwd}/went`))
  },
)

bothWays(
  'a background command that fails is reported as failed',
  () => [bash('toolu_1', { command: 'exit 7', run_in_background: true }), 'Started.', 'Oh.'],
  taskTools,
  async ({ options }) => {
    const run = await collect(query({ prompt: 'Go.', options }))
    const [notice] = notices(run.messages)
    assert.deepEqual(
      [notice?.status, notice?.summary],
      ['failed', 'Background command "exit 7" failed with exit code 7'],
    )
  },
)

bothWays(
  'TaskOutput and TaskStop find the task; who stopped it gets no turn about it, the host is still told',
  () => [
    bash('toolu_1', { command: 'echo up; sleep 300', description: 'server', run_in_background: true }),
    ({ toolResults }) => {
      const id = /ID: (\w+)/.exec(toolResults[0]?.text ?? '')?.[1]
      return { tools: [{ id: 'toolu_2', name: 'TaskOutput', input: { task_id: id, block: false } }] }
    },
    ({ toolResults }) => {
      const id = /<task_id>(\w+)/.exec(toolResults[0]?.text ?? '')?.[1]
      return { tools: [{ id: 'toolu_3', name: 'TaskStop', input: { task_id: id } }] }
    },
    'Stopped.',
  ],
  taskTools,
  async ({ options, server }) => {
    const run = await collect(query({ prompt: 'Go.', options }))
    assert.equal(run.error, undefined)
    assert.equal(run.results.length, 1)
    assert.deepEqual(outcome(run.result), { subtype: 'success', pending: undefined })
    assert.equal(server.requests.length, 4)
    assert.deepEqual(
      notices(run.messages).map(({ status }) => status),
      ['stopped'],
    )
    assert.match(server.requests[2]?.toolResults[0]?.text ?? '', /<status>running<\/status>/)
  },
)

bothWays(
  'stopTask (stop_task) ends a task for the host; an unknown id is an error',
  () => [bash('toolu_1', { command: 'sleep 300', run_in_background: true }), 'Started.'],
  taskTools,
  async ({ options }) => {
    const running = query({ prompt: 'Go.', options })
    const messages: SDKMessage[] = []
    for await (const message of running) {
      messages.push(message)
      if (message.type !== 'result') continue
      await assert.rejects(running.stopTask('b000000'), /No task found with ID: b000000/)
      await running.stopTask(backgroundId(messages))
    }
    assert.deepEqual(kinds(withoutTaskNews(messages)).slice(-2), ['result', 'system/task_notification'])
    const patches = messages.flatMap((m) => (m.type === 'system' && m.subtype === 'task_updated' ? [m.patch] : []))
    assert.deepEqual(
      patches.map(({ status }) => status),
      ['killed'],
    )
  },
)

bothWays(
  'a command that reaches its time limit goes on in the background',
  () => [bash('toolu_1', { command: 'echo one; sleep 4; echo two', timeout: 200 }), 'Waiting.', 'Done.'],
  taskTools,
  async ({ options }) => {
    const run = await collect(query({ prompt: 'Go.', options }))
    const [notice] = notices(run.messages)
    assert.equal(notice?.status, 'completed')
    assert.equal(readFileSync(notice?.output_file ?? '', 'utf8'), 'one\ntwo\n')
    assert.equal(run.results.length, 2)
  },
)

bothWays(
  'backgroundTasks (background_tasks) moves the running command to the background, where its output is still told',
  () => [bash('toolu_1', { command: 'until test -e go; do sleep 0.05; done; echo went' }), 'Moved.', 'Done.'],
  { ...taskTools, includeToolOutput: true },
  async ({ options }) => {
    const running = query({ prompt: 'Go.', options })
    const messages: SDKMessage[] = []
    let moved = false
    for await (const message of running) {
      messages.push(message)
      if (message.type === 'tool_progress' && !moved) moved = await running.backgroundTasks('toolu_1')
      if (message.type === 'result' && messages.filter((m) => m.type === 'result').length === 1) {
        writeFileSync(`${options.cwd}/go`, '')
      }
    }
    assert.equal(moved, true)
    assert.equal(notices(messages)[0]?.status, 'completed')
    const output: unknown = messages.find((m) => m.type === 'user')?.tool_use_result
    assert.ok(typeof output === 'object' && output !== null && 'backgroundedByUser' in output)
    const printed = messages.flatMap((m) => (m.type === 'tool_progress' && m.task_id !== undefined ? [m] : []))
    const { task_id: id } = notices(messages)[0] ?? {}
    assert.deepEqual(
      printed.map((m) => [m.task_id, m.tool_use_id, m.output]),
      [[id, 'toolu_1', 'went\n']],
    )
  },
)

bothWays(
  'closing the query ends its background commands',
  () => [bash('toolu_1', { command: 'echo $$ > pid; exec sleep 300', run_in_background: true }), 'Started.'],
  taskTools,
  async ({ options }) => {
    const running = query({ prompt: 'Go.', options })
    for await (const message of running) {
      if (message.type !== 'result') continue
      const deadline = Date.now() + 20_000
      while (!existsSync(`${options.cwd}/pid`) && Date.now() < deadline) await new Promise((r) => setTimeout(r, 20))
      break
    }
    await running.closed
    const pid = Number(readFileSync(`${options.cwd}/pid`, 'utf8'))
    assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
  },
)

test('interrupt leaves background work alive; with scope all it ends too', async () => {
  await using server = await startModelServer([
    bash('toolu_1', { command: 'sleep 300', run_in_background: true }),
    'Started.',
    'Still here.',
  ])
  await using options = testOptions(server, taskTools)
  let next: () => void = () => {}
  async function* prompts() {
    yield {
      type: 'user' as const,
      session_id: '',
      parent_tool_use_id: null,
      message: { role: 'user' as const, content: 'Go.' },
    }
    await new Promise<void>((resolve) => {
      next = resolve
    })
    yield {
      type: 'user' as const,
      session_id: '',
      parent_tool_use_id: null,
      message: { role: 'user' as const, content: 'And?' },
    }
  }
  const running = query({ prompt: prompts(), options })
  const results: SDKResultMessage[] = []
  const messages: SDKMessage[] = []
  for await (const message of running) {
    messages.push(message)
    if (message.type !== 'result') continue
    results.push(message)
    if (results.length === 1) {
      await running.interrupt()
      next()
    } else await running.interrupt({ scope: 'all' })
  }
  assert.deepEqual(
    results.map(({ pending_tasks }) => pending_tasks?.length ?? 0),
    [1, 1],
  )
  assert.deepEqual(
    notices(messages).map(({ status }) => status),
    ['stopped'],
  )
})

bothWays(
  'a session that has spent its budget is told of a task by the host only',
  () => [
    bash('toolu_1', { command: 'until test -e go; do sleep 0.05; done', run_in_background: true }),
    { text: 'Started.', usage: { input_tokens: 1_000_000, output_tokens: 1 } },
  ],
  { ...taskTools, maxBudgetUsd: 1 },
  async ({ options, server }) => {
    const messages: SDKMessage[] = []
    for await (const message of query({ prompt: 'Go.', options })) {
      messages.push(message)
      if (message.type === 'result') writeFileSync(`${options.cwd}/go`, '')
    }
    assert.deepEqual(
      notices(messages).map(({ status }) => status),
      ['completed'],
    )
    assert.equal(messages.filter(({ type }) => type === 'result').length, 1)
    assert.equal(server.requests.length, 2)
  },
)

bothWays(
  'task_progress tells what an agent in the background does, once hosts know of it',
  () => [
    {
      tools: [
        {
          id: 'toolu_1',
          name: 'Task',
          input: {
            description: 'A job',
            prompt: 'Work.',
            subagent_type: 'general-purpose',
            run_in_background: true,
          },
        },
      ],
    },
    // The two answer in any order: who is asked shows in what it was told.
    ({ prompt }) => (prompt === 'Work.' ? bash('toolu_2', WAIT) : 'Launched.'),
    ({ prompt }) => (prompt === 'Work.' ? bash('toolu_2', WAIT) : 'Launched.'),
    bash('toolu_3', { command: 'true' }),
    'Worked.',
    'Heard.',
  ],
  taskTools,
  async ({ options }) => {
    const messages: SDKMessage[] = []
    for await (const message of query({ prompt: 'Go.', options })) {
      messages.push(message)
      if (message.type === 'result') writeFileSync(`${options.cwd}/go`, '')
    }
    const told = messages.flatMap((m) => (m.type === 'system' && m.subtype === 'task_progress' ? [m] : []))
    const [last] = told.slice(-1)
    assert.deepEqual(
      [last?.tool_use_id, last?.description, last?.subagent_type, last?.usage.tool_uses, last?.last_tool_name],
      ['toolu_1', 'A job', 'general-purpose', 2, 'Bash'],
    )
    const order = kinds(messages)
    assert.ok(order.indexOf('system/task_started') < order.indexOf('system/task_progress'))
  },
)
