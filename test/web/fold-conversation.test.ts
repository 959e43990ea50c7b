/** A session's log becomes what the page shows: each kind of entry, pieces that come before it, and what is undone. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LogItem } from '../../src/hub/log/entries.js'
import { ConversationFold } from '../../web/state/fold-conversation.js'
import type { Item, ToolItem } from '../../web/state/items.js'
import { AT, LogMaker, later } from '../support/log-maker.js'

const fold = (...items: LogItem[]) => {
  const conversation = new ConversationFold()
  conversation.add(items)
  return conversation
}
/** Each item in a few words. */
const shown = (items: readonly Item[]): string[] =>
  items.map((item) => {
    if (item.kind === 'turn') return `turn $${item.costUsd.toFixed(2)}`
    if (item.kind === 'tool') return `tool${item.live ? '…' : ''} ${item.name}${item.result ? ' ✓' : ''}`
    if (item.kind === 'prompt') return `prompt ${item.content} ${item.end ?? '…'}`
    if (item.kind === 'notice') return `${item.tone}: ${item.text}`
    if (item.kind === 'ask') return `ask ${item.ask.id}${item.closed ? ' closed' : ''}`
    return `${item.kind}${item.live ? '…' : ''} ${item.text}`
  })
const toolIn = (conversation: ConversationFold, id: string): ToolItem => {
  const tool = conversation.tool(id)
  assert.ok(tool, id)
  return tool
}

describe('a turn', () => {
  test('prompt, words, a call with its result, the end', () => {
    const log = new LogMaker()
    const conversation = fold(
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
    assert.deepEqual(shown(conversation.items), [
      'prompt Go. done',
      'thinking Hm.',
      'text Let me see.',
      'tool Read ✓',
      'text Done.',
      'turn $0.25',
    ])
    const { result, input } = toolIn(conversation, 't1')
    assert.deepEqual(input, { file_path: 'a' })
    assert.deepEqual(result, { content: 'content', isError: false, detail: { file: {} }, ms: 1500 })
    assert.equal(conversation.said.value, 'The turn is over.')
  })

  test('what it knows of the session: context, window, cost of each turn and of all', () => {
    const log = new LogMaker()
    const conversation = fold(log.text('One.'), log.end(0.25), log.text('Two.'), log.end(0.4, { cache_hit_rate: 0.5 }))
    const { contextUsed, contextWindow, costUsd, cacheHitRate } = conversation.facts.value
    assert.deepEqual([contextUsed, contextWindow, costUsd, cacheHitRate], [155, 200_000, 0.4, 0.5])
    assert.deepEqual(
      shown(conversation.items).filter((text) => text.startsWith('turn')),
      ['turn $0.25', 'turn $0.15'],
    )
    // A process that began anew counts from nothing.
    conversation.add([log.end(0.1)])
    assert.equal(shown(conversation.items).at(-1), 'turn $0.10')
  })

  test('an answer that failed says so', () => {
    const log = new LogMaker()
    const conversation = fold(log.text('API Error: 529', { error: 'overloaded' }))
    assert.deepEqual(shown(conversation.items), ['error: API Error: 529'])
  })

  test('an error is told once, in a sentence, with what to do; the session has failed until the next prompt', () => {
    const log = new LogMaker()
    const raw = 'API Error: 400 {"type":"error","error":{"type":"invalid_request_error","message":"No such model."}}'
    const failure = { is_error: true, result: raw, error_fix: 'Choose another model.' }
    const conversation = fold(...log.begun('p1', 'Go.'), log.text(raw, { error: 'unknown' }), log.end(0, failure))
    const [, notice, turn] = conversation.items
    assert.deepEqual(shown(conversation.items), [
      ...['prompt Go. …', 'error: The model request failed: No such model.', 'turn $0.00'],
    ])
    assert.deepEqual(notice?.kind === 'notice' && [notice.fix, notice.raw], ['Choose another model.', raw])
    assert.deepEqual([turn?.kind === 'turn' && turn.isTold, conversation.facts.value.hasFailed], [true, true])
    conversation.add(log.begun('p2', 'Again.'))
    assert.equal(conversation.facts.value.hasFailed, false)
    // One that comes with the end alone is told there; one that somebody stopped is no failure.
    conversation.add([log.end(0, { is_error: true, result: 'Too long.' })])
    const last = conversation.items.at(-1)
    assert.deepEqual([last?.kind === 'turn' && last.isTold, conversation.facts.value.hasFailed], [false, true])
    conversation.add([log.end(0, { is_error: true, terminal_reason: 'aborted_tools' })])
    assert.equal(conversation.facts.value.hasFailed, false)
  })

  test('a prompt that was cut off says why', () => {
    const log = new LogMaker()
    const conversation = fold(
      ...log.begun('p1', 'Go.'),
      log.prompt({ change: 'interrupted', id: 'p1', reason: 'the server stopped' }),
    )
    assert.deepEqual(shown(conversation.items), ['prompt Go. interrupted', 'warning: Cut off before it was done.'])
    const notice = conversation.items.at(-1)
    assert.equal(notice?.kind === 'notice' && notice.detail, 'the server stopped')
  })

  test('entries that come twice, as after a lost connection, count once', () => {
    const log = new LogMaker()
    const entries = [...log.begun('p1', 'Go.'), log.text('Done.'), log.end(0.1)]
    const conversation = fold(...entries, ...entries)
    assert.deepEqual(shown(conversation.items), ['prompt Go. …', 'text Done.', 'turn $0.10'])
    assert.equal(conversation.seq, 4)
  })
})

describe('pieces that come before the entry', () => {
  test('words grow, then are what the entry has', () => {
    const log = new LogMaker()
    const conversation = fold(
      log.begins({ type: 'text', text: '' }),
      log.piece({ type: 'text_delta', text: 'Hel' }),
      log.piece({ type: 'text_delta', text: 'lo' }),
    )
    assert.deepEqual(shown(conversation.items), ['text… Hello'])
    conversation.add([log.text('Hello!')])
    assert.deepEqual(shown(conversation.items), ['text Hello!'])
  })

  test('thinking and input of a call grow as well; what does not fit is left out', () => {
    const log = new LogMaker()
    const conversation = fold(
      log.begins({ type: 'thinking', thinking: '' }),
      log.piece({ type: 'thinking_delta', thinking: 'Hm' }),
      log.begins({ type: 'tool_use', id: 't1', name: 'Bash', input: {} }),
      log.piece({ type: 'input_json_delta', partial_json: '{"comm' }),
      log.piece({ type: 'text_delta', text: 'for nobody' }),
    )
    assert.deepEqual(shown(conversation.items), ['thinking… Hm', 'tool… Bash'])
    assert.equal(toolIn(conversation, 't1').partial, '{"comm')
    conversation.add([log.call('t1', 'Bash', { command: 'ls' })])
    assert.deepEqual(toolIn(conversation, 't1').input, { command: 'ls' })
    assert.equal(conversation.items.length, 2)
  })

  test('what a command prints is shown until there is a result, and bounded', () => {
    const log = new LogMaker()
    const printed = (output: string) => log.delta({ type: 'tool_progress', tool_use_id: 't1', output })
    const conversation = fold(log.call('t1', 'Bash', { command: 'x' }), printed('one\n'), printed('two\n'))
    assert.equal(toolIn(conversation, 't1').output, 'one\ntwo\n')
    conversation.add([printed('x'.repeat(300_000))])
    assert.equal(toolIn(conversation, 't1').output.length, 200_000)
    conversation.add([log.result('t1', 'all of it'), printed('late')])
    assert.equal(toolIn(conversation, 't1').output, '')
  })

  test('after a lost connection what was under way is dropped, and comes again', () => {
    const log = new LogMaker()
    const conversation = fold(
      log.text('Kept.'),
      log.begins({ type: 'text', text: '' }),
      log.piece({ type: 'text_delta', text: 'half' }),
      log.begins({ type: 'tool_use', id: 't1', name: 'Bash', input: {} }),
    )
    conversation.dropLive()
    assert.deepEqual(shown(conversation.items), ['text Kept.'])
    assert.equal(conversation.tool('t1'), undefined)
    conversation.add([log.call('t1', 'Bash', {})])
    assert.deepEqual(shown(conversation.items), ['text Kept.', 'tool Bash'])
  })

  test('the end of a turn ends all that was under way', () => {
    const log = new LogMaker()
    const conversation = fold(
      log.begins({ type: 'text', text: '' }),
      log.piece({ type: 'text_delta', text: 'cut' }),
      log.end(0),
    )
    assert.deepEqual(shown(conversation.items), ['text cut', 'turn $0.00'])
  })
})

describe('sub-agents', () => {
  test('what one says and does is inside the call that started it; its task is not said twice', () => {
    const log = new LogMaker()
    const conversation = fold(
      log.call('t1', 'Task', { description: 'look', prompt: 'Look around.' }),
      log.told('Look around.', 't1'),
      log.told('A reminder.', 't1'),
      log.call('t2', 'Read', { file_path: 'a' }, { parent: 't1' }),
      log.result('t2', 'x', { parent: 't1' }),
      log.text('Seen.', { parent: 't1' }),
      log.result('t1', 'It is seen.'),
    )
    assert.deepEqual(shown(conversation.items), ['tool Task ✓'])
    assert.deepEqual(shown(toolIn(conversation, 't1').children), ['plain: A reminder.', 'tool Read ✓', 'text Seen.'])
    // Its words are not read out, and its tokens are no part of the conversation's.
    assert.equal(conversation.said.value, '')
    assert.equal(toolIn(conversation, 't2').parent, 't1')
  })

  test('tasks: begun, at work, changed, over', () => {
    const log = new LogMaker()
    const conversation = fold(
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
    assert.deepEqual(conversation.tasks.value, [
      { ...common, description: 'Look again', status: 'running', summary: undefined, tokens: 1200 },
    ])
    assert.equal(toolIn(conversation, 't1').agentTokens, 1200)
    conversation.add([log.system('task_notification', { task_id: 'a1', status: 'completed', summary: 'Seen.' })])
    assert.deepEqual(
      conversation.tasks.value.map(({ status, summary, tokens }) => [status, summary, tokens]),
      [['completed', 'Seen.', 1200]],
    )
  })
})

describe('prompts that wait, and requests', () => {
  test('prompts wait in order, can be moved and taken away', () => {
    const log = new LogMaker()
    const queued = (id: string) => log.prompt({ change: 'queued', prompt: { id, content: id } })
    const conversation = fold(queued('a'), queued('b'), queued('c'))
    const waiting = () => conversation.waiting.value.map(({ id }) => id)
    conversation.add([log.prompt({ change: 'reordered', order: ['c', 'a'] })])
    assert.deepEqual(waiting(), ['c', 'a', 'b'])
    conversation.add([
      log.prompt({ change: 'removed', id: 'a' }),
      log.prompt({ change: 'started', id: 'c', message: 'u' }),
    ])
    assert.deepEqual(waiting(), ['b'])
    assert.deepEqual(shown(conversation.items), ['prompt c …'])
  })

  test('a request is open until it is answered or withdrawn, and stays where it was', () => {
    const log = new LogMaker()
    const conversation = fold(
      log.ask('a1'),
      log.ask('a2'),
      log.ask('a3'),
      log.answered('a1'),
      log.withdrawn('a2', 'gone'),
    )
    assert.deepEqual(
      conversation.openAsks.value.map(({ id }) => id),
      ['a3'],
    )
    assert.deepEqual(shown(conversation.items), ['ask a1 closed', 'ask a2 closed', 'ask a3'])
    // An answer to one that was never seen changes nothing.
    conversation.add([log.answered('a0')])
    assert.equal(conversation.items.length, 3)
  })
})

test('a call that waits for a person waits, and its time and the turn’s begin with the answer', () => {
  const log = new LogMaker()
  const conversation = fold(log.call('t1', 'Bash', { command: 'make' }), log.ask('a1', 't1', later(1000)))
  assert.equal(toolIn(conversation, 't1').isWaiting, true)
  conversation.add([log.answered('a1', later(400_000))])
  assert.equal(toolIn(conversation, 't1').isWaiting, false)
  conversation.add([log.result('t1', 'ok', { at: later(402_000) }), log.end(0)])
  assert.equal(toolIn(conversation, 't1').result?.ms, 2000)
  const turn = conversation.items.at(-1)
  assert.equal(turn?.kind === 'turn' && turn.waitedMs, 399_000)
})

describe('what changes in the session', () => {
  test('its title, mode and status; null takes a title or an error away', () => {
    const log = new LogMaker()
    const conversation = fold(log.state({ title: 'Ships', status: 'running', mode: 'plan', error: 'boom' }))
    const { title, status, mode, error } = conversation.facts.value
    assert.deepEqual([title, status, mode, error], ['Ships', 'running', 'plan', 'boom'])
    conversation.add([log.state({ title: null, error: null })])
    assert.deepEqual([conversation.facts.value.title, conversation.facts.value.error], [undefined, undefined])
    assert.equal(conversation.facts.value.status, 'running')
  })

  test('going back takes away what came after, and leaves a mark', () => {
    const log = new LogMaker()
    const conversation = fold(...log.begun('p1', 'One.'), log.text('1'), ...log.begun('p2', 'Two.'), log.text('2'))
    conversation.add([log.state({ rewound: { message: 'uuid-p2' } })])
    assert.deepEqual(shown(conversation.items), ['prompt One. …', 'text 1', 'mark: Gone back to before this point.'])
  })

  test('commands, MCP servers and hooks: noted once for each change', () => {
    const log = new LogMaker()
    const init = (status: string) =>
      log.system('init', { slash_commands: ['help'], mcp_servers: [{ name: 'harbor', status }] })
    const conversation = fold(init('pending'), init('pending'), init('failed'))
    assert.deepEqual(conversation.facts.value.commands, ['help'])
    conversation.add([
      log.system('hook_response', {
        hook_name: 'lint',
        hook_event: 'PostToolUse',
        output: '',
        stderr: ' no file ',
        outcome: 'error',
      }),
    ])
    assert.deepEqual(
      conversation.activity.value.map(({ name, text, isError }) => [name, text, isError]),
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
    const conversation = fold(...Array.from({ length: 250 }, (_, n) => hook(n)))
    assert.equal(conversation.activity.value.length, 200)
    assert.equal(conversation.activity.value.at(-1)?.name, 'Stop · h249')
  })
})

test('what was said before the log is above it, with how much is left out', () => {
  const conversation = new ConversationFold()
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
  conversation.addHistory({ messages: messages as never, earlier: 3 })
  assert.deepEqual(shown(conversation.items), [
    'mark: 3 earlier messages are in the export',
    'prompt Hello? done',
    'tool Bash ✓',
    'text Hi.',
    'mark: This was said before this session was opened here',
  ])
  const nothing = new ConversationFold()
  nothing.addHistory({ messages: [], earlier: 0 })
  assert.deepEqual(nothing.items, [])
})
