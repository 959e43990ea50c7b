import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc, { anyCharacter } from '../../../test/fast-check.js'
import { request } from '../../../test/support/client.js'
import type { ContentBlockParam, MessageParam } from '../../protocol/content.js'
import type { BodyPiece } from '../client/model-api-adapter.js'
import type { ModelRequestPlan } from '../client/request-plan.js'
import { createBodyWriter } from './body.js'

const PLAN: ModelRequestPlan = {
  model: 'claude-sonnet-4-5-20250929',
  maxTokens: 32_000,
  thinking: { budget_tokens: 31_999, type: 'enabled' },
  effort: null,
  fast: false,
  taskBudget: null,
  betas: [],
  longContext: false,
}
const MARK = { type: 'ephemeral' }
const MARK_TEXT = ',"cache_control":{"type":"ephemeral"}'

function write(overrides: Parameters<typeof request>[0], plan: Partial<ModelRequestPlan> = {}, stream = true): string {
  return toText(createBodyWriter().write(request(overrides), { ...PLAN, ...plan }, 'user_x', stream))
}

function toText(pieces: readonly BodyPiece[]): string {
  return pieces.map((piece) => (typeof piece === 'string' ? piece : new TextDecoder().decode(piece))).join('')
}

/** Parsed messages; property order does not matter here. */
function messagesOf(messages: MessageParam[]): unknown {
  return JSON.parse(write({ messages })).messages
}

test('keys and their order', () => {
  const tool = { name: 'Bash', description: 'Runs.', input_schema: { type: 'object' } }
  assert.equal(
    write({ system: ['One.', 'Two.'], tools: [tool] }),
    '{"model":"claude-sonnet-4-5-20250929",' +
      `"messages":[{"role":"user","content":[{"type":"text","text":"Hello."${MARK_TEXT}}]}],` +
      `"system":[{"type":"text","text":"One."},{"type":"text","text":"Two."${MARK_TEXT}}],` +
      '"tools":[{"name":"Bash","description":"Runs.","input_schema":{"type":"object"}}],' +
      '"metadata":{"user_id":"user_x"},"max_tokens":32000,"thinking":{"budget_tokens":31999,"type":"enabled"},"stream":true}',
  )
})

test('an empty system prompt, no thinking, an effort, no stream', () => {
  const body = JSON.parse(write({ system: ['', ' '] }, { thinking: null, effort: 'low' }, false))
  assert.deepEqual(Object.keys(body), ['model', 'messages', 'tools', 'metadata', 'max_tokens', 'output_config'])
  assert.deepEqual([body.output_config, body.tools], [{ effort: 'low' }, []])
})

test('the last two messages are marked, on their last block that may be', () => {
  assert.deepEqual(
    messagesOf([
      { role: 'user', content: 'one' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'two' },
          { type: 'thinking', thinking: 'hm', signature: 's' },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'ok' }] },
    ]),
    [
      { role: 'user', content: [{ type: 'text', text: 'one' }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'two', cache_control: MARK },
          { type: 'thinking', thinking: 'hm', signature: 's' },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'ok', cache_control: MARK }] },
    ],
  )
})

test('behind an answer of many calls the message before it is marked too: the API looks only 20 blocks back', () => {
  const uses = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ type: 'tool_use' as const, id: `t${n}`, name: 'N', input: {} }))
  const marked = (count: number) => {
    const sent = messagesOf([
      { role: 'user', content: 'first' },
      { role: 'user', content: 'a prompt that is longer than twenty characters' },
      { role: 'assistant', content: uses(count) },
      { role: 'user', content: 'last' },
    ])
    assert.ok(Array.isArray(sent))
    return sent.map((message) => JSON.stringify(message).includes('cache_control'))
  }
  assert.deepEqual(marked(18), [false, false, true, true])
  assert.deepEqual(marked(19), [false, true, true, true])
})

test('markers of others are taken off, but not from inside tool input', () => {
  const marked = { type: 'text', text: 'x', cache_control: { type: 'ephemeral' } } as const
  assert.deepEqual(
    messagesOf([
      { role: 'user', content: [marked, { type: 'tool_result', tool_use_id: 't', content: [marked] }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'N', input: { cache_control: 'mine' } }] },
      { role: 'user', content: 'end' },
    ]),
    [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'x' },
          { type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 'x' }] },
        ],
      },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 't', name: 'N', input: { cache_control: 'mine' }, cache_control: MARK }],
      },
      { role: 'user', content: [{ type: 'text', text: 'end', cache_control: MARK }] },
    ],
  )
})

test('what the API would refuse for ever is left out', () => {
  assert.deepEqual(
    messagesOf([
      { role: 'user', content: '  ' },
      { role: 'assistant', content: [{ type: 'thinking', thinking: 'cut', signature: '' }] },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'cut', signature: '' },
          { type: 'text', text: '\n' },
          { type: 'text', text: 'kept' },
        ],
      },
      { role: 'user', content: [] },
    ]),
    [
      { role: 'user', content: [{ type: 'text', text: '(empty message)' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'kept', cache_control: MARK }] },
      { role: 'user', content: [{ type: 'text', text: '(empty message)', cache_control: MARK }] },
    ],
  )
})

test('a message of thinking alone carries no marker', () => {
  assert.deepEqual(messagesOf([{ role: 'assistant', content: [{ type: 'redacted_thinking', data: 'x' }] }]), [
    { role: 'assistant', content: [{ type: 'redacted_thinking', data: 'x' }] },
  ])
})

const text = fc.string({ unit: anyCharacter, maxLength: 20 })
const block: fc.Arbitrary<ContentBlockParam> = fc.oneof(
  text.map((value) => ({ type: 'text' as const, text: value })),
  text.map((value) => ({ type: 'text' as const, text: value, cache_control: { type: 'ephemeral' as const } })),
  fc.record({ type: fc.constant('thinking' as const), thinking: text, signature: text }),
  fc.record({ type: fc.constant('tool_use' as const), id: text, name: text, input: fc.jsonValue() }),
  fc.record({ type: fc.constant('tool_result' as const), tool_use_id: text, content: text, is_error: fc.boolean() }),
)
const message: fc.Arbitrary<MessageParam> = fc.record({
  role: fc.constantFrom('user' as const, 'assistant' as const),
  content: fc.oneof(text, fc.array(block, { maxLength: 4 })),
})

test('a history that only grows keeps its bytes', () => {
  const tools = [{ name: 'T', description: 'd', input_schema: { type: 'object', properties: { a: {} } } }]
  fc.assert(
    fc.property(fc.array(message, { minLength: 2, maxLength: 8 }), fc.array(text), (history, system) => {
      const writer = createBodyWriter()
      const bodies = history.map((_, index) => {
        const asked = request({ messages: history.slice(0, index + 1), system, tools })
        const whole = toText(writer.write(asked, PLAN, 'u', true))
        // In a text of the conversation the quotes would be escaped, so this takes off ours and nothing else.
        return { plain: whole.replaceAll(MARK_TEXT, ''), parsed: JSON.parse(whole) }
      })
      for (const [index, body] of bodies.entries()) {
        const next = bodies[index + 1]
        if (!next) break
        const end = endOfMessages(body.plain, body.parsed.messages.length)
        assert.equal(next.plain.slice(0, end), body.plain.slice(0, end))
        // What follows the messages is byte-identical too.
        const rest = body.plain.slice(end)
        assert.equal(next.plain.slice(-rest.length), rest)
      }
      for (const { parsed } of bodies) assert.ok(countMarkers(parsed) <= 4)
    }),
  )
})

test('whatever a writer wrote before, a request has the bytes a new writer gives it, and keeps them', () => {
  const histories = fc.array(fc.array(fc.nat(5), { maxLength: 8 }), { minLength: 2, maxLength: 5 })
  fc.assert(
    fc.property(fc.array(message, { minLength: 6, maxLength: 6 }), histories, (pool, picks) => {
      const writer = createBodyWriter()
      const written = picks.map((indexes) => {
        const messages = indexes.flatMap((index) => pool[index] ?? [])
        const pieces = writer.write(request({ messages }), PLAN, 'user_x', true)
        assert.equal(toText(pieces), write({ messages }))
        return { messages, pieces }
      })
      for (const { messages, pieces } of written) assert.equal(toText(pieces), write({ messages }))
    }),
  )
})

/** Where the array of messages ends, counted by parsing its elements one by one. */
function endOfMessages(body: string, count: number): number {
  let position = body.indexOf('"messages":[') + '"messages":['.length
  for (let i = 0; i < count; i += 1) {
    let depth = 0
    let quoted = false
    do {
      const character = body[position]
      if (quoted && character === '\\') position += 1
      else if (character === '"') quoted = !quoted
      else if (!quoted && (character === '{' || character === '[')) depth += 1
      else if (!quoted && (character === '}' || character === ']')) depth -= 1
      position += 1
    } while (depth > 0 || body[position - 1] === ',')
  }
  return position
}

function countMarkers(body: { messages: MessageParam[]; system?: object[] }): number {
  const blocks = body.messages.flatMap((one) => (typeof one.content === 'string' ? [] : one.content))
  return [...blocks, ...(body.system ?? [])].filter((one) => 'cache_control' in one).length
}

test('half a character is replaced, and nothing that only looks like one', () => {
  const text = 'a\ud800b \udc00\udc00 \\ud800 😀 \\\\\ud800'
  const [message] = JSON.parse(write({ messages: [{ role: 'user', content: [{ type: 'text', text }] }] })).messages
  assert.equal(message.content[0].text, 'a\ufffdb \ufffd\ufffd \\ud800 😀 \\\\\ufffd')
  const tool = { name: 'T', description: 'x\ud800', input_schema: {} }
  const whole = JSON.parse(write({ system: ['y\udc00'], tools: [tool] }))
  assert.deepEqual([whole.system[0].text, whole.tools[0].description], ['y\ufffd', 'x\ufffd'])
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), fc.string({ unit: 'grapheme' }), (odd, even) => {
      const body = write({ messages: [{ role: 'user', content: [{ type: 'text', text: `x${odd}${even}\ud800` }] }] })
      // Encoding and decoding replaces each half in the same way.
      const expected = new TextDecoder('utf-8', { ignoreBOM: true }).decode(
        new TextEncoder().encode(`x${odd}${even}\ud800`),
      )
      assert.equal(JSON.parse(body).messages[0].content[0].text, expected)
    }),
  )
})
