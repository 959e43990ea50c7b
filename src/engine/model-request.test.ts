import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ContentBlock, RawStreamEvent, Usage } from '../protocol/content.js'
import { isObject } from '../protocol/json.js'
import type { EngineEvent } from './events.js'
import { createHistory } from './history.js'
import type { ModelEvent } from './model-port.js'
import { requestModelResponse } from './model-request.js'
import {
  createTestPorts,
  failureEvents,
  type ModelScript,
  streamedModelEvents,
  type TestPortOptions,
  testAssistantMessage,
  textBlock,
  toolUse,
} from './test-ports.js'

async function ask(script: ModelScript, options: Omit<TestPortOptions, 'model'> = {}, abort = new AbortController()) {
  const test = createTestPorts({ ...options, model: [script] })
  const history = createHistory([{ role: 'user', content: 'Do it.' }])
  const input = { history, system: [], tools: () => [], partial: true }
  const answer = await requestModelResponse(input, 'test-model', {}, test.ports, abort.signal)
  return { ...test, history, answer }
}

const ping = (index: number): RawStreamEvent => ({ type: 'content_block_stop', index })
const whole = (content: ContentBlock[]): ModelEvent => ({
  type: 'end',
  outcome: { ok: true, message: testAssistantMessage(content, 'tool_use'), streamed: false, requestId: 'req_2' },
})

test('a stream is passed on in order, and settles on the whole answer', async () => {
  const retry = { type: 'retry' as const, attempt: 1, maxRetries: 2, delayMs: 5, status: 529, error: 'overloaded' }
  const [block, end] = streamedModelEvents([textBlock('Hello.')])
  assert.ok(block && end)
  const { answer, events } = await ask([retry, { type: 'events', events: [ping(0), ping(1)] }, block, end])
  const content = [textBlock('Hello.')]
  assert.deepEqual(answer, { ok: true, message: testAssistantMessage(content, 'end_turn'), calls: [], streamed: true })
  assert.deepEqual(events, [
    retry,
    { type: 'stream', event: ping(0) },
    { type: 'stream', event: ping(1) },
    { type: 'assistant', message: testAssistantMessage(content, 'end_turn'), requestId: 'req_1' },
    { type: 'answered', message: testAssistantMessage(content, 'end_turn') },
  ])
})

test('a failure is a value', async () => {
  const { answer, events } = await ask(failureEvents('api_error'))
  const about = { kind: 'server_error', code: 'api_error', text: 'It failed: api_error.', status: 500 }
  assert.deepEqual([answer, events], [{ ok: false, failure: about }, []])
})

test('what an exchange used is told', async () => {
  const usage = { input_tokens: 1 } as Usage
  const { events } = await ask(async function* ({ onUsage }) {
    onUsage?.(usage)
    yield* failureEvents('api_error')
  })
  assert.deepEqual(events, [{ type: 'used', usage }])
})

const withDefault: TestPortOptions = {
  tools: [
    {
      name: 'Tool',
      parse: (input) =>
        isObject(input) && 'a' in input
          ? { ok: true, input: { list: [], ...input } }
          : { ok: false, error: 'no a', output: 'IVE' },
    },
    { name: 'Plan', prepare: async (input) => ({ ...input, plan: 'from the file' }) },
  ],
}

/** A call as it comes, as it stands in the conversation, and what travels to its run. */
const reading: Record<string, [ContentBlock, ContentBlock, object]> = {
  'defaults come first': [
    toolUse('c1', 'Tool', { a: 1 }),
    toolUse('c1', 'Tool', { list: [], a: 1 }),
    { parsed: { ok: true, input: { list: [], a: 1 } }, prepared: { list: [], a: 1 } },
  ],
  'what is given stays': [
    toolUse('c1', 'Tool', { a: 1, list: [2] }),
    toolUse('c1', 'Tool', { a: 1, list: [2] }),
    { parsed: { ok: true, input: { list: [2], a: 1 } }, prepared: { list: [2], a: 1 } },
  ],
  'an input that is refused stays as it is': [
    toolUse('c1', 'Tool', { b: 1 }),
    toolUse('c1', 'Tool', { b: 1 }),
    { parsed: { ok: false, error: 'no a', output: 'IVE' } },
  ],
  'what only the session knows is added, and never replaces what the model wrote': [
    toolUse('c1', 'Plan', { plan: 'mine' }),
    toolUse('c1', 'Plan', { plan: 'mine' }),
    { parsed: { ok: true, input: { plan: 'mine' } }, prepared: { plan: 'from the file' } },
  ],
  'an input that is no object counts as an empty one': [
    toolUse('c1', 'Plan', 'text'),
    toolUse('c1', 'Plan', 'text'),
    { parsed: { ok: true, input: {} }, prepared: { plan: 'from the file' } },
  ],
  'of a tool that is not there nothing is known': [
    toolUse('c1', 'Gone', { x: 1 }),
    toolUse('c1', 'Gone', { x: 1 }),
    {},
  ],
}

for (const [name, [given, kept, read]] of Object.entries(reading)) {
  test(`a call is read when it comes: ${name}`, async () => {
    for (const script of [streamedModelEvents([given]), [whole([given])]]) {
      const { answer, events } = await ask(structuredClone(script), withDefault)
      assert.ok(answer.ok && kept.type === 'tool_use')
      assert.deepEqual(answer.message.content, [kept])
      const call = { id: kept.id, name: kept.name, input: isObject(kept.input) ? kept.input : {} }
      assert.deepEqual(answer.calls, [{ call, ...read }])
      const shown = events.find((event) => event.type === 'assistant')
      assert.deepEqual(shown?.message.content, [kept])
      assert.equal(JSON.stringify(shown?.message.content), JSON.stringify([kept]))
    }
  })
}

test('hosts may change their messages, but neither what runs nor what is kept', async () => {
  const given = () => toolUse('c1', 'Tool', { a: { deep: [1] } })
  for (const script of [streamedModelEvents([given()]), [whole([given()])]]) {
    const spoil = (event: EngineEvent) => {
      if (event.type !== 'assistant') return
      for (const block of event.message.content) {
        if (block.type !== 'tool_use' || !isObject(block.input)) continue
        const { a, list } = block.input
        if (isObject(a)) a['deep'] = 'spoilt'
        if (Array.isArray(list)) list.push('spoilt')
        block.input['more'] = 'spoilt'
      }
    }
    const { answer } = await ask(script, { ...withDefault, more: { emit: spoil } })
    assert.ok(answer.ok)
    const input = { list: [], a: { deep: [1] } }
    assert.deepEqual(answer.message.content, [toolUse('c1', 'Tool', input)])
    assert.deepEqual(answer.calls, [
      { call: { id: 'c1', name: 'Tool', input }, parsed: { ok: true, input }, prepared: input },
    ])
  }
})

test('calls with an id that is taken, in the answer or before it, get one of their own', async () => {
  const twice = [toolUse('c1', 'Plan', { n: 1 }), toolUse('c1', 'Plan', { n: 2 }), toolUse('', 'Plan', { n: 3 })]
  for (const script of [streamedModelEvents(twice), [whole(twice)]]) {
    const { answer } = await ask(script, withDefault)
    assert.ok(answer.ok)
    assert.deepEqual(
      answer.calls.map(({ call }) => [call.id, call.input['n']]),
      [
        ['c1', 1],
        ['c1_2', 2],
        ['call_1', 3],
      ],
    )
    assert.deepEqual(
      answer.message.content.map((block) => block.type === 'tool_use' && block.id),
      ['c1', 'c1_2', 'call_1'],
    )
  }
})

test('blocks of a stream that broke are void', async () => {
  const [broken] = streamedModelEvents([toolUse('old', 'Plan')])
  assert.ok(broken)
  const { answer, events } = await ask([broken, whole([textBlock('Again.'), toolUse('new', 'Plan')])], withDefault)
  const content = [textBlock('Again.'), toolUse('new', 'Plan', { plan: 'from the file' })]
  assert.deepEqual(answer.ok && answer.message.content, content)
  assert.deepEqual(answer.ok && answer.calls.map(({ call }) => call.id), ['new'])
  assert.deepEqual(events.at(-2), {
    type: 'assistant',
    message: testAssistantMessage(content, 'tool_use'),
    requestId: 'req_2',
  })
})

test('a reader that is behind holds the stream up, until the turn is aborted', async () => {
  const abort = new AbortController()
  const told: string[] = []
  const emit = async ({ type }: EngineEvent) => {
    await Promise.resolve()
    told.push(type)
    if (told.length === 2) abort.abort()
  }
  const script: ModelEvent[] = [
    { type: 'events', events: [ping(0), ping(1), ping(2)] },
    ...streamedModelEvents([textBlock('Late.')]),
  ]
  const { answer, history } = await ask(script, { more: { emit } }, abort)
  const about = { kind: 'unknown', code: 'aborted', text: 'aborted', status: null }
  assert.deepEqual([answer, told], [{ ok: false, failure: about }, ['stream', 'stream']])
  assert.equal(history.messages.length, 1)
})
