import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LogMaker } from '../../../test/support/log-maker.js'
import type { AcpClientAbilities } from '../acp-client.js'
import { FULL_CLIENT_ABILITIES, MINIMAL_CLIENT_ABILITIES } from '../test-client.js'
import { AcpUpdateTranslator } from './translator.js'

const tail = { uuid: '00000000-0000-4000-8000-000000000000', session_id: 's' } as const

function translate(client: AcpClientAbilities, messages: readonly object[], now = () => 0) {
  const translator = new AcpUpdateTranslator({ client, session: 's', cwd: '/w', now })
  // Messages of the agent, with only the fields that are read.
  return messages.map((message) => translator.take(JSON.parse(JSON.stringify({ ...tail, ...message }))))
}
const last = (client: AcpClientAbilities, ...messages: object[]) => translate(client, messages).at(-1) ?? []
const updates = (client: AcpClientAbilities, ...messages: object[]) =>
  last(client, ...messages).map((one) => ('update' in one ? one.update : one))
const kinds = (client: AcpClientAbilities, ...messages: object[]) =>
  last(client, ...messages).map((one) => ('update' in one ? one.update.sessionUpdate : one.method))

const use = (id: string, name: string, input: object, parent: string | null = null) => ({
  type: 'assistant',
  parent_tool_use_id: parent,
  message: { id: `m-${id}`, content: [{ type: 'tool_use', id, name, input }] },
})
const result = (id: string, content: string, output?: unknown, isError = false) => ({
  type: 'user',
  parent_tool_use_id: null,
  tool_use_result: output,
  message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content, is_error: isError }] },
})
const system = (subtype: string, fields: object) => ({ type: 'system', subtype, ...fields })

test('an edit shows the whole file before and after', () => {
  const output = { filePath: '/w/a', oldString: 'x', newString: '$&', originalFile: 'x and x', replaceAll: true }
  const [update] = updates(MINIMAL_CLIENT_ABILITIES, use('c', 'Edit', { file_path: '/w/a' }), result('c', 'ok', output))
  assert.ok(update && 'content' in update)
  assert.deepEqual(update.content, [{ type: 'diff', path: '/w/a', oldText: 'x and x', newText: '$& and $&' }])
})

test('tools that plan are shown as the plan they make, unless they fail', () => {
  const todos = [{ content: 'One', status: 'in_progress', activeForm: 'Doing one' }]
  const entries = [{ content: 'One', status: 'in_progress', priority: 'medium' }]
  const calls = [use('c', 'TodoWrite', { todos }), result('c', 'ok', { newTodos: todos })]
  assert.deepEqual(updates(MINIMAL_CLIENT_ABILITIES, ...calls), [{ sessionUpdate: 'plan', entries }])
  assert.deepEqual(updates(FULL_CLIENT_ABILITIES, ...calls), [
    { sessionUpdate: 'plan_update', plan: { type: 'items', planId: 'todos', entries } },
  ])
  assert.deepEqual(
    kinds(MINIMAL_CLIENT_ABILITIES, use('c', 'TodoWrite', { todos }), result('c', 'no', undefined, true)),
    ['tool_call', 'tool_call_update'],
  )
})

test('tasks of the list are a plan that changes', () => {
  const create = [
    use('1', 'TaskCreate', { subject: 'Do it' }),
    result('1', 'ok', { task: { id: '7', subject: 'Do it' } }),
  ]
  const change = [use('2', 'TaskUpdate', { taskId: '7', status: 'completed' }), result('2', 'ok', { success: true })]
  assert.deepEqual(updates(MINIMAL_CLIENT_ABILITIES, ...create, ...change), [
    { sessionUpdate: 'plan', entries: [{ content: 'Do it', status: 'completed', priority: 'medium' }] },
  ])
})

test('a command shows what it prints, at most twice a second, and as a terminal where there is one', () => {
  const prints = (output: string) => ({ type: 'tool_progress', tool_use_id: 'c', output, parent_tool_use_id: null })
  let time = 1000
  const translated = translate(
    MINIMAL_CLIENT_ABILITIES,
    [use('c', 'Bash', { command: 'x' }), prints(''), prints('a\n'), prints('b\n'), prints('c\n')],
    () => {
      time += 300
      return time
    },
  )
  assert.deepEqual(
    translated.slice(1).map((out) => JSON.stringify(out).match(/console[^`]*|in_progress/)?.[0]),
    ['in_progress', 'console\\na\\n', undefined, 'console\\na\\nb\\nc\\n'],
  )
  const [update] = updates(FULL_CLIENT_ABILITIES, use('c', 'Bash', { command: 'x' }), prints(''), prints('a\n'))
  assert.ok(update && '_meta' in update)
  assert.deepEqual(update._meta?.['terminal_output'], { terminal_id: 'c', data: 'a\n' })
})

test('the end of a command in a terminal has the rest of its output and its exit code', () => {
  const prints = { type: 'tool_progress', tool_use_id: 'c', output: 'one\n', parent_tool_use_id: null }
  const ended = result('c', 'Exit code 3\none\ntwo', undefined, true)
  const [update] = updates(FULL_CLIENT_ABILITIES, use('c', 'Bash', { command: 'x' }), prints, ended)
  assert.ok(update && '_meta' in update)
  assert.deepEqual(update._meta?.['terminal_exit'], { terminal_id: 'c', exit_code: 3, signal: null })
})

test('work in the background keeps its call open until it is over', () => {
  const begun = [use('c', 'Bash', { command: 'x' }), result('c', 'started', { stdout: '', backgroundTaskId: 'b1' })]
  const turnEnd = { type: 'result', subtype: 'success', modelUsage: {}, total_cost_usd: 0 }
  const ended = system('task_notification', {
    task_id: 'b1',
    status: 'failed',
    summary: 'It failed',
    output_file: '/o',
  })
  const all = translate(MINIMAL_CLIENT_ABILITIES, [...begun, turnEnd, ended]).map((out) =>
    out.map((one) => ('update' in one && 'status' in one.update ? one.update.status : undefined)),
  )
  assert.deepEqual(all, [['pending'], ['in_progress'], [], ['failed']])
})

test('the end of a command in the background is shown, whatever pieces of its output a slow client missed', () => {
  const begun = [use('c', 'Bash', { command: 'x' }), result('c', 'started', { stdout: '', backgroundTaskId: 'b1' })]
  const ended = { task_id: 'b1', status: 'completed', summary: 'It ended', output_file: '/o' }
  const progress = (output: string) => ({
    type: 'tool_progress',
    parent_tool_use_id: null,
    tool_use_id: 'c',
    elapsed_time_seconds: 1,
    output,
  })
  const play = (client: AcpClientAbilities, end: string, ...pieces: string[]) => {
    const translator = new AcpUpdateTranslator({ client, session: 's', cwd: '/w', now: () => 0 })
    const take = (message: object) => translator.take(JSON.parse(JSON.stringify({ ...tail, ...message })))
    for (const message of [...begun, ...pieces.map(progress)]) take(message)
    const missed = translator.lastOutput('b1', () => end)
    return JSON.stringify([missed, take(system('task_notification', ended))])
  }
  for (const pieces of [[], ['one\n'], ['one\n', 'two\n'], ['two\n']])
    assert.match(play(MINIMAL_CLIENT_ABILITIES, 'one\ntwo\nthree\n', ...pieces), /one\\ntwo\\nthree/, pieces.join())
  // A terminal gets only what it lacks.
  for (const [pieces, data] of [
    [[], 'one\ntwo\nthree\n'],
    [['one\n'], 'two\nthree\n'],
    [['one\n', 'two\n'], 'three\n'],
    [['lost'], 'one\ntwo\nthree\n'],
  ] as const)
    assert.ok(
      play(FULL_CLIENT_ABILITIES, 'one\ntwo\nthree\n', ...pieces).includes(JSON.stringify({ terminal_id: 'c', data })),
      data,
    )
  assert.doesNotMatch(play(FULL_CLIENT_ABILITIES, 'one\n', 'one\n'), /terminal_output/)
})

test('what a sub-agent in the background has open is not ended with the turn', () => {
  const task = [use('t', 'Task', { prompt: 'p' }), result('t', 'x', { status: 'async_launched', agentId: 'a1' })]
  const turnEnd = { type: 'result', subtype: 'success', modelUsage: {}, total_cost_usd: 0 }
  assert.deepEqual(updates(MINIMAL_CLIENT_ABILITIES, ...task, use('c', 'Bash', { command: 'x' }, 't'), turnEnd), [])
  const [open] = updates(MINIMAL_CLIENT_ABILITIES, use('c', 'Bash', { command: 'x' }), turnEnd)
  assert.equal(open && 'status' in open && open.status, 'failed')
})

test('a sub-agent has a session of its own, or its words are marked', () => {
  const said = (parent: string) => ({
    type: 'assistant',
    parent_tool_use_id: parent,
    message: { id: 'm', content: [{ type: 'text', text: 'Hi' }] },
  })
  const task = use('t', 'Task', { prompt: 'Look', description: 'Looking' })
  const [own] = last(FULL_CLIENT_ABILITIES, task, said('t'))
  assert.ok(own && 'update' in own)
  assert.equal(own.sessionId, 't')
  const [marked] = last(MINIMAL_CLIENT_ABILITIES, task, said('t'))
  assert.ok(marked && 'update' in marked)
  assert.deepEqual(
    [marked.sessionId, marked.update._meta],
    ['s', { claudeCode: { parentToolUseId: 't' }, kedge: { parentToolUseId: 't' } }],
  )
  assert.deepEqual(kinds(FULL_CLIENT_ABILITIES, task), [
    'tool_call',
    'subagent_update',
    'session_message',
    'session_message',
  ])
})

test('a summary of calls goes with the last of them', () => {
  const calls = [use('c1', 'Read', { file_path: '/w/a' }), use('c2', 'Read', { file_path: '/w/b' })]
  const summary = { type: 'tool_use_summary', summary: 'Read two files', preceding_tool_use_ids: ['c1', 'c2'] }
  const about = { summary: 'Read two files', toolCallIds: ['c1', 'c2'] }
  const [update] = updates(MINIMAL_CLIENT_ABILITIES, ...calls, summary)
  assert.ok(update && 'toolCallId' in update)
  assert.deepEqual([update.toolCallId, update._meta?.['kedge']], ['c2', { toolUseSummary: about }])
  assert.deepEqual(kinds(FULL_CLIENT_ABILITIES, ...calls, summary), ['tool_call_update', '_kedge/tool_use_summary'])
})

test('a conversation that is summed up says so, with its summary', () => {
  const begins = system('status', { status: 'compacting' })
  const boundary = system('compact_boundary', { compact_metadata: { trigger: 'auto', pre_tokens: 1 } })
  const summary = { type: 'user', parent_tool_use_id: null, message: { role: 'user', content: 'So far.' } }
  const all = (client: AcpClientAbilities) => translate(client, [begins, boundary, summary]).flat()
  assert.deepEqual(
    all(FULL_CLIENT_ABILITIES).map(
      (one) => 'update' in one && [one.update.sessionUpdate, 'status' in one.update ? one.update.status : ''],
    ),
    [
      ['compaction_update', 'in_progress'],
      ['compaction_summary_chunk', ''],
      ['compaction_update', 'completed'],
    ],
  )
  assert.deepEqual(
    all(MINIMAL_CLIENT_ABILITIES).map(
      (one) => 'update' in one && [one.update.sessionUpdate, 'status' in one.update ? one.update.status : ''],
    ),
    [
      ['tool_call', 'in_progress'],
      ['tool_call_update', 'completed'],
    ],
  )
  const turnEnd = { type: 'result', subtype: 'success', modelUsage: {}, total_cost_usd: 0 }
  const [failed] = updates(FULL_CLIENT_ABILITIES, begins, turnEnd)
  assert.equal(failed && 'status' in failed && failed.status, 'failed')
})

const TOLD: [name: string, message: object, rich: string[], poor: string[]][] = [
  [
    'a retry',
    system('api_retry', { attempt: 1, max_retries: 3, retry_delay_ms: 500, error: 'overloaded' }),
    ['notice'],
    ['agent_thought_chunk'],
  ],
  ['another model', system('model_fallback', { content: 'x is overloaded' }), ['notice'], ['agent_thought_chunk']],
  ['a remark', system('informational', { content: 'x', level: 'warning' }), ['notice'], ['agent_thought_chunk']],
  ['a store that failed', system('mirror_error', { error: 'x' }), ['notice'], ['agent_thought_chunk']],
  [
    'a server that failed',
    system('init', { model: 'm', mcp_servers: [{ name: 'a', status: 'failed' }] }),
    ['notice'],
    ['agent_thought_chunk'],
  ],
  [
    'files kept',
    system('files_persisted', { files: [], failed: [{ filename: 'a', error: 'x' }] }),
    ['session_info_update', 'notice'],
    ['session_info_update', 'agent_thought_chunk'],
  ],
  [
    'a hook that failed',
    system('hook_response', { hook_name: 'Stop', outcome: 'error', output: 'x', stdout: '', stderr: '' }),
    ['notice', '_kedge/hook'],
    ['agent_thought_chunk', 'session_info_update'],
  ],
  ['a hook that starts', system('hook_started', { hook_name: 'Stop' }), ['_kedge/hook'], ['session_info_update']],
  ['a rate limit', { type: 'rate_limit_event', rate_limit_info: {} }, ['session_info_update'], ['session_info_update']],
  [
    'a rate limit that is reached',
    { type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt: 1_800_000_000 } },
    ['session_info_update', 'notice'],
    ['session_info_update', 'agent_thought_chunk'],
  ],
  [
    'a suggestion',
    { type: 'prompt_suggestion', suggestion: 'Go on' },
    ['session_info_update'],
    ['session_info_update'],
  ],
  ['sign-in', { type: 'auth_status', output: [], error: 'no' }, ['notice'], ['agent_thought_chunk']],
  ['a new beginning', { type: 'conversation_reset' }, ['notice'], ['agent_thought_chunk']],
  ['tasks', system('background_tasks_changed', { tasks: [] }), ['session_info_update'], ['session_info_update']],
  [
    'output of a command of the user',
    {
      type: 'user',
      parent_tool_use_id: null,
      message: { role: 'user', content: '<local-command-stdout>x</local-command-stdout>' },
    },
    ['agent_message_chunk'],
    ['agent_message_chunk'],
  ],
  [
    'what the user just said',
    { type: 'user', parent_tool_use_id: null, message: { role: 'user', content: 'x' } },
    [],
    [],
  ],
]
for (const [name, message, rich, poor] of TOLD) {
  test(`${name} is told to every client in its way`, () => {
    assert.deepEqual([kinds(FULL_CLIENT_ABILITIES, message), kinds(MINIMAL_CLIENT_ABILITIES, message)], [rich, poor])
  })
}

test('a hook belongs to the call it is about', () => {
  const hook = system('hook_started', { hook_id: 'h', hook_name: 'PreToolUse:Bash', hook_event: 'PreToolUse' })
  const [update] = updates(MINIMAL_CLIENT_ABILITIES, use('c', 'Bash', { command: 'x' }), hook)
  assert.ok(update && 'toolCallId' in update)
  assert.deepEqual(
    [update.toolCallId, update._meta?.['kedge']],
    ['c', { hook: { id: 'h', name: 'PreToolUse:Bash', event: 'PreToolUse', state: 'started' } }],
  )
})

test('how full the window is, once its size is known', () => {
  const usage = { input_tokens: 10, cache_read_input_tokens: 5, cache_creation_input_tokens: null }
  const start = {
    type: 'stream_event',
    parent_tool_use_id: null,
    event: { type: 'message_start', message: { id: 'm', usage } },
  }
  const delta = {
    type: 'stream_event',
    parent_tool_use_id: null,
    event: { type: 'message_delta', usage: { output_tokens: 3 } },
  }
  const end = { type: 'result', subtype: 'success', total_cost_usd: 1, modelUsage: { m: { contextWindow: 100 } } }
  const init = system('init', { model: 'm', mcp_servers: [] })
  const [, ...all] = translate(MINIMAL_CLIENT_ABILITIES, [init, start, delta, end, start, delta]).map((out) =>
    out.map((one) => 'update' in one && one.update),
  )
  const _meta = { '_claude/model': 'm' }
  assert.deepEqual(all, [
    [],
    [],
    [{ sessionUpdate: 'usage_update', used: 15, size: 100, cost: { amount: 1, currency: 'USD' }, _meta }],
    [],
    [{ sessionUpdate: 'usage_update', used: 18, size: 100, _meta }],
  ])
})

test('what a sub-agent said is forgotten when it has ended: the same again would be something new', () => {
  const say = (text: string) => ({
    type: 'stream_event',
    parent_tool_use_id: 'c',
    event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
  })
  const spoken = [
    { ...say(''), event: { type: 'message_start', message: { id: 'm1' } } },
    { ...say(''), event: { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } } },
    say('Twelve.'),
  ]
  const whole = {
    type: 'assistant',
    parent_tool_use_id: 'c',
    message: { id: 'm1', content: [{ type: 'text', text: 'Twelve.' }] },
  }
  const start = use('c', 'Task', { description: 'Count', prompt: 'Count.' })
  assert.deepEqual(updates(FULL_CLIENT_ABILITIES, start, ...spoken, whole), [])
  const [again] = updates(
    FULL_CLIENT_ABILITIES,
    start,
    ...spoken,
    result('c', 'Twelve.', { status: 'completed' }),
    whole,
  )
  assert.deepEqual(again && 'content' in again && again.content, { type: 'text', text: 'Twelve.' })
})

test('what a transcript leaves open is over when it was told: calls where they were shown, agents where they were started', () => {
  const translator = new AcpUpdateTranslator({ client: FULL_CLIENT_ABILITIES, session: 's', cwd: '/w', now: () => 0 })
  const task = { description: 'Count', prompt: 'Count them.', subagent_type: 'helper' }
  const inner = use('inner', 'Bash', { command: 'ls' }, 'outer')
  for (const message of [use('outer', 'Task', task), use('deep', 'Task', task, 'outer'), inner])
    translator.replay(JSON.parse(JSON.stringify({ ...tail, ...message })))
  const told = translator.endReplay().map((out) => {
    assert.ok('update' in out)
    const { sessionUpdate, toolCallId, sessionId, status, state } = JSON.parse(JSON.stringify(out.update))
    return [out.sessionId, sessionUpdate, toolCallId ?? sessionId, status ?? state.stopReason]
  })
  assert.deepEqual(told, [
    ['s', 'tool_call_update', 'outer', 'failed'],
    ['outer', 'tool_call_update', 'deep', 'failed'],
    ['outer', 'tool_call_update', 'inner', 'failed'],
    ['outer', 'subagent_update', 'deep', 'cancelled'],
    ['s', 'subagent_update', 'outer', 'cancelled'],
  ])
})

const STARTED = 'Command running in background with ID: b1. Output is being written to: /tmp/b1.output'
const LAUNCHED =
  'The agent works in the background. You are told.\nagentId: a1 (pass it on)\noutput_file: /tmp/a1.output'
const stored = [
  use('c', 'Bash', { command: 'make' }),
  result('c', STARTED),
  use('t', 'Task', { description: 'Count', prompt: 'Count.' }),
  result('t', LAUNCHED),
]
const userSays = (content: string) => ({
  type: 'user',
  parent_tool_use_id: null,
  message: { role: 'user', content },
})
const notice = (id: string, status: string, summary: string) =>
  userSays(
    `<task-notification>\n<task-id>${id}</task-id>\n<status>${status}</status>\n<summary>${summary}</summary>\n</task-notification>\nLook.`,
  )
function replayed(messages: readonly object[], running?: readonly string[], live: readonly object[] = []) {
  const translator = new AcpUpdateTranslator({ client: FULL_CLIENT_ABILITIES, session: 's', cwd: '/w', now: () => 0 })
  const parse = (message: object) => JSON.parse(JSON.stringify({ ...tail, ...message }))
  const told = messages.flatMap((message) => translator.replay(parse(message)))
  told.push(...translator.endReplay(running), ...live.flatMap((message) => translator.take(parse(message))))
  return told.map((out) => ('update' in out ? JSON.parse(JSON.stringify(out.update)) : out))
}
const shownState = (told: ReturnType<typeof replayed>) =>
  ['c', 't'].map((id) => told.findLast(({ toolCallId, status }) => toolCallId === id && status)?.status)

test('a transcript has no details: a call whose task runs is in progress, and ends with its task', () => {
  assert.deepEqual(shownState(replayed(stored, ['b1', 'a1'])), ['in_progress', 'in_progress'])
  const ends = [
    system('task_notification', { task_id: 'b1', status: 'completed', summary: 'Done', output_file: '' }),
    system('task_notification', { task_id: 'a1', status: 'failed', summary: 'Not done', output_file: '' }),
  ]
  const told = replayed(stored, ['b1', 'a1'], ends)
  assert.deepEqual(shownState(told), ['completed', 'failed'])
  const agent = told.filter(({ sessionUpdate }) => sessionUpdate === 'subagent_update')
  assert.deepEqual(
    agent.map(({ state }) => state.state),
    ['running', 'idle'],
  )
})

test('a call whose task went with its process has failed, and says that the task was stopped', () => {
  const told = replayed(stored)
  assert.deepEqual(shownState(told), ['failed', 'failed'])
  const [call] = told.filter(({ toolCallId, status }) => toolCallId === 'c' && status === 'failed')
  const summary = 'It was stopped when the session ended, unless it had ended before.'
  assert.deepEqual(call._meta.kedge.task, { id: 'b1', status: 'stopped', summary })
  const { state } = told.findLast(({ sessionUpdate }) => sessionUpdate === 'subagent_update')
  assert.deepEqual(state, { state: 'idle', stopReason: 'cancelled' })
})

test('a call whose task ended is shown as it ended; the notice for the model is not shown as words of the user', () => {
  const told = replayed([
    ...stored,
    notice('b1', 'completed', 'Command &lt;make> completed'),
    notice('a1', 'failed', 'Agent failed'),
    userSays('Fine.'),
  ])
  assert.deepEqual(shownState(told), ['completed', 'failed'])
  const end = told.find(({ toolCallId, status }) => toolCallId === 'c' && status === 'completed')
  assert.equal(end._meta.kedge.task.summary, 'Command <make> completed')
  const said = told.filter(({ sessionUpdate }) => sessionUpdate === 'user_message_chunk')
  assert.deepEqual(
    said.map(({ content }) => content.text),
    ['Fine.'],
  )
  const looked = [
    ...stored,
    use('o', 'TaskOutput', { task_id: 'b1' }),
    result('o', '<task_id>b1</task_id>\n\n<status>completed</status>\n\n<output>\nall\n</output>'),
    use('x', 'TaskStop', { task_id: 'a1' }),
    result('x', 'Successfully stopped task: a1 (Count). Look.'),
  ]
  assert.deepEqual(shownState(replayed(looked)), ['completed', 'failed'])
})

test('the summary of a compaction in a transcript is not shown as words of the user', () => {
  const told = replayed([system('compact_boundary', {}), userSays('So far.'), userSays('Go on.')])
  assert.deepEqual(
    told.map(({ sessionUpdate, status, content }) => [sessionUpdate, status ?? content.text]),
    [
      ['compaction_update', 'in_progress'],
      ['compaction_summary_chunk', 'So far.'],
      ['compaction_update', 'completed'],
      ['user_message_chunk', 'Go on.'],
    ],
  )
})

test('a sub-agent waits while a request of its calls is open', () => {
  const translator = new AcpUpdateTranslator({ client: FULL_CLIENT_ABILITIES, session: 's', cwd: '/w', now: () => 0 })
  for (const message of [use('t', 'Task', { prompt: 'p' }), use('c', 'Bash', { command: 'x' }, 't')])
    translator.take(JSON.parse(JSON.stringify({ ...tail, ...message })))
  const log = new LogMaker()
  const states = [log.ask('a1', 'c'), log.ask('a2', 'c'), log.answered('a1'), log.answered('a2')].flatMap((item) => {
    assert.ok(item.kind === 'ask' || item.kind === 'answered')
    return JSON.parse(JSON.stringify(translator.takeItem(item))).map((out: never) => out['update']['state']['state'])
  })
  assert.deepEqual(states, ['requires_action', 'requires_action', 'requires_action', 'running'])
})

test('a call is told before the question about it, once', () => {
  const translator = new AcpUpdateTranslator({ client: FULL_CLIENT_ABILITIES, session: 's', cwd: '/w', now: () => 0 })
  const ask = new LogMaker().ask('a1', 'c')
  assert.ok(ask.kind === 'ask')
  const kindsOf = (out: unknown[]) => out.map((one) => JSON.parse(JSON.stringify(one)).update.sessionUpdate)
  assert.deepEqual(kindsOf(translator.takeItem(ask)), ['tool_call'])
  const message = use('c', 'Bash', { command: 'x' })
  assert.deepEqual(kindsOf(translator.take(JSON.parse(JSON.stringify({ ...tail, ...message })))), ['tool_call_update'])
})

test('a call that the model began and did not finish, because its response began anew, has failed', () => {
  const stream = (event: object) => ({ type: 'stream_event', parent_tool_use_id: null, event })
  const starts = (id: string) => stream({ type: 'message_start', message: { id, usage: {} } })
  const begun = stream({
    type: 'content_block_start',
    index: 0,
    content_block: { type: 'tool_use', id: 'c', name: 'Bash', input: {} },
  })
  const [update] = updates(MINIMAL_CLIENT_ABILITIES, starts('m1'), begun, starts('m2'))
  assert.equal(update && 'status' in update && update.status, 'failed')
})
