import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Delta, LogEntry } from '../../protocol/session-log/entries.js'
import type { UniversalEvent } from './universal-events.js'
import { newProjection, projectDeltaToEvents, projectEntryToEvents } from './universal-projection.js'

const names = { session: '11111111-2222-4333-8444-555555555555', name: 'mine' }
type Given = { kind: string; data: unknown }
const at = '2026-01-01T00:00:00.000Z'
const entry = ({ kind, data }: Given, seq: number) =>
  ({ session: names.session, seq, at, kind, data }) as unknown as LogEntry
const message = (data: object): Given => ({ kind: 'message', data: { uuid: 'u', ...data } })
const system = (subtype: string, more: object = {}) => message({ type: 'system', subtype, ...more })
const assistant = (content: object[], more: object = {}) =>
  message({ type: 'assistant', message: { id: 'm1', content }, parent_tool_use_id: null, ...more })
const text = (said: string) => ({ type: 'text', text: said })

function eventsOf(log: Given[], state = newProjection()): UniversalEvent[] {
  const first = state.view.seq
  return log.flatMap((given, n) => projectEntryToEvents(state, entry(given, first + n + 1), names))
}
/** In the middle of a log. */
const later = () => {
  const state = newProjection()
  state.view.seq = 5
  return state
}
const short = (events: UniversalEvent[]) => events.map(({ type, data }) => [type, data])
const partsOf = (events: UniversalEvent[]) =>
  events.flatMap(({ type, data }) =>
    type === 'item.completed' ? (data['item'] as { content: unknown[] }).content : [],
  )

const ask = (kind: string, more: object = {}): Given => ({
  kind: 'ask',
  data: {
    id: 'q',
    session: '',
    kind,
    agent: [],
    why: { layer: 'tool', text: 'why' },
    suggestions: [],
    since: at,
    ...more,
  },
})
const answered = (answer: object): Given => ({ kind: 'answered', data: { ask: 'q', answer, by: { name: 'Ada' } } })

describe('universal events', () => {
  it('are numbered from 1 without gaps, whatever the entry, and carry what clients know', () => {
    const events = eventsOf([
      { kind: 'state', data: { cwd: '/home/ada/project', status: 'idle', model: 'practice' } },
      { kind: 'prompt', data: { change: 'queued', prompt: { id: 'p', content: 'Hi', when: 'queue' } } },
      { kind: 'prompt', data: { change: 'started', id: 'p', message: 'm' } },
      assistant([text('Hello.')]),
      { kind: 'prompt', data: { change: 'done', id: 'p', result: 'r' } },
      { kind: 'state', data: { status: 'done' } },
    ])
    assert.deepEqual(
      events.map(({ sequence }) => sequence),
      events.map((_, n) => n + 1),
    )
    const [first] = events
    assert.deepEqual(first, {
      event_id: 'evt_1',
      sequence: 1,
      time: at,
      session_id: 'mine',
      native_session_id: names.session,
      source: 'daemon',
      synthetic: false,
      type: 'session.started',
      data: { metadata: { cwd: '/home/ada/project', model: 'practice' } },
      raw: { cwd: '/home/ada/project', status: 'idle', model: 'practice' },
    })
    assert.deepEqual(
      events.map(({ type }) => type),
      [
        ...['session.started', 'item.started', 'item.completed', 'turn.started', 'item.started', 'item.completed'],
        ...['item.started', 'item.delta', 'item.completed', 'turn.ended', 'session.ended'],
      ],
    )
    assert.deepEqual(partsOf(events).slice(1), [text('Hi'), text('Hello.')])
  })

  it('have what others drop: reasoning, calls of sub-agents with their parent, results with the file that changed', () => {
    const patch = [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ['-a', '+b'] }]
    const result = { type: 'tool_result', tool_use_id: 't2', content: [text('ok')], is_error: false }
    const events = eventsOf(
      [
        assistant([
          { type: 'thinking', thinking: 'hm' },
          { type: 'redacted_thinking', data: 'x' },
        ]),
        assistant([{ type: 'tool_use', id: 't1', name: 'Task', input: { a: 1 } }]),
        assistant([{ type: 'tool_use', id: 't2', name: 'Edit', input: {} }], { parent_tool_use_id: 't1' }),
        message({
          type: 'user',
          parent_tool_use_id: 't1',
          message: { content: [result] },
          tool_use_result: { filePath: '/a.txt', structuredPatch: patch },
        }),
      ],
      later(),
    )
    assert.deepEqual(partsOf(events), [
      { type: 'reasoning', text: 'hm', visibility: 'public' },
      { type: 'reasoning', text: '', visibility: 'private' },
      { type: 'tool_call', name: 'Task', arguments: '{"a":1}', call_id: 't1' },
      { type: 'tool_call', name: 'Edit', arguments: '{}', call_id: 't2' },
      { type: 'tool_result', call_id: 't2', output: 'ok' },
      { type: 'file_ref', path: '/a.txt', action: 'patch', diff: '@@ -1,1 +1,1 @@\n-a\n+b\n' },
    ])
    const items = events
      .filter(({ type }) => type === 'item.completed')
      .map(({ data }) => data['item'] as { item_id: string; parent_id: string })
    assert.deepEqual(
      items.map(({ item_id, parent_id }) => [item_id, parent_id]),
      [
        ['itm_m1_0', null],
        ['itm_m1_1', null],
        ['call_t1', null],
        ['call_t2', 'call_t1'],
        ['result_t2', 'call_t2'],
      ],
    )
  })

  it('permissions and questions: asked and answered, in the words of the schema and with all we know', () => {
    const tool = { name: 'Bash', input: { command: 'ls' }, hash: 'h', useId: 't' }
    const update = { type: 'setMode', mode: 'plan', destination: 'session' }
    const permission = ask('permission', { tool, suggestions: [{ update, rule: 'plan', scope: 'session' }] })
    const [requested, accepted] = eventsOf([permission, answered({ kind: 'allow' })], later())
    assert.equal(requested?.type, 'permission.requested')
    const { permission_id, action, status, metadata, why } = requested.data
    assert.deepEqual([permission_id, action, status, why], ['q', 'Bash', 'requested', { layer: 'tool', text: 'why' }])
    assert.deepEqual(metadata, {
      toolName: 'Bash',
      input: { command: 'ls' },
      permissionSuggestions: [update],
      blockedPath: null,
    })
    assert.deepEqual([accepted?.type, accepted?.data['status']], ['permission.resolved', 'accept'])
    const statusAfter = (given: Given, answer: Given) => eventsOf([given, answer], later())[1]?.data['status']
    assert.equal(statusAfter(permission, answered({ kind: 'allow', updates: [update] })), 'accept_for_session')
    assert.equal(statusAfter(permission, answered({ kind: 'deny' })), 'reject')
    assert.equal(statusAfter(permission, { kind: 'withdrawn', data: { ask: 'q', reason: 'r' } }), 'reject')
    const options = [{ label: 'Red', description: 'Like a rose' }]
    const questions = [{ question: 'Which?', header: 'Color', multiSelect: true, options }]
    const question = ask('question', { tool: { ...tool, input: { questions } } })
    const [asked, said] = eventsOf(
      [question, answered({ kind: 'answers', answers: { 'Which?': ['Red', 'Blue'] } })],
      later(),
    )
    assert.deepEqual(
      [asked?.type, asked?.data['prompt'], asked?.data['options']],
      ['question.requested', 'Which?', ['Red']],
    )
    assert.deepEqual(asked?.data['questions'], [{ question: 'Which?', header: 'Color', multi_select: true, options }])
    assert.deepEqual(
      [said?.type, said?.data['status'], said?.data['response']],
      ['question.resolved', 'answered', 'Red, Blue'],
    )
    const plan = ask('plan', { tool: { ...tool, input: { plan: 'Do it' } } })
    const [shown, refused] = eventsOf([plan, answered({ kind: 'deny' })], later())
    assert.deepEqual([shown?.data['prompt'], shown?.data['options']], ['Do it', ['approve', 'reject']])
    assert.deepEqual([refused?.data['status'], refused?.data['response']], ['rejected', null])
  })

  it('every other kind of message is a status with all of it; what is damaged, too; nothing is unparsed', () => {
    const others: Given[] = [
      ...[
        system('init', { model: 'x' }),
        system('status', { status: 'compacting' }),
        system('api_retry', { error: 'e' }),
      ],
      ...[
        system('compact_boundary', { compact_metadata: { trigger: 'auto' } }),
        system('hook_started', { hook_name: 'h' }),
      ],
      ...[system('hook_progress', {}), system('hook_response', {}), system('task_started', { description: 'd' })],
      ...[system('task_progress', {}), system('task_updated', { patch: {} }), system('task_notification', {})],
      ...[system('background_tasks_changed', { tasks: [] }), system('files_persisted', { files: [] })],
      ...[system('model_fallback', {}), system('permission_denied', {}), system('informational', {})],
      ...[system('mirror_error', {}), system('session_state_changed', {}), system('of another make')],
      ...['auth_status', 'tool_use_summary', 'rate_limit_event', 'prompt_suggestion', 'conversation_reset'].map(
        (type) => message({ type }),
      ),
      ...[message({ type: 'tool_progress', tool_name: 'Bash' }), message({ type: 'of another make' })],
      ...[message({ type: 'assistant' }), system('compact_boundary'), system('task_updated')],
    ]
    for (const given of others) {
      const events = eventsOf([given], later())
      assert.deepEqual(
        events.map(({ type }) => type),
        ['item.started', 'item.completed'],
        JSON.stringify(given),
      )
      const [status, json] = partsOf(events) as [{ type: string }, { json: unknown }]
      assert.deepEqual([status.type, json.json], ['status', given.data])
    }
  })

  it('failures are errors', () => {
    const result = { type: 'result', subtype: 'error_max_turns', is_error: true, errors: ['Too many.'], usage: {} }
    const [error] = eventsOf([message(result)], later())
    assert.deepEqual(short([error as UniversalEvent]), [
      ['error', { message: 'Too many.', code: 'error_max_turns', details: { fix: null } }],
    ])
    const ended = eventsOf([{ kind: 'state', data: { status: 'error', error: 'Gone.' } }], later())
    assert.deepEqual(
      ended.map(({ type }) => type),
      ['error', 'session.ended'],
    )
    assert.equal(ended[1]?.data['reason'], 'error')
    const cut = eventsOf([{ kind: 'prompt', data: { change: 'interrupted', id: 'p', reason: 'Killed.' } }], later())
    assert.deepEqual(
      cut.map(({ type, data }) => [type, data['code'] ?? data['phase']]),
      [
        ['error', 'interrupted'],
        ['turn.ended', 'ended'],
      ],
    )
  })

  it('a session that has ended and goes on is started again', () => {
    const state = later()
    eventsOf([{ kind: 'state', data: { status: 'done' } }], state)
    const events = eventsOf([{ kind: 'prompt', data: { change: 'started', id: 'p', message: 'm' } }], state)
    assert.equal(events[0]?.type, 'session.started')
    assert.equal(eventsOf([{ kind: 'state', data: { status: 'running' } }], state).length, 0)
  })

  it('who saw words stream gets the rest of them under the same numbers as who did not', () => {
    const stream = (event: object): Delta =>
      ({
        session: '',
        seq: 5,
        at,
        kind: 'delta',
        data: { type: 'stream_event', event, parent_tool_use_id: null },
      }) as never
    const live = later()
    const deltas = [
      stream({ type: 'message_start', message: { id: 'm1' } }),
      stream({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
      ...['Hel', 'lo '].map((piece) =>
        stream({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: piece } }),
      ),
    ].flatMap((delta) => projectDeltaToEvents(live, delta, names))
    assert.deepEqual(
      deltas.map(({ type, sequence }) => [type, sequence]),
      [
        ['item.started', 0],
        ['item.delta', 0],
        ['item.delta', 0],
      ],
    )
    const whole = assistant([text('Hello there.')])
    const [seen, unseen] = [eventsOf([whole], live), eventsOf([whole], later())]
    const pieces = (events: UniversalEvent[]) =>
      events.flatMap(({ type, data }) => (type === 'item.delta' ? [data['delta']] : []))
    assert.deepEqual(pieces([...deltas, ...seen]), ['Hel', 'lo ', 'there.'])
    assert.deepEqual(pieces(unseen), ['Hello there.'])
    const withoutPieces = (events: UniversalEvent[]) => events.filter(({ type }) => type !== 'item.delta')
    assert.deepEqual(withoutPieces(seen), withoutPieces(unseen))
    const idOf = (event: UniversalEvent | undefined) =>
      (event?.data['item'] as { item_id?: string } | undefined)?.item_id
    assert.equal(idOf(deltas[0]), 'itm_m1_0')
    assert.equal(idOf(seen[0]), 'itm_m1_0')
  })
})
