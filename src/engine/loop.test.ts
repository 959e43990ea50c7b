import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MessageParam, ToolUseBlock } from '../protocol/content.js'
import type { EngineEvent } from './events.js'
import type { Fallback } from './fallbacks.js'
import { createHistory, type History } from './history.js'
import { runTurn, type TurnEnd, type TurnInput } from './loop.js'
import type { ModelEvent } from './model-port.js'
import {
  createTestPorts,
  errorBlock,
  failureEvents,
  type ModelScript,
  streamedModelEvents,
  type TestPortOptions,
  type TestPorts,
  testAssistantMessage,
  textBlock,
  toolUse,
} from './test-ports.js'

const CUT_OFF =
  "API Error: The model's answer exceeded the output token limit. Set CLAUDE_CODE_MAX_OUTPUT_TOKENS to raise it."
const GO_ON = 'Your answer was cut off at the output limit. Go on exactly where it stopped, without repeating anything.'
const CUT_OFF_CALL = 'The answer was cut off at the output limit before this call was complete. It was not run.'
const NOT_RUN = 'The turn ended before this call was run.'

const user = (...texts: string[]): MessageParam => ({
  role: 'user',
  content: texts.map((one) => ({ type: 'text', text: one })),
})
const assistant = (...content: Parameters<typeof streamedModelEvents>[0]): MessageParam => ({
  role: 'assistant',
  content,
})
const openCalls = (...uses: ToolUseBlock[]) => uses.map((use) => ({ use }))
const results = (...content: Extract<MessageParam['content'], unknown[]>): MessageParam => ({ role: 'user', content })
const did = (id: string, content = 'did Tool') => ({ type: 'tool_result' as const, tool_use_id: id, content })

type Played = TestPorts & { end: TurnEnd; history: History; told: string[] }

async function play(
  model: ModelScript[],
  options: Omit<TestPortOptions, 'model'> & { input?: Partial<TurnInput>; abort?: AbortController } = {},
): Promise<Played> {
  const { input, abort = new AbortController(), ...rest } = options
  const test = createTestPorts({ tools: [{ name: 'Tool' }], ...rest, model })
  const history = input?.history ?? createHistory([user('Do it.')])
  const end = await runTurn(
    {
      history,
      model: () => 'test-model',
      system: ['Be good.'],
      tools: () => [],
      partial: false,
      maxTurns: null,
      ...input,
    },
    test.ports,
    abort.signal,
  )
  return { ...test, end, history, told: test.events.map(describe) }
}

/** An event in a word or two. */
function describe(event: EngineEvent): string {
  switch (event.type) {
    case 'assistant':
      return event.error ? `assistant ${event.error}` : 'assistant'
    case 'user-text':
      return `user-text ${event.kind}`
    case 'tool-result':
      return `tool-result ${event.call.id}`
    default:
      return event.type
  }
}

const ended = (more: Partial<TurnEnd> = {}): TurnEnd => ({
  reason: 'completed',
  text: '',
  stopReason: null,
  userMessages: 0,
  ...more,
})

test('a question and its answer', async () => {
  const { end, history, told, requests, events } = await play([streamedModelEvents([textBlock('Hello.')])])
  assert.deepEqual(end, ended({ text: 'Hello.' }))
  assert.deepEqual(history.messages, [user('Do it.'), assistant(textBlock('Hello.'))])
  assert.deepEqual(told, ['assistant', 'answered'])
  assert.deepEqual(events, [
    { type: 'assistant', message: testAssistantMessage([textBlock('Hello.')], 'end_turn'), requestId: 'req_1' },
    { type: 'answered', message: testAssistantMessage([textBlock('Hello.')], 'end_turn') },
  ])
  const [{ onUsage, ...request } = { onUsage: undefined }, ...more] = requests
  assert.equal(typeof onUsage, 'function')
  assert.deepEqual(
    [request, more],
    [{ model: 'test-model', system: ['Be good.'], tools: [], messages: [user('Do it.')], partial: false }, []],
  )
})

test('the stop reason is told of an answer that was not streamed', async () => {
  const whole = testAssistantMessage([textBlock('Hello.')], 'end_turn')
  const { end } = await play([
    [{ type: 'end', outcome: { ok: true, message: whole, streamed: false, requestId: null } }],
  ])
  assert.deepEqual(end, ended({ text: 'Hello.', stopReason: 'end_turn' }))
})

test('tools are run and their results go back', async () => {
  const batches: unknown[] = []
  const { end, history, told, requests } = await play(
    [
      streamedModelEvents([textBlock('I look.'), toolUse('c1', 'Tool', { a: 1 }), toolUse('c2', 'Tool')]),
      streamedModelEvents([textBlock('Done.')]),
    ],
    {
      hooks: {
        async postBatch(calls) {
          batches.push(calls.map(({ call, output }) => [call.id, output]))
          return { context: ['after all'] }
        },
        postTool: async ({ id }) => ({ context: [`after ${id}`] }),
      },
    },
  )
  assert.deepEqual(end, ended({ text: 'Done.', userMessages: 2 }))
  const beside = ['after c1', 'after c2', 'after all'].map(
    (one) => ({ type: 'text', text: `<system-reminder>\n${one}\n</system-reminder>` }) as const,
  )
  assert.deepEqual(history.messages, [
    user('Do it.'),
    assistant(textBlock('I look.'), toolUse('c1', 'Tool', { a: 1 }), toolUse('c2', 'Tool')),
    results(did('c1'), did('c2'), ...beside),
    assistant(textBlock('Done.')),
  ])
  assert.deepEqual(batches, [
    [
      ['c1', { name: 'Tool' }],
      ['c2', { name: 'Tool' }],
    ],
  ])
  assert.deepEqual(told, [
    ...['assistant', 'assistant', 'assistant', 'answered'],
    ...['tool-result c1', 'tool-result c2', 'context', 'assistant', 'answered'],
  ])
  assert.equal(requests.length, 2)
})

test('what a tool says after its result counts as a message and follows all results', async () => {
  const execute = async () => ({ ok: true as const, content: 'loaded', output: 1, follow: 'Follow me.' })
  const { end, history } = await play(
    [streamedModelEvents([toolUse('c1', 'Skill')]), streamedModelEvents([textBlock('Yes.')])],
    {
      tools: [{ name: 'Skill', execute }],
    },
  )
  assert.deepEqual(end, ended({ text: 'Yes.', userMessages: 2 }))
  assert.deepEqual(history.messages[2], results(did('c1', 'loaded'), { type: 'text', text: 'Follow me.' }))
})

test('what came meanwhile is behind all results, in blocks of its own, only where a request follows', async () => {
  const image = { type: 'image' as const, source: { type: 'url' as const, url: 'https://x' } }
  const words = { type: 'text' as const, text: 'Also this.' }
  let taken = 0
  const more = {
    takeFolded: async () => {
      taken += 1
      return [words, image]
    },
  }
  const model = () => [streamedModelEvents([toolUse('c1', 'Tool')]), streamedModelEvents([textBlock('Yes.')])]
  const { history } = await play(model(), { more })
  assert.deepEqual(history.messages[2], results(did('c1', 'did Tool'), words, image))
  assert.equal(taken, 1)
  await play(model(), { more, input: { maxTurns: 1 } })
  assert.equal(taken, 1)
})

/** Endings after tools: what the ports say, and what the turn ends with. */
const afterTools: Record<string, [Parameters<typeof play>[1], Partial<TurnEnd>, MessageParam]> = {
  'turns are over': [
    { input: { maxTurns: 1 } },
    { reason: 'max_turns', text: 'I look.', userMessages: 1 },
    results(did('c1')),
  ],
  'the model gave up': [
    { more: { gaveUp: () => true } },
    { reason: 'structured_output_retries_exhausted', text: 'I look.', userMessages: 1 },
    results(did('c1')),
  ],
  'a hook stops after all calls': [
    { hooks: { postBatch: async () => ({ context: [], stop: {} }) } },
    { reason: 'hook_stopped', text: '', userMessages: 1 },
    results(did('c1')),
  ],
  'a hook stops the call': [
    { hooks: { preTool: async () => ({ context: [], stop: { reason: 'enough' } }) } },
    { reason: 'hook_stopped', text: '', userMessages: 1 },
    results(errorBlock('c1', 'enough')),
  ],
  'denied with interrupt': [
    {
      permissions: {
        decide: async () => ({ behavior: 'ask', message: 'ask', reasonType: 'other' }),
        ask: async () => ({ behavior: 'deny', message: 'No!', interrupt: true }),
      },
    },
    { reason: 'interrupted_by_permission', text: 'I look.', userMessages: 2 },
    results(errorBlock('c1', 'No!'), { type: 'text', text: '[Request interrupted by user for tool use]' }),
  ],
  'nobody to ask': [
    {
      permissions: { decide: async () => ({ behavior: 'ask', message: 'ask', reasonType: 'other' }), failOnAsk: true },
    },
    { reason: 'permission_required', text: 'I look.', userMessages: 1 },
    results(errorBlock('c1', 'ask')),
  ],
}

for (const [name, [options, end, answer]] of Object.entries(afterTools)) {
  test(`the turn ends after tools: ${name}`, async () => {
    const played = await play([streamedModelEvents([textBlock('I look.'), toolUse('c1', 'Tool')])], options)
    assert.deepEqual(played.end, ended(end))
    assert.deepEqual(played.history.messages, [
      user('Do it.'),
      assistant(textBlock('I look.'), toolUse('c1', 'Tool')),
      answer,
    ])
  })
}

test('a budget that is spent: before the turn, by the answer, by tools', async () => {
  const before = await play([], { more: { overBudget: () => true } })
  assert.deepEqual([before.end, before.requests], [ended({ reason: 'budget_exhausted' }), []])

  let spent = false
  const budget = { more: { overBudget: () => spent } }
  const byAnswer = await play(
    [
      async function* () {
        spent = true
        yield* streamedModelEvents([toolUse('c1', 'Tool')])
      },
    ],
    budget,
  )
  assert.deepEqual(byAnswer.end, ended({ reason: 'budget_exhausted' }))
  assert.deepEqual(byAnswer.history.messages.at(-1), results(errorBlock('c1', NOT_RUN)))
  assert.ok(!byAnswer.log.includes('run Tool'))

  spent = false
  const byTools = await play([streamedModelEvents([toolUse('c1', 'Tool')])], {
    ...budget,
    hooks: {
      async postBatch() {
        spent = true
        return { context: [] }
      },
    },
  })
  assert.deepEqual(byTools.end, ended({ reason: 'budget_exhausted', userMessages: 1 }))

  const notSent = await play([failureEvents('budget_exhausted')])
  assert.deepEqual([notSent.end, notSent.told], [ended({ reason: 'budget_exhausted' }), []])
})

test('a failure is told in the place of an answer', async () => {
  const { end, told, history } = await play([failureEvents('api_error')])
  const about = { kind: 'server_error' as const, code: 'api_error', text: 'It failed: api_error.', status: 500 }
  assert.deepEqual(end, ended({ reason: 'api_error', failure: about }))
  assert.deepEqual(told, ['assistant server_error'])
  assert.deepEqual(history.messages, [user('Do it.')])
})

test('an overloaded model is replaced once, for the rest of the turn', async () => {
  const fallback = { input: { fallbacks: [{ model: 'small-model', on: ['overloaded' as const] }] } }
  const { end, told, requests, events } = await play(
    [
      failureEvents('overloaded'),
      streamedModelEvents([toolUse('c1', 'Tool')]),
      streamedModelEvents([textBlock('Done.')]),
    ],
    fallback,
  )
  assert.deepEqual(end, ended({ text: 'Done.', userMessages: 1 }))
  assert.deepEqual(
    requests.map(({ model, switchOn }) => [model, switchOn]),
    [
      ['test-model', ['overloaded']],
      ['small-model', undefined],
      ['small-model', undefined],
    ],
  )
  assert.equal(told[0], 'fallback')
  assert.deepEqual(events[0], { type: 'fallback', from: 'test-model', to: 'small-model', reason: 'overloaded' })
  const again = await play([failureEvents('overloaded'), failureEvents('overloaded')], fallback)
  assert.equal(again.end.reason, 'api_error')
})

test('models to turn to, each for what it is meant for, in order', async () => {
  const fallbacks: Fallback[] = [
    { model: 'second', on: ['overloaded', 'down'] },
    { model: 'large', on: ['too_long'] },
    { model: 'bold', on: ['refused', 'rate_limited'] },
  ]
  const trail = async (...answers: Parameters<typeof play>[0]) => {
    const { end, events } = await play(answers, { input: { fallbacks } })
    const moves = events.flatMap((event) => (event.type === 'fallback' ? [`${event.reason} ${event.to}`] : []))
    return [end.reason, ...moves]
  }
  const good = streamedModelEvents([textBlock('Done.')])
  const no = streamedModelEvents([textBlock('I won’t.')], 'refusal')
  assert.deepEqual(await trail(failureEvents('connection_failed'), good), ['completed', 'down second'])
  assert.deepEqual(await trail(failureEvents('overloaded'), failureEvents('prompt_too_long'), no, good), [
    ...['completed', 'overloaded second', 'too_long large', 'refused bold'],
  ])
  assert.deepEqual(await trail(failureEvents('billing'), no), ['refusal', 'rate_limited bold'])
  assert.deepEqual(await trail(failureEvents('prompt_too_long'), failureEvents('overloaded')), [
    'api_error',
    'too_long large',
  ])
  assert.deepEqual(await trail(failureEvents('invalid_api_key')), ['api_error'])
  const { history } = await play([no, good], { input: { fallbacks } })
  assert.deepEqual(history.messages, [user('Do it.'), assistant(textBlock('Done.'))])
})

test('an answer that was cut off is gone on with, three times at most', async () => {
  const cut = (words: string) => streamedModelEvents([textBlock(words)], 'max_tokens')
  const once = await play([cut('One '), streamedModelEvents([textBlock('two.')])])
  assert.deepEqual(once.end, ended({ text: 'One two.' }))
  assert.deepEqual(once.history.messages, [
    user('Do it.'),
    assistant(textBlock('One ')),
    user(GO_ON),
    assistant(textBlock('two.')),
  ])
  assert.deepEqual(once.told, [
    ...['assistant', 'answered', 'assistant max_output_tokens', 'user-text hidden'],
    ...['assistant', 'answered'],
  ])
  const always = await play([cut('1'), cut('2'), cut('3'), cut('4')])
  assert.deepEqual(always.end, ended({ reason: 'max_output_tokens', text: CUT_OFF }))
  assert.equal(always.told.filter((one) => one === 'assistant max_output_tokens').length, 4)
})

test('calls of an answer that was cut off are refused, and the turn goes on', async () => {
  const { end, history, log, told } = await play([
    streamedModelEvents([toolUse('c1', 'Tool'), toolUse('c2', 'Tool')], 'max_tokens'),
    streamedModelEvents([textBlock('Done.')]),
  ])
  assert.deepEqual(end, ended({ text: 'Done.', userMessages: 2 }))
  assert.deepEqual(history.messages[2], results(errorBlock('c1', CUT_OFF_CALL), errorBlock('c2', CUT_OFF_CALL)))
  assert.deepEqual(told.slice(3, 5), ['tool-result c1', 'tool-result c2'])
  assert.ok(!log.includes('run Tool'))
})

test('a refusal, and nothing at all', async () => {
  const refusal = await play([streamedModelEvents([textBlock('I can’t.')], 'refusal')])
  assert.deepEqual(
    refusal.end,
    ended({ reason: 'refusal', text: 'API Error: The model refused to answer this request.' }),
  )
  assert.deepEqual(refusal.told, ['assistant', 'answered', 'assistant invalid_request'])
  const empty = await play([streamedModelEvents([])])
  assert.deepEqual(empty.end, ended({ reason: 'empty_response' }))
})

test('an answer that pauses is asked for again', async () => {
  const { end, requests } = await play([
    streamedModelEvents([textBlock('Wait.')], 'pause_turn'),
    streamedModelEvents([textBlock('Here.')]),
  ])
  assert.deepEqual([end, requests.length], [ended({ text: 'Here.' }), 2])
})

test('room is made before later requests, and when the API says that it is too much', async () => {
  const asked: string[] = []
  const makeRoom = (answer: boolean) => async (why: string) => {
    asked.push(why)
    return answer
  }
  const { end } = await play(
    [
      failureEvents('prompt_too_long'),
      streamedModelEvents([toolUse('c1', 'Tool')]),
      streamedModelEvents([textBlock('Done.')]),
    ],
    {
      more: { makeRoom: makeRoom(true) },
    },
  )
  assert.deepEqual([end, asked], [ended({ text: 'Done.', userMessages: 1 }), ['too-long', 'near']])
  const full = await play([failureEvents('prompt_too_long')], { more: { makeRoom: makeRoom(false) } })
  assert.equal(full.end.reason, 'api_error')
  const unable = await play([failureEvents('prompt_too_long')])
  assert.equal(unable.end.reason, 'api_error')
})

test('stop hooks: feedback goes to the model, until they are content', async () => {
  const heard: unknown[] = []
  const { end, history, told } = await play(
    [streamedModelEvents([textBlock('One.')]), streamedModelEvents([textBlock('Two.')])],
    {
      hooks: {
        async stop(active, lastText) {
          heard.push([active, lastText])
          return active ? {} : { block: 'More, please.' }
        },
      },
    },
  )
  assert.deepEqual(end, ended({ text: 'Two.', userMessages: 1 }))
  assert.deepEqual(heard, [
    [false, 'One.'],
    [true, 'Two.'],
  ])
  assert.deepEqual(history.messages[2], user('Stop hook feedback:\nMore, please.'))
  assert.ok(told.includes('user-text feedback'))
})

test('stop hooks: one that prevents ends the turn, whatever another says', async () => {
  const { end, history } = await play([streamedModelEvents([textBlock('One.')])], {
    hooks: { stop: async () => ({ block: 'More.', prevent: true }) },
  })
  assert.deepEqual(end, ended({ reason: 'stop_hook_prevented', text: 'One.' }))
  assert.deepEqual(history.messages.length, 2)
})

test('aborted while the model writes: what was said stays, calls do not', async () => {
  const abort = new AbortController()
  const [said, called] = streamedModelEvents([textBlock('I was ab'), toolUse('c1', 'Tool')])
  const { end, history, log } = await play(
    [
      async function* (): AsyncIterable<ModelEvent> {
        if (said) yield said
        if (called) yield called
        abort.abort()
        yield { type: 'events', events: [] }
      },
    ],
    { abort },
  )
  assert.deepEqual(end, ended({ reason: 'aborted_streaming', userMessages: 1 }))
  assert.deepEqual(history.messages, [
    user('Do it.'),
    assistant(textBlock('I was ab')),
    user('[Request interrupted by user]'),
  ])
  assert.ok(!log.includes('run Tool'))
})

test('aborted just after the answer: its calls get a result', async () => {
  const abort = new AbortController()
  const emit = ({ type }: EngineEvent) => {
    if (type === 'answered') abort.abort()
  }
  const { end, history, log } = await play([streamedModelEvents([textBlock('I look.'), toolUse('c1', 'Tool')])], {
    abort,
    more: { emit },
  })
  assert.deepEqual(end, ended({ reason: 'aborted_streaming', text: 'I look.', userMessages: 1 }))
  assert.deepEqual(
    history.messages.at(-1),
    results(errorBlock('c1', NOT_RUN), { type: 'text', text: '[Request interrupted by user]' }),
  )
  assert.ok(!log.includes('run Tool'))
})

test('aborted while tools run', async () => {
  const abort = new AbortController()
  let batches = 0
  const { end, history, told } = await play([streamedModelEvents([toolUse('c1', 'Tool'), toolUse('c2', 'Tool')])], {
    abort,
    tools: [
      {
        name: 'Tool',
        async execute() {
          abort.abort()
          return { ok: false, error: 'ended' }
        },
      },
    ],
    hooks: {
      async postBatch() {
        batches += 1
        return { context: [] }
      },
    },
  })
  assert.deepEqual(end, ended({ reason: 'aborted_tools', userMessages: 3 }))
  assert.deepEqual(
    history.messages.at(-1),
    results(errorBlock('c1', 'ended'), errorBlock('c2', '[Request interrupted by user for tool use]'), {
      type: 'text',
      text: '[Request interrupted by user for tool use]',
    }),
  )
  assert.deepEqual([told.at(-1), batches], ['user-text interrupted', 0])
})

test('aborted while stop hooks run', async () => {
  const abort = new AbortController()
  const { end } = await play([streamedModelEvents([textBlock('One.')])], {
    abort,
    hooks: {
      async stop() {
        abort.abort()
        return { block: 'More.' }
      },
    },
  })
  assert.deepEqual(end, ended({ reason: 'aborted_streaming', text: 'One.', userMessages: 2 }))
})

test('a parked turn leaves the call open, and the next one begins there', async () => {
  let isThere = false
  const permissions: TestPortOptions['permissions'] = {
    decide: async ({ id }) =>
      id === 'c2' ? { behavior: 'ask', message: 'ask', reasonType: 'other' } : { behavior: 'allow' },
    ask: async ({ call }) => (isThere ? { behavior: 'allow', input: call.input, updates: [] } : { behavior: 'park' }),
  }
  const uses = [toolUse('c1', 'Tool'), toolUse('c2', 'Tool', { a: 1 }), toolUse('c3', 'Tool')]
  let batches = 0
  const hooks: TestPortOptions['hooks'] = {
    async postBatch() {
      batches += 1
      return { context: [] }
    },
  }
  const first = await play([streamedModelEvents([textBlock('I try.'), ...uses])], { permissions, hooks })
  assert.deepEqual(first.end, ended({ reason: 'waiting', text: 'I try.', userMessages: 1 }))
  assert.deepEqual(first.history.messages, [
    user('Do it.'),
    assistant(textBlock('I try.'), ...uses),
    results(did('c1')),
  ])
  assert.deepEqual([first.told.slice(-3), batches], [['tool-result c1', 'asked', 'settled'], 0])

  isThere = true
  const next = await play([streamedModelEvents([textBlock('Done.')])], {
    permissions,
    hooks,
    input: { history: first.history, beginning: { at: 'calls', text: '', calls: openCalls(...uses.slice(1)) } },
  })
  assert.deepEqual(next.end, ended({ text: 'Done.', userMessages: 2 }))
  assert.deepEqual(next.history.messages, [
    user('Do it.'),
    assistant(textBlock('I try.'), ...uses),
    results(did('c1'), did('c2'), did('c3')),
    assistant(textBlock('Done.')),
  ])
  assert.deepEqual(
    [next.told, batches],
    [['asked', 'settled', 'tool-result c2', 'tool-result c3', 'assistant', 'answered'], 1],
  )
})

test('open calls are run even where no money is left for the model', async () => {
  const { end, log } = await play([], {
    more: { overBudget: () => true },
    input: { beginning: { at: 'calls', text: '', calls: openCalls(toolUse('c1', 'Tool')) } },
  })
  assert.deepEqual(end, ended({ reason: 'budget_exhausted', userMessages: 1 }))
  assert.ok(log.includes('run Tool'))
})

test('a call is parsed and prepared once from the model to its run', async () => {
  const tools: TestPortOptions['tools'] = [{ name: 'Tool', prepare: async (input) => ({ ...input, known: true }) }]
  const { log, history } = await play(
    [streamedModelEvents([toolUse('c1', 'Tool', { a: 1 })]), streamedModelEvents([textBlock('Done.')])],
    {
      tools,
    },
  )
  assert.deepEqual(log, ['parse Tool', 'prepare Tool', 'check Tool', 'run Tool'])
  assert.deepEqual(history.messages[1], assistant(toolUse('c1', 'Tool', { known: true, a: 1 })))
})

test('… and again, once each, only where something has changed since', async () => {
  const tools: TestPortOptions['tools'] = [{ name: 'Tool', prepare: async (input) => input }, { name: 'Other' }]
  const model = () => [
    streamedModelEvents([toolUse('c1', 'Other'), toolUse('c2', 'Tool')]),
    streamedModelEvents([textBlock('Done.')]),
  ]
  const after = await play(model(), { tools })
  assert.deepEqual(after.log, [
    ...['parse Other', 'parse Tool', 'prepare Tool', 'check Other', 'run Other'],
    // The call before it may have changed what the session knows.
    ...['prepare Tool', 'check Tool', 'run Tool'],
  ])
  const changed = await play(
    [streamedModelEvents([toolUse('c1', 'Tool')]), streamedModelEvents([textBlock('Done.')])],
    {
      tools,
      hooks: { preTool: async () => ({ context: [], input: { b: 2 } }) },
      permissions: {
        decide: async (_, __, context) =>
          context ? { behavior: 'ask', message: 'ask', reasonType: 'other' } : { behavior: 'allow' },
        ask: async () => ({ behavior: 'allow', input: { c: 3 }, updates: [] }),
      },
    },
  )
  assert.deepEqual(changed.log, [
    ...['parse Tool', 'prepare Tool', 'check Tool'],
    ...['parse Tool', 'check Tool'],
    ...['parse Tool', 'check Tool', 'run Tool'],
  ])
})

test('a turn whose lines can not be kept ends there, and the conversation stays one the API takes', async () => {
  const { end, history, told } = await play([streamedModelEvents([toolUse('c1', 'Tool')])], {
    more: { saved: async () => 'session_store_failed' },
  })
  assert.deepEqual(end, ended({ reason: 'session_store_failed' }))
  assert.deepEqual(history.messages.at(-1), results(errorBlock('c1', 'The turn ended before this call was run.')))
  assert.ok(!told.some((event) => event.startsWith('tool-result')))
})

test('results that can not be kept are not told to the model', async () => {
  const states = [undefined, 'session_taken_over'] as const
  let asked = 0
  const { end, told } = await play([streamedModelEvents([toolUse('c1', 'Tool')])], {
    more: { saved: async () => states[asked++] },
  })
  assert.deepEqual(end, ended({ reason: 'session_taken_over', userMessages: 1 }))
  assert.equal(told.filter((event) => event.startsWith('tool-result')).length, 1)
})

test('what another turn began: what may have done something is told, what only reads is run again, the rest is run', async () => {
  const calls = [toolUse('c1', 'Tool'), toolUse('c2', 'Look'), toolUse('c3', 'Tool'), toolUse('c4', 'Helper')]
  const beginning: TurnInput['beginning'] = {
    at: 'calls',
    text: 'I try.',
    calls: calls.map((one, at) => ({ use: one, ...(at === 2 ? {} : { lost: 'Nobody knows.' }) })),
  }
  const history = createHistory([
    user('Do it.'),
    assistant(toolUse('c0', 'Tool'), ...calls),
    // Beside the result that was there stood a text, which results may not come after.
    results(did('c0'), textBlock('mind this')),
  ])
  const { end, log, told } = await play([streamedModelEvents([textBlock('Done.')])], {
    tools: [
      ...[{ name: 'Tool' }, { name: 'Look', isReadOnly: () => true }],
      { name: 'Helper', isReadOnly: () => true, runsOnce: true },
    ],
    input: { history, beginning },
  })
  assert.deepEqual(end, ended({ text: 'Done.', userMessages: 4 }))
  assert.deepEqual(
    log.filter((line) => line.startsWith('run')),
    ['run Look', 'run Tool'],
  )
  assert.deepEqual(told.slice(0, 5), [
    ...['tool-result c1', 'repeated', 'tool-result c4', 'tool-result c2', 'tool-result c3'],
  ])
  const last = history.messages[2]?.content
  assert.ok(Array.isArray(last))
  assert.deepEqual(
    last.map((block) => (block.type === 'tool_result' ? block.tool_use_id : block.type)),
    ['c0', 'c1', 'c2', 'c3', 'c4', 'text'],
  )
})

test('a whole answer that another turn got is gone on with by the same policy', async () => {
  const beginning = (stopReason: string): TurnInput['beginning'] => ({
    at: 'answer',
    stopReason,
    text: 'So.',
    calls: [],
  })
  const over = await play([], { input: { beginning: beginning('end_turn') } })
  assert.deepEqual(over.end, ended({ text: 'So.' }))
  const cut = await play([streamedModelEvents([textBlock('More.')])], { input: { beginning: beginning('max_tokens') } })
  assert.deepEqual([cut.end.reason, cut.end.text, cut.requests.length], ['completed', 'So.More.', 1])
})
