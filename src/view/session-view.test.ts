/** A session's log becomes what it shows: each kind of entry, pieces that come before it, and what is undone. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AT, LogMaker, later } from '../../test/support/log-maker.js'
import type { LogItem } from '../protocol/session-log/entries.js'
import {
  addCallToView,
  addTranscriptToView,
  applyToView,
  dropUnfinishedStreams,
  endTranscriptItemsInView,
} from './session-view.js'
import type { ToolItem, ViewItem } from './view-items.js'
import { createSessionView, type SessionView } from './view-state.js'

/** A view, and what was asked of it. */
class ShownSession {
  readonly view: SessionView = createSessionView()

  add(items: readonly LogItem[]): void {
    for (const item of items) applyToView(this.view, item)
  }

  get items(): readonly ViewItem[] {
    return this.view.items
  }

  tool(id: string): ToolItem | undefined {
    return this.view.open.calls.get(id)
  }
}

const fold = (...items: LogItem[]) => {
  const session = new ShownSession()
  session.add(items)
  return session
}
/** Each item in a few words. */
const shown = (items: readonly ViewItem[]): string[] =>
  items.map((item) => {
    if (item.kind === 'turn') return `turn $${item.costUsd.toFixed(2)}`
    if (item.kind === 'tool') return `tool${item.state === 'writing' ? '…' : ''} ${item.name}${item.result ? ' ✓' : ''}`
    if (item.kind === 'prompt') return `prompt ${item.content} ${item.end ?? '…'}`
    if (item.kind === 'notice') return `${item.level}: ${item.text}`
    if (item.kind === 'request') return `request ${item.ask.id}${item.closed ? ' closed' : ''}`
    return `${item.kind}${item.isLive ? '…' : ''} ${item.text}`
  })
const toolIn = (session: ShownSession, id: string): ToolItem => {
  const tool = session.tool(id)
  assert.ok(tool, id)
  return tool
}

describe('a turn', () => {
  test('prompt, words, a call with its result, the end', () => {
    const log = new LogMaker()
    const session = fold(
      ...log.begun('p1', 'Go.'),
      log.said([
        { type: 'thinking', thinking: 'Hm.' },
        { type: 'text', text: 'Let me see.' },
      ]),
      log.call('t1', 'Read', { file_path: 'a' }),
      log.result('t1', 'content', { at: later(1500), detail: { file: {} } }),
      log.text('Done.'),
      log.end(0.25),
      log.prompt({ change: 'done', id: 'p1' }),
    )
    assert.deepEqual(shown(session.items), [
      'prompt Go. done',
      'thinking Hm.',
      'text Let me see.',
      'tool Read ✓',
      'text Done.',
      'turn $0.25',
    ])
    const { result, input } = toolIn(session, 't1')
    assert.deepEqual(input, { file_path: 'a' })
    assert.deepEqual(result, { content: 'content', isError: false, detail: { file: {} }, ms: 1500 })
  })

  test('what it knows of the session: context, window, cost of each turn and of all', () => {
    const log = new LogMaker()
    const session = fold(log.text('One.'), log.end(0.25), log.text('Two.'), log.end(0.4, { cache_hit_rate: 0.5 }))
    const { contextUsed, contextWindow, costUsd, cacheHitRate } = session.view.facts
    assert.deepEqual([contextUsed, contextWindow, costUsd, cacheHitRate], [155, 200_000, 0.4, 0.5])
    assert.deepEqual(
      shown(session.items).filter((text) => text.startsWith('turn')),
      ['turn $0.25', 'turn $0.15'],
    )
    // A process that began anew counts from nothing.
    session.add([log.end(0.1)])
    assert.equal(shown(session.items).at(-1), 'turn $0.10')
  })

  test('an answer that failed says so', () => {
    const log = new LogMaker()
    const session = fold(log.text('API Error: 529', { error: 'overloaded' }))
    assert.deepEqual(shown(session.items), ['error: API Error: 529'])
  })

  test('an error is told once, in a sentence, with what to do; the session has failed until the next prompt', () => {
    const log = new LogMaker()
    const raw = 'API Error: 400 {"type":"error","error":{"type":"invalid_request_error","message":"No such model."}}'
    const failure = { is_error: true, result: raw, error_fix: 'Choose another model.' }
    const session = fold(...log.begun('p1', 'Go.'), log.text(raw, { error: 'unknown' }), log.end(0, failure))
    const [, notice, turn] = session.items
    assert.deepEqual(shown(session.items), [
      ...['prompt Go. …', 'error: The model request failed: No such model.', 'turn $0.00'],
    ])
    assert.deepEqual(notice?.kind === 'notice' && [notice.fix, notice.raw], ['Choose another model.', raw])
    assert.deepEqual([turn?.kind === 'turn' && turn.problem, session.view.facts.hasFailed], [undefined, true])
    session.add(log.begun('p2', 'Again.'))
    assert.equal(session.view.facts.hasFailed, false)
    // One that comes with the end alone is told there; one that somebody stopped is no failure.
    session.add([log.end(0, { is_error: true, result: 'Too long.' })])
    const last = session.items.at(-1)
    assert.deepEqual([last?.kind === 'turn' && last.problem, session.view.facts.hasFailed], ['Too long.', true])
    session.add([log.end(0, { is_error: true, terminal_reason: 'aborted_tools' })])
    assert.equal(session.view.facts.hasFailed, false)
  })

  test('a prompt that was cut off says why', () => {
    const log = new LogMaker()
    const session = fold(
      ...log.begun('p1', 'Go.'),
      log.prompt({ change: 'interrupted', id: 'p1', reason: 'the server stopped' }),
    )
    assert.deepEqual(shown(session.items), ['prompt Go. interrupted', 'warning: A prompt was not finished.'])
    const notice = session.items.at(-1)
    assert.equal(notice?.kind === 'notice' && notice.detail, 'the server stopped')
  })

  test('a prompt that the agent never took is shown with what became of it', () => {
    const log = new LogMaker()
    const session = fold(
      log.prompt({ change: 'queued', prompt: { id: 'p1', content: 'Go.' } }),
      log.prompt({ change: 'interrupted', id: 'p1', reason: 'the agent did not start' }),
    )
    assert.deepEqual(shown(session.items), ['prompt Go. interrupted', 'warning: A prompt was not finished.'])
    assert.deepEqual(session.view.waitingPrompts, [])
  })

  test('entries that come twice, as after a lost connection, count once', () => {
    const log = new LogMaker()
    const entries = [...log.begun('p1', 'Go.'), log.text('Done.'), log.end(0.1)]
    const session = fold(...entries, ...entries)
    assert.deepEqual(shown(session.items), ['prompt Go. …', 'text Done.', 'turn $0.10'])
    assert.equal(session.view.seq, 4)
  })
})

describe('pieces that come before the entry', () => {
  test('words grow, then are what the entry has', () => {
    const log = new LogMaker()
    const session = fold(
      log.begins({ type: 'text', text: '' }),
      log.piece({ type: 'text_delta', text: 'Hel' }),
      log.piece({ type: 'text_delta', text: 'lo' }),
    )
    assert.deepEqual(shown(session.items), ['text… Hello'])
    session.add([log.text('Hello!')])
    assert.deepEqual(shown(session.items), ['text Hello!'])
  })

  test('thinking and input of a call grow as well; what does not fit is left out', () => {
    const log = new LogMaker()
    const session = fold(
      log.begins({ type: 'thinking', thinking: '' }),
      log.piece({ type: 'thinking_delta', thinking: 'Hm' }),
      log.begins({ type: 'tool_use', id: 't1', name: 'Bash', input: {} }),
      log.piece({ type: 'input_json_delta', partial_json: '{"comm' }),
      log.piece({ type: 'text_delta', text: 'for nobody' }),
    )
    assert.deepEqual(shown(session.items), ['thinking… Hm', 'tool… Bash'])
    assert.equal(toolIn(session, 't1').partialInput, '{"comm')
    session.add([log.call('t1', 'Bash', { command: 'ls' })])
    assert.deepEqual(toolIn(session, 't1').input, { command: 'ls' })
    assert.equal(session.items.length, 2)
  })

  test('what a command prints is shown until there is a result, and bounded', () => {
    const log = new LogMaker()
    const printed = (output: string) => log.delta({ type: 'tool_progress', tool_use_id: 't1', output })
    const session = fold(log.call('t1', 'Bash', { command: 'x' }), printed('one\n'), printed('two\n'))
    assert.equal(toolIn(session, 't1').output, 'one\ntwo\n')
    session.add([printed('x'.repeat(300_000))])
    assert.equal(toolIn(session, 't1').output.length, 200_000)
    session.add([log.result('t1', 'all of it'), printed('late')])
    assert.equal(toolIn(session, 't1').output, '')
  })

  test('after a lost connection what was under way is dropped, and comes again', () => {
    const log = new LogMaker()
    const session = fold(
      log.text('Kept.'),
      log.begins({ type: 'text', text: '' }),
      log.piece({ type: 'text_delta', text: 'half' }),
      log.begins({ type: 'tool_use', id: 't1', name: 'Bash', input: {} }),
    )
    dropUnfinishedStreams(session.view)
    assert.deepEqual(shown(session.items), ['text Kept.'])
    assert.equal(session.tool('t1'), undefined)
    session.add([log.call('t1', 'Bash', {})])
    assert.deepEqual(shown(session.items), ['text Kept.', 'tool Bash'])
  })

  test('the end of a turn ends all that was under way', () => {
    const log = new LogMaker()
    const session = fold(
      log.begins({ type: 'text', text: '' }),
      log.piece({ type: 'text_delta', text: 'cut' }),
      log.end(0),
    )
    assert.deepEqual(shown(session.items), ['text cut', 'turn $0.00'])
  })
})

describe('sub-agents', () => {
  test('what one says and does is inside the call that started it; its task is not said twice', () => {
    const log = new LogMaker()
    const session = fold(
      log.call('t1', 'Task', { description: 'look', prompt: 'Look around.' }),
      log.told('Look around.', 't1'),
      log.told('A reminder.', 't1'),
      log.call('t2', 'Read', { file_path: 'a' }, { parent: 't1' }),
      log.result('t2', 'x', { parent: 't1' }),
      log.text('Seen.', { parent: 't1' }),
      log.result('t1', 'It is seen.'),
    )
    assert.deepEqual(shown(session.items), ['tool Task ✓'])
    assert.deepEqual(shown(toolIn(session, 't1').children), ['info: A reminder.', 'tool Read ✓', 'text Seen.'])
    assert.equal(toolIn(session, 't2').parent, 't1')
  })

  test('tasks: begun, at work, changed, over', () => {
    const log = new LogMaker()
    const session = fold(
      log.call('t1', 'Task', {}),
      log.system('task_started', { task_id: 'a1', tool_use_id: 't1', description: 'Look', task_type: 'local_agent' }),
      log.system('task_progress', {
        task_id: 'a1',
        tool_use_id: 't1',
        last_tool_name: 'Read',
        usage: { total_tokens: 1200, tool_uses: 1, duration_ms: 5 },
      }),
      log.system('task_updated', { task_id: 'a1', patch: { description: 'Look again' } }),
    )
    const common = { id: 'a1', type: 'local_agent', useId: 't1', since: AT, lastTool: 'Read' }
    assert.deepEqual(session.view.tasks, [
      { ...common, description: 'Look again', status: 'running', summary: undefined, tokens: 1200 },
    ])
    assert.equal(toolIn(session, 't1').agentTokens, 1200)
    session.add([log.system('task_notification', { task_id: 'a1', status: 'completed', summary: 'Seen.' })])
    assert.deepEqual(
      session.view.tasks.map(({ status, summary, tokens }) => [status, summary, tokens]),
      [['completed', 'Seen.', 1200]],
    )
  })
})

describe('prompts that wait, and requests', () => {
  test('prompts wait in order, can be moved and taken away', () => {
    const log = new LogMaker()
    const queued = (id: string) => log.prompt({ change: 'queued', prompt: { id, content: id } })
    const session = fold(queued('a'), queued('b'), queued('c'))
    const waiting = () => session.view.waitingPrompts.map(({ id }) => id)
    session.add([log.prompt({ change: 'reordered', order: ['c', 'a'] })])
    assert.deepEqual(waiting(), ['c', 'a', 'b'])
    session.add([log.prompt({ change: 'removed', id: 'a' }), log.prompt({ change: 'started', id: 'c', message: 'u' })])
    assert.deepEqual(waiting(), ['b'])
    assert.deepEqual(shown(session.items), ['prompt c …'])
  })

  test('a request is open until it is answered or withdrawn, and stays where it was', () => {
    const log = new LogMaker()
    const session = fold(log.ask('a1'), log.ask('a2'), log.ask('a3'), log.answered('a1'), log.withdrawn('a2', 'gone'))
    assert.deepEqual(
      session.view.openRequests.map(({ id }) => id),
      ['a3'],
    )
    assert.deepEqual(shown(session.items), ['request a1 closed', 'request a2 closed', 'request a3'])
    // An answer to one that was never seen changes nothing.
    session.add([log.answered('a0')])
    assert.equal(session.items.length, 3)
  })
})

test('a call that waits for a person waits, and its time and the turn’s begin with the answer', () => {
  const log = new LogMaker()
  const session = fold(log.call('t1', 'Bash', { command: 'make' }), log.ask('a1', 't1', later(1000)))
  assert.equal(toolIn(session, 't1').state, 'waiting')
  session.add([log.answered('a1', later(400_000))])
  assert.equal(toolIn(session, 't1').state, 'called')
  session.add([log.result('t1', 'ok', { at: later(402_000) }), log.end(0)])
  assert.equal(toolIn(session, 't1').result?.ms, 2000)
  const turn = session.items.at(-1)
  assert.equal(turn?.kind === 'turn' && turn.waitedMs, 399_000)
})

describe('what changes in the session', () => {
  test('its title, mode and status; null takes a title or an error away', () => {
    const log = new LogMaker()
    const session = fold(log.state({ title: 'Ships', status: 'running', mode: 'plan', error: 'boom' }))
    const { title, status, mode, error } = session.view.facts
    assert.deepEqual([title, status, mode, error], ['Ships', 'running', 'plan', 'boom'])
    session.add([log.state({ title: null, error: null })])
    assert.deepEqual([session.view.facts.title, session.view.facts.error], [undefined, undefined])
    assert.equal(session.view.facts.status, 'running')
  })

  test('going back takes away what came after, and leaves a mark', () => {
    const log = new LogMaker()
    const session = fold(...log.begun('p1', 'One.'), log.text('1'), ...log.begun('p2', 'Two.'), log.text('2'))
    session.add([log.state({ rewound: { message: 'uuid-p2' } })])
    assert.deepEqual(shown(session.items), ['prompt One. …', 'text 1', 'mark: Gone back to before this point.'])
  })

  test('commands, MCP servers and hooks: noted once for each change', () => {
    const log = new LogMaker()
    const init = (status: string) =>
      log.system('init', { slash_commands: ['help'], mcp_servers: [{ name: 'harbor', status }] })
    const session = fold(init('pending'), init('pending'), init('failed'))
    assert.deepEqual(session.view.facts.commands, ['help'])
    session.add([
      log.system('hook_response', {
        hook_name: 'lint',
        hook_event: 'PostToolUse',
        output: '',
        stderr: ' no file ',
        outcome: 'error',
      }),
    ])
    assert.deepEqual(
      session.view.activity.map(({ name, text, isError }) => [name, text, isError]),
      [
        ['harbor', 'pending', false],
        ['harbor', 'failed', true],
        ['PostToolUse · lint', 'no file', true],
      ],
    )
  })

  test('of activity the last two hundred are kept', () => {
    const log = new LogMaker()
    const hook = (n: number) =>
      log.system('hook_response', {
        hook_name: `h${n}`,
        hook_event: 'Stop',
        output: '',
        stderr: '',
        outcome: 'success',
      })
    const session = fold(...Array.from({ length: 250 }, (_, n) => hook(n)))
    assert.equal(session.view.activity.length, 200)
    assert.equal(session.view.activity.at(-1)?.name, 'Stop · h249')
  })
})

test('what was said before the log is above it, with how much is left out', () => {
  const session = new ShownSession()
  const of = { session_id: 's1', parent_tool_use_id: null, timestamp: AT }
  const message = (type: string, content: unknown, uuid: string) => ({
    ...of,
    type,
    uuid,
    message: { role: type, content },
  })
  const messages = [
    message('user', 'Hello?', 'u1'),
    message('assistant', [{ type: 'tool_use', id: 't1', name: 'Bash', input: {} }], 'u2'),
    message('user', [{ type: 'tool_result', tool_use_id: 't1', content: 'ok' }], 'u3'),
    message('assistant', [{ type: 'text', text: 'Hi.' }], 'u4'),
  ]
  addTranscriptToView(session.view, { messages: messages as never, earlier: 3 })
  assert.deepEqual(shown(session.items), [
    'mark: 3 earlier messages are in the export',
    'prompt Hello? done',
    'tool Bash ✓',
    'text Hi.',
    'mark: This was said before this session was opened here',
  ])
  const nothing = new ShownSession()
  addTranscriptToView(nothing.view, { messages: [], earlier: 0 })
  assert.deepEqual(nothing.items, [])
})

describe('the state of a call', () => {
  const stateOf = (session: ShownSession, id = 't1') => toolIn(session, id).state

  test('written, called, waiting, called again, running, done', () => {
    const log = new LogMaker()
    const session = new ShownSession()
    const states = [
      log.begins({ type: 'tool_use', id: 't1', name: 'Bash', input: {} }),
      log.call('t1', 'Bash', { command: 'make' }),
      log.ask('a1', 't1'),
      log.answered('a1'),
      log.delta({ type: 'tool_progress', tool_use_id: 't1', output: '' }),
      log.result('t1', 'ok'),
    ].map((item) => {
      session.add([item])
      return stateOf(session)
    })
    assert.deepEqual(states, ['writing', 'called', 'waiting', 'called', 'running', 'done'])
  })

  test('failed, denied with the reason, and not finished when the turn ends first', () => {
    const log = new LogMaker()
    const session = fold(
      log.call('t1', 'Bash', {}),
      log.result('t1', 'no', { isError: true }),
      log.call('t2', 'Bash', {}),
      log.system('permission_denied', {
        tool_use_id: 't2',
        tool_name: 'Bash',
        decision_reason: 'Not here.',
        content: '',
      }),
      log.result('t2', 'Not here.', { isError: true }),
      log.call('t3', 'Read', {}),
      log.end(0),
    )
    assert.deepEqual(
      ['t1', 't2', 't3'].map((id) => stateOf(session, id)),
      ['failed', 'denied', 'unfinished'],
    )
    assert.equal(toolIn(session, 't2').reason, 'Not here.')
  })

  test('in the background until its task ends, over the end of the turn', () => {
    const log = new LogMaker()
    const session = fold(
      log.call('t1', 'Bash', { command: 'serve' }),
      log.result('t1', 'It runs.', { detail: { backgroundTaskId: 'b1' } }),
      log.end(0),
    )
    assert.equal(stateOf(session), 'background')
    session.add([log.delta({ type: 'tool_progress', tool_use_id: 't1', task_id: 'b1', output: 'ready\n' })])
    assert.equal(toolIn(session, 't1').output, 'ready\n')
    session.add([log.system('task_notification', { task_id: 'b1', status: 'failed', summary: 'Exit 1' })])
    assert.deepEqual([stateOf(session), toolIn(session, 't1').task?.summary], ['failed', 'Exit 1'])
  })
})

test('a transcript tells of tasks in text: in the background until the model reads of the end; then lost, unless it runs', () => {
  const started = (id: string) => `Command running in background with ID: ${id}. Output is being written to: /tmp/o`
  const ended = (id: string) =>
    `<task-notification>\n<task-id>${id}</task-id>\n<status>completed</status>\n<summary>Done &lt;1></summary>`
  const log = new LogMaker()
  const session = fold(
    ...['b1', 'b2', 'b3', 'b4'].flatMap((id) => [log.call(id, 'Bash', {}), log.result(id, started(id))]),
    log.told(ended('b1')),
    log.call('t2', 'TaskOutput', { task_id: 'b2' }),
    log.result('t2', '<task_id>b2</task_id>\n\n<status>failed</status>'),
    // The same words in the result of another tool say nothing.
    log.call('t3', 'Read', {}),
    log.result('t3', started('b5')),
  )
  const states = () =>
    ['b1', 'b2', 'b3', 'b4', 't3'].map((id) => {
      const { state, task } = toolIn(session, id)
      return `${state} ${task?.summary ?? ''}`.trim()
    })
  assert.deepEqual(states(), ['done Done <1>', 'failed', 'background', 'background', 'done'])
  endTranscriptItemsInView(session.view, ['b4'])
  const lost = 'failed It was stopped when the session ended, unless it had ended before.'
  assert.deepEqual(states(), ['done Done <1>', 'failed', lost, 'background', 'done'])
})

test('a call that is asked about before its message came is known from then on, once', () => {
  const log = new LogMaker()
  const session = new ShownSession()
  const call = { name: 'Bash', input: { command: 'ls' }, hash: 'h', useId: 't1' }
  assert.deepEqual(
    addCallToView(session.view, call, AT).map(({ what }) => what),
    ['added'],
  )
  session.add([log.ask('a1', 't1'), log.call('t1', 'Bash', { command: 'ls' })])
  assert.deepEqual([toolIn(session, 't1').state, session.items.length], ['waiting', 2])
  assert.deepEqual(addCallToView(session.view, call, AT), [])
})

test('a compaction whose summary never came is over with the turn', () => {
  const log = new LogMaker()
  const session = fold(log.system('compact_boundary', { compact_metadata: { trigger: 'auto', pre_tokens: 9000 } }))
  const changes = applyToView(session.view, log.end(0)).map(({ item, what }) => `${item.kind} ${what}`)
  assert.deepEqual(changes, ['notice changed', 'turn added'])
  assert.equal(session.view.open.compaction, undefined)
})

test('a sub-agent that has ended has nothing half said', () => {
  const log = new LogMaker()
  const session = fold(
    log.call('t1', 'Task', { prompt: 'Look.' }),
    log.begins({ type: 'text', text: '' }, 't1'),
    log.piece({ type: 'text_delta', text: 'half' }, 't1'),
    log.result('t1', 'Seen.'),
  )
  assert.deepEqual(shown(toolIn(session, 't1').children), ['text half'])
  assert.deepEqual([...session.view.open.speakers.keys()], [''])
})

test('a compaction is one item: under way, then a mark with the summary; one without an end failed', () => {
  const log = new LogMaker()
  const session = fold(log.system('status', { status: 'compacting' }))
  assert.deepEqual(shown(session.items), ['info: Summarizing the conversation…'])
  session.add([
    log.system('compact_boundary', { compact_metadata: { trigger: 'auto', pre_tokens: 9000 } }),
    log.told('What was said.'),
    log.system('status', { status: 'compacting' }),
    log.end(0),
  ])
  assert.deepEqual(shown(session.items).slice(0, 2), [
    'mark: The conversation was summarized.',
    "warning: The conversation couldn't be summarized.",
  ])
  const [compaction] = session.items
  assert.equal(compaction?.kind === 'notice' && compaction.summary, 'What was said.')
})

test('what a turn does now: tokens it wrote, the attempt that failed; both are of this turn alone', () => {
  const log = new LogMaker()
  const wrote = (output_tokens: number) =>
    log.delta({
      type: 'stream_event',
      parent_tool_use_id: null,
      event: { type: 'message_delta', usage: { output_tokens } },
    })
  const begins = (id: string) =>
    log.delta({ type: 'stream_event', parent_tool_use_id: null, event: { type: 'message_start', message: { id } } })
  const retry = { attempt: 2, max_retries: 10, retry_delay_ms: 500, error: 'overloaded' }
  // The count is of the whole message; one that begins again counts once.
  const session = fold(log.state({ status: 'running' }), begins('m1'), wrote(20), wrote(50), begins('m1'), wrote(50))
  assert.equal(session.view.facts.turnTokens, 50)
  session.add([begins('m2'), wrote(7), log.system('api_retry', retry)])
  const { turnTokens, retry: failed } = session.view.facts
  assert.deepEqual([turnTokens, failed?.text], [57, 'The model did not respond: attempt 2 of 10 failed.'])
  session.add([log.text('There.')])
  assert.equal(session.view.facts.retry, undefined)
  session.add([log.system('api_retry', retry), log.state({ status: 'idle' })])
  assert.equal(session.view.facts.retry, undefined)
  session.add([log.state({ status: 'running' })])
  assert.equal(session.view.facts.turnTokens, 0)
})

test('the context is empty after a summary or a reset; its size stays known after a turn without a model', () => {
  const log = new LogMaker()
  const session = fold(log.text('One.'), log.end(0.25))
  const facts = () => [session.view.facts.contextUsed, session.view.facts.contextWindow]
  session.add([log.end(0.25, { modelUsage: {} })])
  assert.deepEqual(facts(), [155, 200_000])
  // Of a sub-agent it is no part.
  session.add([log.call('t', 'Read', {}, { parent: 'other' })])
  assert.deepEqual(facts(), [155, 200_000])
  session.add([log.system('compact_boundary', { compact_metadata: { trigger: 'auto', pre_tokens: 155 } })])
  assert.deepEqual(facts(), [0, 200_000])
  session.add([log.text('Two.'), log.message({ type: 'conversation_reset' })])
  assert.deepEqual(facts(), [0, 200_000])
})

test('tasks that are known only by their end, or by the list of background work', () => {
  const log = new LogMaker()
  const started = (id: string) => log.system('task_started', { task_id: id, description: `Job ${id}` })
  const session = fold(
    started('b1'),
    log.system('task_notification', { task_id: 'b0', status: 'completed', summary: 'made' }),
    log.system('background_tasks_changed', {
      tasks: [{ task_id: 'b2', task_type: 'local_agent', description: 'Look' }],
    }),
  )
  const tasks = () => session.view.tasks.map((task) => [task.id, task.status, task.isUnlisted])
  assert.deepEqual(tasks(), [
    ['b1', 'running', true],
    ['b0', 'completed', undefined],
    ['b2', 'running', undefined],
  ])
  session.add([log.system('background_tasks_changed', { tasks: [{ task_id: 'b1', task_type: '', description: '' }] })])
  assert.deepEqual(tasks()[0], ['b1', 'running', undefined])
})

test('a sub-agent that ends takes its open calls with it', () => {
  const log = new LogMaker()
  const session = fold(
    log.call('a1', 'Task', {}),
    log.call('t1', 'Bash', {}, { parent: 'a1' }),
    log.result('a1', 'Interrupted', { isError: true }),
  )
  assert.deepEqual([toolIn(session, 'a1').state, toolIn(session, 't1').state], ['failed', 'unfinished'])
  assert.equal(session.view.open.openCalls.size, 0)
})

test('lines of a transcript that a program wrote for the model are no prompts', () => {
  const line = (n: number, content: string) => ({
    type: 'user' as const,
    uuid: `u-${n}-1-1-1` as const,
    session_id: 's',
    message: { role: 'user', content },
    parent_tool_use_id: null,
    parent_agent_id: null,
  })
  const session = new ShownSession()
  const texts = ['<system-reminder>x</system-reminder>', '[Request interrupted by user]', 'Hello']
  addTranscriptToView(session.view, { messages: texts.map((text, n) => line(n, text)), earlier: 0 })
  assert.deepEqual(shown(session.items).slice(0, -1), ['prompt Hello done'])
})

test('steps of both kinds of lists are one list', () => {
  const log = new LogMaker()
  const session = fold(
    log.call('t1', 'TaskCreate', { subject: 'Build' }),
    log.result('t1', 'ok', { detail: { task: { id: '1', subject: 'Build' } } }),
    log.call('t2', 'TaskUpdate', { taskId: '1', status: 'in_progress' }),
    log.result('t2', 'ok', { detail: {} }),
    log.call('t3', 'TodoWrite', { todos: [{ content: 'Test', activeForm: 'Testing', status: 'pending' }] }),
    log.result('t3', 'ok'),
  )
  assert.deepEqual(session.view.todos, [
    { content: 'Test', activeForm: 'Testing', status: 'pending' },
    { content: 'Build', status: 'in_progress' },
  ])
})

describe('a stream', () => {
  const stream = (event: object) => ({ type: 'stream_event', parent_tool_use_id: null, event })
  const starts = (log: LogMaker, id: string) => log.delta(stream({ type: 'message_start', message: { id } }))

  test('that begins again says nothing twice; another message takes the place of half a one', () => {
    const log = new LogMaker()
    const begins = () =>
      log.delta(stream({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }))
    const piece = (text: string) =>
      log.delta(stream({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }))
    const session = fold(
      starts(log, 'm7'),
      begins(),
      piece('One'),
      starts(log, 'm7'),
      begins(),
      piece('One'),
      piece(' two'),
    )
    assert.deepEqual(shown(session.items), ['text… One two'])
    session.add([starts(log, 'm8'), begins(), piece('Three')])
    assert.deepEqual(shown(session.items), ['text… Three'])
  })

  test('its items have the keys that a reader of the log alone gives them', () => {
    const log = new LogMaker()
    const entries = [log.said([{ type: 'thinking', thinking: 'Hm' }]), log.text('Hello'), log.call('t1', 'Bash', {})]
    const block = (index: number, content_block: object) =>
      log.delta(stream({ type: 'content_block_start', index, content_block }))
    const streamed = [
      starts(log, 'm1'),
      block(0, { type: 'thinking', thinking: 'H' }),
      block(1, { type: 'text', text: 'He' }),
      block(2, { type: 'tool_use', id: 't1', name: 'Bash', input: {} }),
    ]
    const keys = (session: ShownSession) => session.items.map(({ key }) => key)
    assert.deepEqual(keys(fold(...entries)), ['m1-0', 'm1-1', 'call-t1'])
    assert.deepEqual(keys(fold(...streamed)), keys(fold(...entries)))
    assert.deepEqual(keys(fold(...streamed, ...entries)), keys(fold(...entries)))
  })
})

describe('what streams, and the log', () => {
  test('entries come before what is still being written, as the log will have it', () => {
    const log = new LogMaker()
    const session = fold(
      log.stream({ type: 'message_start', message: { id: 'm1' } }),
      log.begins({ type: 'text', text: '' }),
      log.piece({ type: 'text_delta', text: 'Hel' }),
      log.ask('a1'),
    )
    assert.deepEqual(shown(session.items), ['request a1', 'text… Hel'])
    session.add([log.text('Hello')])
    assert.deepEqual(shown(session.items), ['request a1', 'text Hello'])
  })

  test('a call has run since it was complete, and counts once for its sub-agent', () => {
    const log = new LogMaker()
    const begins = () => ({ ...log.begins({ type: 'tool_use', id: 't2', name: 'Bash', input: {} }, 't1'), at: AT })
    const starts = (id: string) => log.stream({ type: 'message_start', message: { id } }, 't1')
    const session = fold(log.call('t1', 'Task', {}), starts('m2'), begins(), starts('m3'), begins())
    assert.equal(toolIn(session, 't1').agentCalls, 0)
    session.add([
      log.call('t2', 'Bash', {}, { parent: 't1', message: 'm3', at: later(5000) }),
      log.result('t2', 'ok', { parent: 't1', at: later(7000) }),
    ])
    assert.deepEqual([toolIn(session, 't2').result?.ms, toolIn(session, 't1').agentCalls], [2000, 1])
  })

  test('the call of a server tool streams like any other', () => {
    const log = new LogMaker()
    const call = { type: 'server_tool_use', id: 't1', name: 'web_search', input: {} }
    const session = fold(log.begins(call), log.piece({ type: 'input_json_delta', partial_json: '{"q' }))
    assert.equal(toolIn(session, 't1').partialInput, '{"q')
    session.add([log.said([{ ...call, input: { query: 'tides' } }])])
    assert.deepEqual([session.items.length, toolIn(session, 't1').state], [1, 'called'])
  })

  test('a stream without its beginning gets the keys of its message', () => {
    const log = new LogMaker()
    const session = fold(log.begins({ type: 'text', text: '' }), log.text('Hello', { message: 'm9' }))
    assert.deepEqual(
      session.items.map(({ key }) => key),
      ['m9-0'],
    )
  })
})

test('a message without an id has the keys of its uuid, and so has a text that tells of an error', () => {
  const log = new LogMaker()
  const said = (uuid: string, more: object = {}) =>
    log.message({
      type: 'assistant',
      uuid,
      parent_tool_use_id: null,
      message: { role: 'assistant', content: [{ type: 'text', text: 'Hm.' }] },
      ...more,
    })
  const session = fold(said('u1'), said('u2'), said('u3', { error: 'unknown' }))
  assert.deepEqual(
    session.items.map(({ key }) => key),
    ['u1-0', 'u2-0', 'u3-0'],
  )
})

test('a call that ended is kept no longer than its task', () => {
  const log = new LogMaker()
  const view = createSessionView('open')
  const kept = (...items: LogItem[]) => {
    for (const item of items) applyToView(view, item)
    return [...view.open.calls.keys()]
  }
  const task = { task_id: 'a1', tool_use_id: 't1' }
  assert.deepEqual(kept(log.call('t1', 'Task', {}), log.call('t2', 'Read', {}), log.result('t2', 'much')), ['t1'])
  assert.deepEqual(kept(log.system('task_started', { ...task, description: 'Look' }), log.end(0)), ['t1'])
  const over = log.system('task_notification', { ...task, status: 'stopped', summary: '' })
  assert.deepEqual(
    applyToView(view, over).map(({ item, what }) => [item.key, what]),
    [['call-t1', 'task']],
  )
  assert.deepEqual(kept(log.end(0)), [])
})

test('a reader that passes changes on keeps what is open, and gets the same changes', () => {
  const log = new LogMaker()
  const entries = [
    ...log.begun('p1', 'Go.'),
    log.call('t1', 'Task', { prompt: 'Look.' }),
    log.call('t2', 'Read', {}, { parent: 't1' }),
    log.result('t2', 'x', { parent: 't1' }),
    log.result('t1', 'Seen.'),
    log.call('t3', 'Bash', {}),
    log.result('t3', '', { detail: { backgroundTaskId: 'b1' } }),
    log.end(0),
  ]
  const [all, open] = [createSessionView(), createSessionView('open')]
  const changes = (view: SessionView) =>
    entries.flatMap((entry) => applyToView(view, entry).map(({ item, what }) => `${item.key} ${what}`))
  assert.deepEqual(changes(open), changes(all))
  assert.deepEqual([open.items, [...open.open.calls.keys()]], [[], ['t3']])
})

describe('messages that are worth an item', () => {
  const noticeOf = (subtype: string, more: object) => {
    const [item] = fold(new LogMaker().system(subtype, more)).items
    return item?.kind === 'notice' ? item : undefined
  }

  test('a retry says until when it waits', () => {
    const retry = { attempt: 2, max_retries: 10, retry_delay_ms: 1500, error: 'overloaded' }
    const notice = noticeOf('api_retry', retry)
    assert.deepEqual([notice?.level, notice?.detail, notice?.until], ['warning', 'overloaded', Date.parse(AT) + 1500])
  })

  test('a hook is one if it failed', () => {
    const hook = { hook_name: 'lint', hook_event: 'Stop', stderr: '', output: 'it broke' }
    assert.equal(noticeOf('hook_response', { ...hook, outcome: 'success' }), undefined)
    assert.equal(noticeOf('hook_response', { ...hook, outcome: 'error' })?.detail, 'it broke')
  })

  test('a model that is not there, a copy that failed, a denial', () => {
    assert.equal(noticeOf('model_fallback', { content: 'Opus is busy.' })?.text, 'Opus is busy.')
    assert.equal(noticeOf('mirror_error', { error: 'disk full' })?.detail, 'disk full')
    assert.equal(noticeOf('permission_denied', { tool_name: 'Bash', content: 'No.' })?.detail, 'No.')
  })
})
