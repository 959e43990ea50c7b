/** Renders a log to lines: each entry kind as it appears in the scrollback, with one blank line between blocks. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { SDKMessage } from '../../protocol/messages.js'
import type { EntryBody, LogItem } from '../../protocol/session-log/entries.js'
import { NOTICE_TEXTS } from '../../protocol/shown/vocabulary.js'
import type { SessionMessage } from '../../protocol/stored-sessions.js'
import { addTranscriptToView, applyToView } from '../../view/session-view.js'
import { isTextAddedForModel, userTextIn } from '../../view/typed-text.js'
import { createSessionView } from '../../view/view-state.js'
import { textWidth } from '../screen/styled-text.js'
import { plainStyles } from '../screen/styles.js'
import { ViewLines } from './view-lines.js'

function open(columns = 60) {
  const session = createSessionView('open')
  const view = new ViewLines({
    styles: plainStyles(),
    cwd: '/w',
    columns: () => columns,
    now: () => 0,
    view: () => session,
  })
  let seq = 0
  const entry = (body: EntryBody) => {
    seq += 1
    const { tasks } = session
    const changes = applyToView(session, { session: 's', seq, at: '', ...body } as LogItem)
    return [...view.take(changes), ...view.endedTasks(tasks)]
  }
  // Tests only set the fields that the view reads.
  const message = (one: object) => entry({ kind: 'message', data: one as SDKMessage })
  const system = (subtype: string, more: object = {}) => message({ type: 'system', subtype, ...more })
  const says = (...content: object[]) =>
    message({ type: 'assistant', parent_tool_use_id: null, message: { id: 'm', role: 'assistant', content } })
  const user = (content: string | object[], more: object = {}) =>
    message({ type: 'user', parent_tool_use_id: null, message: { role: 'user', content }, ...more })
  const result = (more: object = {}) =>
    message({ type: 'result', subtype: 'success', is_error: false, result: '', modelUsage: {}, ...more })
  /** Lines of a transcript, without the mark at its end. */
  const replay = (...messages: object[]) => {
    const stored = messages.map((one, n) => ({ uuid: `u${n}`, ...one }) as SessionMessage)
    const lines = view.take(addTranscriptToView(session, { messages: stored, earlier: 0 }))
    const mark = lines.findLastIndex((line) => line.startsWith('o This was'))
    assert.equal(lines.slice(mark).join('').replaceAll(/\s/g, ''), `o ${NOTICE_TEXTS.beforeLog}`.replaceAll(' ', ''))
    return lines.slice(0, Math.max(0, mark - 1))
  }
  return { view, entry, message, system, says, user, result, replay }
}
const text = (words: string) => ({ type: 'text', text: words })

describe('what the user says', () => {
  test('is shown when its turn begins, once, and not while it waits', () => {
    const { entry } = open()
    const prompt = { id: 'p1', content: 'Mend it\nand test it', when: 'queue' as const }
    assert.deepEqual(entry({ kind: 'prompt', data: { change: 'queued', prompt } }), [])
    const started = { kind: 'prompt' as const, data: { change: 'started' as const, id: 'p1', message: 'm' } }
    assert.deepEqual(entry(started), ['> Mend it', '  and test it'])
    assert.deepEqual(entry(started), [])
  })

  test('is cut when it is very long, with how much more there is', () => {
    const { replay } = open()
    const content = Array.from({ length: 40 }, (_, n) => `line ${n + 1}`).join('\n')
    const lines = replay({ type: 'user', parent_tool_use_id: null, message: { role: 'user', content } })
    assert.deepEqual(
      [lines.length, lines[0], lines[19], lines[20]],
      [21, '> line 1', '  line 20', '  ... 20 more lines'],
    )
  })

  test('a long line is wrapped below itself', () => {
    const { replay } = open(20)
    const message = { role: 'user', content: 'a prompt that is longer than the screen' }
    assert.deepEqual(replay({ type: 'user', parent_tool_use_id: null, message }), [
      ...['> a prompt that is', '  longer than the', '  screen'],
    ])
  })

  test('is not what stands beside it for the model', () => {
    const { replay, user } = open()
    const said = (content: unknown, more: object = {}) =>
      replay({ type: 'user', parent_tool_use_id: null, message: { role: 'user', content }, ...more })
    assert.deepEqual(said('<system-reminder>be kind</system-reminder>'), [])
    assert.deepEqual(said('[Request interrupted by user]'), [])
    assert.deepEqual(said('for a sub-agent', { parent_tool_use_id: 't1' }), [])
    assert.deepEqual(said([text('<system-reminder>x</system-reminder>'), text('Hello')]), ['', '> Hello'])
    assert.deepEqual(user('made by a program', { isSynthetic: true }), [])
  })

  test('a prompt that was cut short says why', () => {
    const { entry } = open()
    const data = { change: 'interrupted' as const, id: 'p1', reason: 'the machine went down' }
    assert.deepEqual(entry({ kind: 'prompt', data }), ['! A prompt was not finished: the machine went down'])
  })

  test('escapes in it reach no terminal', () => {
    const { replay } = open()
    const message = { role: 'user', content: 'a\u001b[2Jb\u0007' }
    assert.doesNotMatch(replay({ type: 'user', parent_tool_use_id: null, message }).join(), /[\u0000-\u001f]/)
  })
})

describe('a turn', () => {
  test('has a blank line between its blocks, and none before the first', () => {
    const { says, user } = open()
    assert.deepEqual(says(text('One.')), ['One.'])
    says({ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } })
    const content = [{ type: 'tool_result', tool_use_id: 't1', content: 'a' }]
    assert.deepEqual(user(content), ['', '* Bash ls', '  ` a'])
  })

  test('what sub-agents say and read is theirs', () => {
    const { message, view } = open()
    const inner = { parent_tool_use_id: 'a1', message: { id: 'm', role: 'assistant', content: [text('inside')] } }
    assert.deepEqual(message({ type: 'assistant', ...inner }), [])
    const event = { type: 'content_block_start', index: 0, content_block: text('inside') }
    assert.deepEqual(message({ type: 'stream_event', parent_tool_use_id: 'a1', event }), [])
    assert.deepEqual(view.live(10), [])
  })

  test('ends with its result where nothing was said, and not with the same words again where it was', () => {
    const { says, result } = open()
    assert.deepEqual(result({ result: 'Compacted.' }), ['Compacted.'])
    assert.deepEqual(says(text('Done.')), ['', 'Done.'])
    assert.deepEqual(result({ result: 'Done.' }), [])
    assert.deepEqual(result({ result: '  ' }), [])
  })

  for (const terminal_reason of ['aborted_streaming', 'aborted_tools', 'interrupted_by_permission'])
    test(`that was stopped (${terminal_reason}) asks what to do instead`, () => {
      const lines = open().result({ subtype: 'error_during_execution', is_error: true, terminal_reason })
      assert.deepEqual(lines, ['o Stopped. What should the agent do instead?'])
    })

  test('that failed says why and how to fix it', () => {
    const failed = { subtype: 'error_during_execution', is_error: true }
    const { result } = open()
    const lines = result({ ...failed, errors: ['No key.', 'Really.'], error_fix: 'kedge doctor' })
    assert.deepEqual(lines, ['! No key.', '  Really.', '  Fix: kedge doctor'])
    assert.deepEqual(result({ subtype: 'error_max_turns', is_error: true }), ['', '! error_max_turns'])
    assert.deepEqual(result({ is_error: true, result: 'API Error: 500' }), ['', '! API Error: 500'])
  })

  test('words that were under way when it ended are kept', () => {
    const { message, view } = open()
    const event = (inner: object) => message({ type: 'stream_event', parent_tool_use_id: null, event: inner })
    event({ type: 'message_start', message: { id: 'm' } })
    event({ type: 'content_block_start', index: 0, content_block: text('') })
    event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Half a sen' } })
    assert.match(view.live(5).join('\n'), /Half a sen/)
    assert.deepEqual(view.end(), ['Half a sen'])
    assert.deepEqual(view.live(5), [])
  })

  test('what is under way takes no more rows than there are, the latest', () => {
    const { says, view } = open(20)
    for (let n = 0; n < 4; n += 1)
      says({ type: 'tool_use', id: `t${n}`, name: 'Bash', input: { command: `long ${n}` } })
    const rows = view.live(2)
    assert.equal(rows.length, 2)
    assert.match(rows[1] ?? '', /^o Bash/)
    assert.ok(rows.every((row) => textWidth(row) <= 20))
  })
})

describe('lines from us', () => {
  const notices: [subtype: string, more: object, lines: string[]][] = [
    [
      'compact_boundary',
      { compact_metadata: { trigger: 'auto', pre_tokens: 150_200 } },
      ['o The conversation was summarized: automatically, from 150k', '  tokens'],
    ],
    ['model_fallback', { content: 'Opus is busy.' }, ['! Opus is busy.']],
    ['informational', { level: 'notice', content: 'By the way' }, ['o By the way']],
    ['informational', { level: 'error', content: 'Oh' }, ['! Oh']],
    ['mirror_error', { error: 'disk full' }, ['! The session was not saved everywhere: disk full']],
    ['files_persisted', { failed: [{ filename: 'a', error: 'gone' }] }, ['! a was not saved: gone']],
    ['hook_response', { outcome: 'success', hook_name: 'Stop', stderr: '', output: '', exit_code: 0 }, []],
    [
      'hook_response',
      { outcome: 'error', hook_name: 'Stop', stderr: 'no\n', output: '', exit_code: 1 },
      ['! Hook Stop failed: no'],
    ],
    [
      'hook_response',
      { outcome: 'error', hook_name: 'Stop', stderr: '', output: '', exit_code: 3 },
      ['! Hook Stop failed: exit code 3'],
    ],
    ['api_retry', { attempt: 1, max_retries: 10, retry_delay_ms: 500, error: 'overloaded' }, []],
    ['status', { status: 'compacting' }, []],
  ]
  for (const [subtype, more, lines] of notices)
    test(`${subtype}: ${lines.join(' / ') || 'nothing'}`, () => assert.deepEqual(open().system(subtype, more), lines))

  test('a server that can’t be used is said once, not with each turn', () => {
    const { system } = open(80)
    const broken = [{ name: 'db', status: 'failed' }]
    const init = (mcp_servers: object[]) => system('init', { mcp_servers })
    assert.deepEqual(init([{ name: 'files', status: 'connected' }]), [])
    assert.deepEqual(init(broken), ['! MCP server db could not be connected: type /mcp for details'])
    assert.deepEqual(init(broken), [])
    assert.deepEqual(init([{ name: 'db', status: 'needs-auth' }]), [
      '',
      '! MCP server db needs a sign-in: type /mcp for details',
    ])
  })

  test('two servers that can’t be used are said once each, too', () => {
    const { system } = open(80)
    const mcp_servers = ['db', 'mail'].map((name) => ({ name, status: 'failed' }))
    assert.equal(system('init', { mcp_servers }).filter((line) => line !== '').length, 2)
    assert.deepEqual(system('init', { mcp_servers }), [])
    // A server that recovered and failed again is reported again.
    system('init', { mcp_servers: [{ name: 'db', status: 'connected' }] })
    assert.deepEqual(system('init', { mcp_servers }), [
      '',
      '! MCP server db could not be connected: type /mcp for details',
    ])
  })

  test('work in the background says how it ended', () => {
    const { system, says } = open()
    const ended = (status: string, more: object = {}) =>
      system('task_notification', { status, summary: 'npm run build', task_id: `k-${status}`, ...more })
    assert.deepEqual(ended('completed'), ['+ in the background: npm run build'])
    assert.deepEqual(ended('failed'), ['', 'x in the background: npm run build'])
    // One that was known before says it once; a sub-agent in the foreground has its own outcome.
    system('task_started', { task_id: 'k3', description: 'Build' })
    assert.deepEqual(ended('stopped', { task_id: 'k3' }), ['', 'x in the background: npm run build'])
    assert.deepEqual(system('task_progress', { task_id: 'k4', usage: {} }), [])
    says({ type: 'tool_use', id: 'a1', name: 'Task', input: {} })
    system('task_started', { task_id: 'k5', tool_use_id: 'a1', description: 'Look' })
    assert.deepEqual(ended('completed', { task_id: 'k5' }), [])
  })

  test('a session that failed, a sign-in that did not work, a new conversation', () => {
    const { entry, message } = open()
    assert.deepEqual(entry({ kind: 'state', data: { error: 'no disk' } }), ['! no disk'])
    assert.deepEqual(entry({ kind: 'state', data: { status: 'running' } }), [])
    assert.deepEqual(message({ type: 'auth_status', error: 'expired' }), ['', '! expired'])
    assert.deepEqual(message({ type: 'auth_status', output: [] }), [])
    assert.deepEqual(message({ type: 'conversation_reset' }), ['', 'o The conversation was cleared.'])
  })
})

test('what a command of the agent printed is shown, and nothing else that is for the model', () => {
  const { user } = open()
  assert.deepEqual(user('<local-command-stdout>**3** files</local-command-stdout>'), ['3 files'])
  assert.deepEqual(user('<local-command-stdout></local-command-stdout>'), [])
  assert.deepEqual(user('<command-name>/cost</command-name>'), [])
})

test('content as text: images by name, reminders left out', () => {
  const image = { type: 'image' as const, source: { type: 'url' as const, url: 'https://e.example/a.png' } }
  assert.equal(userTextIn([{ type: 'text', text: 'see' }, image]), 'see\n[image]')
  assert.equal(userTextIn([{ type: 'text', text: ' <shell-command>ls</shell-command>' }]), '')
  assert.equal(isTextAddedForModel('a <system-reminder>'), false)
})
