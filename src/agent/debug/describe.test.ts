import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../../test/fast-check.js'
import { createTimelineDescriber } from './describe.js'
import { createMaskedExcerpts } from './timeline-text.js'

/** Lines of the timeline for messages; each comes a second after the one before. */
function lines(...messages: ['→' | '←', object][]) {
  const written: string[] = []
  let now = 0
  const tell = createTimelineDescriber(
    (kind, text) => void written.push(`${kind}: ${text}`),
    createMaskedExcerpts((text) => text),
    {
      monotonic: () => now,
    },
  )
  for (const [direction, message] of messages) {
    tell(direction, message)
    now += 1000
  }
  return written
}
const one = (direction: '→' | '←', message: object) => lines([direction, message])
const assistant = (content: unknown, more: object = {}) => ({ type: 'assistant', message: { content }, ...more })

describe('the timeline of messages', () => {
  it('shows what is said', () => {
    assert.deepEqual(one('←', { type: 'user', message: { content: 'hello\nthere' } }), [
      'messages: ← user       "hello there"',
    ])
    assert.deepEqual(
      one('←', { type: 'user', message: { content: [{ type: 'text', text: 'hi' }, { type: 'image' }] } }),
      ['messages: ← user       "hi"', 'messages: ← image      image'],
    )
    assert.deepEqual(
      one(
        '→',
        assistant([
          { type: 'thinking', thinking: 'hm' },
          { type: 'text', text: 'so' },
        ]),
      ),
      ['messages: → thinking   "hm"', 'messages: → text       "so"'],
    )
  })

  it('shows calls with how long they took and how they ended', () => {
    const call = { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } }
    const done = { type: 'tool_result', tool_use_id: 't1', content: 'a\nb' }
    assert.deepEqual(lines(['→', assistant([call])], ['→', { type: 'user', message: { content: [done] } }]), [
      'tools: → call       ls · Bash {"command":"ls"}',
      'tools: → done       ls after 1.000 s: "a b"',
    ])
    const failed = { ...done, is_error: true, content: [{ type: 'text', text: 'no' }, { type: 'image' }] }
    assert.deepEqual(
      lines(['→', assistant([call])], ['→', { type: 'user', message: { content: [failed] } }]).slice(1),
      ['tools: → failed     ls after 1.000 s: "no" image'],
    )
    const denied = { type: 'system', subtype: 'permission_denied', tool_name: 'Bash', tool_use_id: 't1', content: 'no' }
    assert.deepEqual(
      lines(['→', assistant([call])], ['→', denied], ['→', { type: 'user', message: { content: [failed] } }]).slice(1),
      [
        'messages: → permission_denied Bash was denied by a rule: no · {"tool_name":"Bash","tool_use_id":"t1","content":"no"}',
        'tools: → denied     ls after 2.000 s: "no" image',
      ],
    )
    const end = {
      type: 'result',
      subtype: 'success',
      modelUsage: {},
      usage: {},
      result: '',
      total_cost_usd: 0,
      num_turns: 1,
    }
    assert.equal(lines(['→', assistant([call])], ['→', end])[1], 'tools: → not finished ls after 1.000 s')
  })

  it('shows a tool result without its call as it was sent', () => {
    const stray = { type: 'tool_result', tool_use_id: 't9', content: 'a' }
    assert.deepEqual(one('→', { type: 'user', message: { content: [stray] } }), ['messages: → tool_result "a"'])
  })

  it('shows a call that continues in the background once more when its task ends', () => {
    const call = { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'make' } }
    const started = { type: 'tool_result', tool_use_id: 't1', content: 'started' }
    const shown = lines(
      ['→', assistant([call])],
      ['→', { type: 'user', message: { content: [started] }, tool_use_result: { backgroundTaskId: 'b1' } }],
      ['→', { type: 'system', subtype: 'task_notification', task_id: 'b1', status: 'completed', summary: 'Built.' }],
    )
    assert.equal(shown[1], 'tools: → background make after 1.000 s: "started"')
    assert.equal(shown[2], 'tools: → done       make after 2.000 s: "started"')
  })

  it('says what is of an agent', () => {
    const inner = { parent_tool_use_id: 'toolu_1' }
    assert.deepEqual(
      one(
        '→',
        assistant(
          [
            { type: 'text', text: 'x' },
            { type: 'tool_use', id: 't', name: 'Read' },
          ],
          inner,
        ),
      ),
      ['messages: → text       (agent) "x"', 'tools: → call       (agent) Read a file · Read {}'],
    )
  })

  it('shows errors of an answer', () => {
    assert.deepEqual(one('→', assistant('sorry', { error: 'rate_limit' })), [
      'messages: → assistant  "sorry"',
      'messages: → error      rate_limit',
    ])
  })

  it('shows questions and answers with their names', () => {
    assert.deepEqual(
      lines(
        ['→', { type: 'control_request', request_id: 'r1', request: { subtype: 'can_use_tool', tool_name: 'Bash' } }],
        ['←', { type: 'control_request', request_id: 'r2', request: { subtype: 'interrupt' } }],
        ['←', { type: 'control_response', response: { subtype: 'success', request_id: 'r1', response: { a: 1 } } }],
        ['→', { type: 'control_response', response: { subtype: 'error', request_id: 'r2', error: 'too late' } }],
        ['←', { type: 'control_response', response: { subtype: 'success', request_id: 'r1' } }],
        ['→', { type: 'control_cancel_request', request_id: 'r9' }],
      ),
      [
        'control: → request    can_use_tool Run this command? {"tool_name":"Bash"}',
        'control: ← request    interrupt {}',
        'control: ← answer     can_use_tool after 2.000 s: {"a":1}',
        'control: → answer     interrupt after 2.000 s: error "too late"',
        'control: ← answer     r1: {}',
        'control: → cancel     r9',
      ],
    )
  })

  it('shows how a turn ended', () => {
    const result = {
      type: 'result',
      subtype: 'success',
      is_error: false,
      num_turns: 2,
      duration_ms: 1500,
      total_cost_usd: 0.01234,
      modelUsage: {},
      usage: { input_tokens: 12_345, output_tokens: 67 },
    }
    assert.deepEqual(one('→', result), [
      'messages: → result     done, 2 turns, 1.500 s, 12.3k tokens in, 67 out, $0.0123',
    ])
    const failed = { ...result, subtype: 'error_max_turns', is_error: true, num_turns: 1, errors: [] }
    assert.deepEqual(one('→', failed), [
      'messages: → result     failed error_max_turns, 1 turn, 1.500 s, 12.3k tokens in, 67 out, $0.0123',
    ])
    assert.match(one('→', { ...failed, error_code: 'max_turns' })[0] ?? '', /failed max_turns,/)
  })

  it('shows what the session says of itself', () => {
    const init = {
      type: 'system',
      subtype: 'init',
      model: 'opus',
      tools: ['Read', 'Edit'],
      permissionMode: 'plan',
      apiKeySource: 'none',
      session_id: 's1',
    }
    assert.deepEqual(one('→', init), ['messages: → init       opus, 2 tools, mode plan, key none, session s1'])
    const retry = {
      type: 'system',
      subtype: 'api_retry',
      attempt: 1,
      max_retries: 5,
      retry_delay_ms: 250,
      error_status: 529,
      error: 'overloaded',
    }
    assert.deepEqual(one('→', retry), [
      'messages: → api_retry  The model did not respond: attempt 1 of 5 failed: overloaded · {"attempt":1,"max_retries":5,"retry_delay_ms":250,"error_status":529,"error":"overloaded"}',
    ])
    assert.deepEqual(one('→', { type: 'system', subtype: 'status', status: 'x', uuid: 'u', session_id: 's' }), [
      'messages: → status     {"status":"x"}',
    ])
  })

  it('shows single events by themselves, signs of life not at all, and anything else as it is', () => {
    assert.deepEqual(one('→', { type: 'stream_event', event: { type: 'ping' } }), [
      'stream: → stream     {"type":"ping"}',
    ])
    assert.deepEqual(one('→', { type: 'keep_alive' }), [])
    assert.deepEqual(one('←', { type: 'novelty', a: 1 }), ['messages: ← novelty    {"a":1}'])
  })

  it('keeps lines short and free of what can not be seen', () => {
    const [line = ''] = one('←', { type: 'user', message: { content: `\u001b[31m${'x'.repeat(1000)}` } })
    assert.ok(line.length < 200)
    assert.doesNotMatch(line, /\u001b/)
  })

  it('is not stopped by objects where words should be', () => {
    const odd = { toString: 1 }
    assert.deepEqual(one('←', { type: 'control_request', request_id: odd, request: { subtype: odd } }), [
      'control: ← request    (object) {}',
    ])
    assert.deepEqual(one('←', { type: odd }), ['messages: ← (object)   {}'])
    const block = { type: 'tool_use', id: odd, name: odd }
    assert.deepEqual(one('←', assistant([block, { type: odd }])), [
      'messages: ← tool_use   tool_use',
      'messages: ← (object)   (object)',
    ])
    const result = {
      type: 'result',
      subtype: 'success',
      num_turns: odd,
      duration_ms: odd,
      usage: { input_tokens: odd },
    }
    assert.match(one('←', result)[0] ?? '', /^messages: ← result {5}\{"num_turns":\{"toString":1\}/)
  })

  it('never throws, whatever is sent', () => {
    const types = fc.constantFrom(
      ...['user', 'assistant', 'system', 'result', 'control_request', 'control_response', 'stream_event', 'x'],
    )
    const message = fc.record({
      type: types,
      subtype: fc.constantFrom('init', 'api_retry', 'x'),
      message: fc.oneof(fc.jsonValue(), fc.record({ content: fc.jsonValue() })),
      request: fc.jsonValue(),
      response: fc.jsonValue(),
      usage: fc.jsonValue(),
    })
    fc.assert(
      fc.property(fc.array(message, { maxLength: 4 }), (messages) => {
        for (const line of lines(...messages.map((one): ['→', object] => ['→', one])))
          assert.match(line, /^(?:messages|tools|control|stream): → \S/)
      }),
    )
  })
})

describe('words of the timeline', () => {
  it('are masked before they are cut, so that no half of a secret is left', () => {
    const { quote, json } = createMaskedExcerpts((text) => text.replaceAll('s3cret-s3cret', '…'))
    const text = `${'x'.repeat(152)}s3cret-s3cret`
    assert.doesNotMatch(quote(text), /s3cret/)
    assert.doesNotMatch(json({ a: text }), /s3cret/)
  })

  it('of what is no JSON say so', () => {
    const { json } = createMaskedExcerpts((text) => text)
    const round: { self?: object } = {}
    round.self = round
    assert.deepEqual([json(round), json(undefined), json(10n)], ['(no JSON)', '', '(no JSON)'])
  })
})
