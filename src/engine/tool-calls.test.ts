import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PermissionDecision, PermissionPort, PermissionRequest } from './approval-port.js'
import type { EngineEvent } from './events.js'
import type { CallResult } from './finished-call.js'
import { INTERRUPTED_IN_TOOL } from './finished-call.js'
import type { PostToolVerdict, PreToolVerdict } from './hook-port.js'
import { createTestPorts, errorBlock, settlePendingWork, type TestPortOptions, unparsedCall } from './test-ports.js'
import { runToolCalls } from './tool-calls.js'
import type { EngineCall, EngineTool } from './tool-port.js'

const never = new AbortController().signal
const ALLOW: PermissionDecision = { behavior: 'allow' }
const ASK: PermissionDecision = { behavior: 'ask', message: 'Nobody could be asked.', reasonType: 'other' }

type Case = {
  tool?: Partial<EngineTool>
  input?: Record<string, unknown>
  pre?: Partial<PreToolVerdict>
  post?: Partial<PostToolVerdict>
  /** One after the other; the last one again and again. */
  decide?: PermissionDecision[]
  ask?: PermissionPort['ask']
  failOnAsk?: true
  /** What the result has beside `call`; absent: the usual success. */
  result?: Partial<CallResult> & { call?: EngineCall }
  /** What was told before the result. */
  told?: EngineEvent[]
  /** The inputs that ran. */
  ran?: Record<string, unknown>[]
}

const CALL: EngineCall = { id: 'c1', name: 'Tool', input: { a: 1 } }
const SUCCESS = {
  block: { tool_use_id: 'c1', type: 'tool_result' as const, content: 'done' },
  output: { ok: true },
  context: [],
}
const failedWith = (text: string, output: unknown = `Error: ${text}`) => ({
  block: errorBlock('c1', text),
  output,
  context: [],
})
const refusedWith = (text: string, output = `Error: ${text}`) =>
  failedWith(`<tool_use_error>${text}</tool_use_error>`, output)
const question = (more: Partial<PermissionRequest> = {}): PermissionRequest => ({
  call: CALL,
  suggestions: undefined,
  blockedPath: undefined,
  decisionReason: undefined,
  warning: undefined,
  onlyAPerson: undefined,
  ...more,
})
const asked: EngineEvent = { type: 'asked', question: question() }
type Settled = Extract<EngineEvent, { type: 'settled' }>
const settled = (answer: Settled['answer'], more: Partial<Settled> = {}): EngineEvent => ({
  type: 'settled',
  call: CALL,
  answer,
  ...more,
})
const denied = (more: Omit<Extract<EngineEvent, { type: 'denied' }>, 'type' | 'call'>): EngineEvent => ({
  type: 'denied',
  call: CALL,
  ...more,
})
const allow = (input = CALL.input) => ({ behavior: 'allow' as const, input, updates: [] })

const cases: Record<string, Case> = {
  'runs what is allowed': { ran: [{ a: 1 }] },
  'marks success where the tool does': {
    tool: { marksSuccess: true },
    result: { block: { ...SUCCESS.block, is_error: false } },
    ran: [{ a: 1 }],
  },
  'marks no success that is more than a text': {
    tool: { marksSuccess: true, execute: async () => ({ ok: true, content: [], output: 1 }) },
    result: { block: { ...SUCCESS.block, content: [] }, output: 1 },
  },
  'says what a tool says after its result': {
    tool: { execute: async () => ({ ok: true, content: 'done', output: { ok: true }, follow: 'Read this.' }) },
    result: { follow: 'Read this.' },
  },
  'invalid input': {
    tool: { parse: () => ({ ok: false, error: 'a is no number', output: 'InputValidationError' }) },
    result: refusedWith('a is no number', 'InputValidationError'),
  },
  'refused by the tool before anybody is asked': {
    tool: { check: async () => 'not read yet' },
    result: refusedWith('not read yet'),
  },
  'a problem that begins with Error is not told twice': {
    tool: { check: async () => 'Error: gone' },
    result: refusedWith('Error: gone', 'Error: gone'),
  },
  'a failure of the tool': {
    tool: { execute: async () => ({ ok: false, error: 'exit 1' }) },
    result: failedWith('exit 1'),
  },
  '… with an output of its own': {
    tool: { execute: async () => ({ ok: false, error: 'exit 1', output: { code: 1 } }) },
    result: failedWith('exit 1', { code: 1 }),
  },
  '… before anything ran': {
    tool: { execute: async () => ({ ok: false, error: 'empty', refused: true }) },
    result: refusedWith('empty'),
  },
  'a tool that throws': {
    tool: { execute: () => Promise.reject(new Error('bug')) },
    result: failedWith('bug'),
  },
  '… something that is no error': {
    tool: { execute: () => Promise.reject('bug') },
    result: failedWith('bug'),
  },
  'a port that throws': {
    tool: { check: () => Promise.reject(new Error('bug of ours')) },
    result: failedWith('Error: bug of ours'),
  },

  'a hook denies': {
    pre: { decision: 'deny', reason: 'no', context: ['beside'] },
    result: { ...failedWith('no'), context: ['beside'] },
  },
  '… without a word': { pre: { decision: 'deny' }, result: failedWith('Blocked by a hook.') },
  '… and its reason is repeated beside the result': {
    pre: { decision: 'deny', reason: 'x'.repeat(1001), repeatReason: true },
    result: {
      ...failedWith('x'.repeat(1001)),
      context: [`PreToolUse:Tool hook blocked it: ${'x'.repeat(1000)}`],
    },
  },
  'a hook stops the turn': {
    pre: { stop: { reason: 'enough' }, decision: 'allow' },
    result: { ...failedWith('enough'), stop: 'hook' },
  },
  '… without a reason': { pre: { stop: {} }, result: { ...failedWith('Stopped by a hook.'), stop: 'hook' } },
  'a hook changes the input': {
    pre: { input: { a: 2 } },
    result: { call: { ...CALL, input: { a: 2 } } },
    ran: [{ a: 2 }],
  },
  '… to one that is invalid': {
    pre: { input: { b: 1 }, context: ['beside'] },
    tool: { parse: (input) => (hasA(input) ? { ok: true, input } : { ok: false, error: 'no a', output: 'IVE' }) },
    result: refusedWith('no a', 'IVE'),
  },
  '… to one that the tool refuses': {
    pre: { input: { a: 2 } },
    tool: { check: async ({ a }) => (a === 2 ? 'not 2' : undefined) },
    result: refusedWith('not 2'),
  },
  'a hook adds to what the model reads': {
    pre: { context: ['before'] },
    post: { context: ['after'] },
    result: { context: ['before', 'after'] },
    ran: [{ a: 1 }],
  },
  'a hook stops the turn after the tool': { post: { stop: {} }, result: { stop: 'hook' }, ran: [{ a: 1 }] },
  'a hook replaces the result by a text': {
    post: { output: 'short' },
    result: { block: { ...SUCCESS.block, content: 'short' }, output: 'short' },
  },
  '… by blocks': {
    post: { output: [{ type: 'text', text: 'x' }] },
    result: {
      block: { ...SUCCESS.block, content: [{ type: 'text', text: 'x' }] },
      output: [{ type: 'text', text: 'x' }],
    },
  },
  '… by anything else': {
    post: { output: [{ x: 1 }] },
    result: { block: { ...SUCCESS.block, content: '[{"x":1}]' }, output: [{ x: 1 }] },
  },

  'denied by a rule': {
    decide: [{ behavior: 'deny', message: 'by rule', reasonType: 'rule', reason: 'Tool' }],
    pre: { context: ['beside'] },
    result: { ...failedWith('by rule'), context: ['beside'] },
    told: [denied({ message: 'by rule', automatic: true, reasonType: 'rule', reason: 'Tool' })],
  },
  'a path that rules deny counts as a call that could not be made': {
    decide: [{ behavior: 'deny', message: 'that path', reasonType: 'denied_path' }],
    result: refusedWith('that path'),
  },
  'nobody to ask': {
    decide: [ASK],
    result: failedWith('Nobody could be asked.'),
    told: [
      asked,
      settled('unanswered'),
      denied({ message: 'Nobody could be asked.', automatic: true, reasonType: 'other' }),
    ],
  },
  '… and that ends the turn': {
    decide: [ASK],
    failOnAsk: true,
    result: { ...failedWith('Nobody could be asked.'), stop: 'nobody-to-ask' },
    told: [
      asked,
      settled('unanswered'),
      denied({ message: 'Nobody could be asked.', automatic: true, reasonType: 'other' }),
    ],
  },
  '… about what only a hook wanted to know': {
    decide: [{ ...ASK, reasonType: 'hook' }],
    pre: { decision: 'ask', reason: 'The hook wonders.' },
    result: failedWith('The hook wonders.'),
    told: [
      { type: 'asked', question: question({ decisionReason: 'The hook wonders.' }) },
      settled('unanswered'),
      denied({ message: 'The hook wonders.', automatic: true, reasonType: 'hook' }),
    ],
  },
  'whoever is asked allows': {
    decide: [ASK],
    ask: async ({ call }) => allow(call.input),
    told: [asked, settled('allowed')],
    ran: [{ a: 1 }],
  },
  'they are told all that is known': {
    tool: { warning: 'It destroys.' },
    decide: [
      {
        ...ASK,
        suggestions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
        blockedPath: '/x',
        decisionReason: 'outside',
        onlyAPerson: true,
      },
    ],
    ask: async ({ call }) => allow(call.input),
    told: [
      {
        type: 'asked',
        question: question({
          suggestions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
          blockedPath: '/x',
          decisionReason: 'outside',
          warning: 'It destroys.',
          onlyAPerson: true,
        }),
      },
      settled('allowed'),
    ],
    ran: [{ a: 1 }],
  },
  'they change the input': {
    decide: [ASK, { behavior: 'allow' }],
    ask: async () => allow({ a: 3 }),
    result: { call: { ...CALL, input: { a: 3 } } },
    told: [asked, settled('allowed', { input: { a: 3 } })],
    ran: [{ a: 3 }],
  },
  '… which is not asked again': {
    decide: [ASK],
    ask: async () => allow({ a: 3 }),
    result: { call: { ...CALL, input: { a: 3 } } },
    told: [asked, settled('allowed', { input: { a: 3 } })],
    ran: [{ a: 3 }],
  },
  '… but not past a rule': {
    decide: [ASK, { behavior: 'deny', message: 'not that', reasonType: 'rule' }],
    ask: async () => allow({ a: 3 }),
    result: failedWith('not that'),
    told: [
      asked,
      settled('allowed', { input: { a: 3 } }),
      denied({ message: 'not that', automatic: true, reasonType: 'rule' }),
    ],
  },
  '… nor past the tool': {
    decide: [ASK],
    ask: async () => allow({ a: 3 }),
    tool: { check: async ({ a }) => (a === 3 ? 'not 3' : undefined) },
    result: refusedWith('not 3'),
    told: [asked, settled('allowed', { input: { a: 3 } })],
  },
  'they deny': {
    decide: [ASK],
    ask: async () => ({ behavior: 'deny', message: 'No!', interrupt: false }),
    result: failedWith('No!'),
    told: [asked, settled('denied', { message: 'No!' }), denied({ message: 'No!', automatic: false })],
  },
  '… and interrupt': {
    decide: [ASK],
    ask: async () => ({ behavior: 'deny', message: 'No!', interrupt: true }),
    result: { ...failedWith('No!'), stop: 'permission' },
    told: [asked, settled('denied', { message: 'No!', interrupt: true }), denied({ message: 'No!', automatic: false })],
  },
  'the question fails': {
    decide: [ASK],
    ask: () => Promise.reject(new Error('gone')),
    result: failedWith('Tool permission request failed: Error: gone'),
    told: [
      asked,
      settled('failed'),
      denied({ message: 'Tool permission request failed: Error: gone', automatic: false }),
    ],
  },
  '… with an answer that means nothing': {
    decide: [ASK],
    ask: () => Promise.reject('an invalid permission result'),
    result: failedWith('Tool permission request failed: Error: an invalid permission result'),
    told: [
      asked,
      settled('failed'),
      denied({
        message: 'Tool permission request failed: Error: an invalid permission result',
        automatic: false,
        reasonType: 'invalid_permission_result',
        reason: 'Error: an invalid permission result',
      }),
    ],
  },
  'what shows later is judged too': {
    tool: { moreFacts: async () => ({ kind: 'fetch', url: 'http://x', address: '10.0.0.1' }) },
    decide: [{ behavior: 'allow' }, { behavior: 'deny', message: 'not there', reasonType: 'safety' }],
    result: failedWith('not there'),
    told: [denied({ message: 'not there', automatic: true, reasonType: 'safety' })],
  },
  '… and nothing shows of what was denied': {
    tool: { moreFacts: () => Promise.reject(new Error('must not look')) },
    decide: [{ behavior: 'deny', message: 'no', reasonType: 'rule' }],
    result: failedWith('no'),
    told: [denied({ message: 'no', automatic: true, reasonType: 'rule' })],
  },
}

const hasA = (input: unknown): input is { a: unknown } => typeof input === 'object' && input !== null && 'a' in input

for (const [name, { tool, pre, post, decide = [ALLOW], ask, failOnAsk, ...expected }] of Object.entries(cases)) {
  test(`a call: ${name}`, async () => {
    const ran: unknown[] = []
    const decisions = [...decide]
    const { ports, events } = createTestPorts({
      tools: [
        {
          name: 'Tool',
          async execute({ input }) {
            ran.push(input)
            return { ok: true, content: 'done', output: { ok: true } }
          },
          ...tool,
        },
      ],
      hooks: {
        preTool: async () => ({ context: [], ...pre }),
        postTool: async () => ({ context: [], ...post }),
      },
      permissions: {
        decide: async () => (decisions.length > 1 ? decisions.shift() : decisions[0]) ?? ALLOW,
        ...(ask ? { ask } : {}),
        ...(failOnAsk ? { failOnAsk } : {}),
      },
    })
    const outcome = await runToolCalls([unparsedCall('c1', 'Tool', { a: 1 })], ports, never)
    const result: CallResult = { call: CALL, ...SUCCESS, ...expected.result }
    assert.deepEqual(outcome, { results: [result], ...(result.stop ? { stop: result.stop } : {}) })
    const { call, block, output, follow } = result
    const said: EngineEvent[] = follow === undefined ? [] : [{ type: 'user-text', text: follow, kind: 'feedback' }]
    assert.deepEqual(
      events.map((event) => JSON.parse(JSON.stringify(event))),
      [...(expected.told ?? []), { type: 'tool-result', call, block, output }, ...said].map((event) =>
        JSON.parse(JSON.stringify(event)),
      ),
    )
    if (!tool?.execute) assert.deepEqual(ran, expected.ran ?? (block.is_error ? [] : [call.input]))
  })
}

test('a tool that is not there', async () => {
  const { ports, events } = createTestPorts()
  const call = { id: 'c1', name: 'Nothing', input: {} }
  const text = 'Error: No such tool available: Nothing'
  const result = { call, ...refusedWith(text, text) }
  assert.deepEqual(await runToolCalls([{ call }], ports, never), { results: [result] })
  assert.deepEqual(events, [{ type: 'tool-result', call, block: result.block, output: text }])
})

test('updates that come with an answer are applied before the call runs', async () => {
  const update = { type: 'setMode' as const, mode: 'plan' as const, destination: 'session' as const }
  const { ports, log } = createTestPorts({
    tools: [{ name: 'Tool' }],
    permissions: {
      decide: async () => ASK,
      ask: async ({ call }) => ({ behavior: 'allow', input: call.input, updates: [update] }),
      async apply(updates) {
        log.push(`apply ${JSON.stringify(updates)}`)
        return []
      },
    },
  })
  await runToolCalls([unparsedCall('c1', 'Tool')], ports, never)
  assert.deepEqual(log, ['parse Tool', 'check Tool', `apply ${JSON.stringify([update])}`, 'run Tool'])
})

test('what hooks said goes to whoever decides', async () => {
  const contexts: unknown[] = []
  for (const decision of ['allow', 'ask', undefined] as const) {
    const { ports } = createTestPorts({
      tools: [{ name: 'Tool' }],
      hooks: { preTool: async () => ({ context: [], ...(decision ? { decision } : {}) }) },
      permissions: {
        async decide(_, facts, context) {
          contexts.push({ facts, ...context })
          return { behavior: 'allow' }
        },
      },
    })
    await runToolCalls([unparsedCall('c1', 'Tool')], ports, never)
  }
  assert.deepEqual(contexts, [
    { facts: { kind: 'none' }, approvedByHook: true, askedByHook: false },
    { facts: { kind: 'none' }, approvedByHook: false, askedByHook: true },
    { facts: { kind: 'none' }, approvedByHook: false, askedByHook: false },
  ])
})

/** Tools that say when they begin and end; `Look` may run beside others. */
function slowTools(log: string[]): TestPortOptions['tools'] {
  const execute: EngineTool['execute'] = async ({ id }) => {
    log.push(`${id} begins`)
    await settlePendingWork()
    log.push(`${id} ends`)
    return { ok: true, content: id, output: id }
  }
  return [
    { name: 'Look', isReadOnly: () => true, execute },
    { name: 'Change', execute },
  ]
}

test('calls that only read run together, the others one after the other', async () => {
  const order: string[] = []
  const { ports } = createTestPorts({ tools: slowTools(order) ?? [] })
  const calls = [
    ...[unparsedCall('r1', 'Look'), unparsedCall('r2', 'Look')],
    ...[unparsedCall('w1', 'Change'), unparsedCall('w2', 'Change')],
    ...[unparsedCall('r3', 'Look')],
  ]
  const { results } = await runToolCalls(calls, ports, never)
  assert.deepEqual(order, [
    ...['r1 begins', 'r2 begins', 'r1 ends', 'r2 ends'],
    ...['w1 begins', 'w1 ends', 'w2 begins', 'w2 ends', 'r3 begins', 'r3 ends'],
  ])
  assert.deepEqual(
    results.map(({ call, output }) => [call.id, output]),
    [
      ['r1', 'r1'],
      ['r2', 'r2'],
      ['w1', 'w1'],
      ['w2', 'w2'],
      ['r3', 'r3'],
    ],
  )
})

test('an input that is refused, or a tool that is not there, runs beside nothing', async () => {
  const order: string[] = []
  const [look, change] = slowTools(order) ?? []
  assert.ok(look && change)
  const picky: EngineTool['parse'] = (input) =>
    hasA(input) ? { ok: true, input } : { ok: false, error: 'no a', output: 'IVE' }
  const { ports } = createTestPorts({ tools: [{ ...look, parse: picky }] })
  const calls = [
    unparsedCall('r1', 'Look', { a: 1 }),
    unparsedCall('bad', 'Look'),
    unparsedCall('no', 'Gone'),
    unparsedCall('r2', 'Look', { a: 1 }),
  ]
  const { results } = await runToolCalls(calls, ports, never)
  assert.deepEqual(order, ['r1 begins', 'r1 ends', 'r2 begins', 'r2 ends'])
  assert.deepEqual(
    results.map(({ call, block }) => [call.id, block.is_error === true]),
    [
      ['r1', false],
      ['bad', true],
      ['no', true],
      ['r2', false],
    ],
  )
})

test('after a stop nothing starts any more, and every call has its result', async () => {
  const { ports, log, events } = createTestPorts({
    tools: [{ name: 'Tool' }],
    hooks: { preTool: async ({ id }) => (id === 'c2' ? { context: [], stop: {} } : { context: [] }) },
  })
  const calls = [unparsedCall('c1', 'Tool'), unparsedCall('c2', 'Tool'), unparsedCall('c3', 'Tool')]
  const { results, stop } = await runToolCalls(calls, ports, never)
  assert.equal(stop, 'hook')
  assert.deepEqual(
    results.map(({ block }) => block),
    [
      { tool_use_id: 'c1', type: 'tool_result', content: 'did Tool' },
      errorBlock('c2', 'Stopped by a hook.'),
      errorBlock('c3', INTERRUPTED_IN_TOOL),
    ],
  )
  assert.deepEqual(log.filter((line) => line === 'run Tool').length, 1)
  assert.deepEqual(events.length, 3)
})

const INTERRUPTED = { ...failedWith(INTERRUPTED_IN_TOOL), call: CALL }

test('aborted before it began', async () => {
  const { ports, log } = createTestPorts({ tools: [{ name: 'Tool' }] })
  const outcome = await runToolCalls([unparsedCall('c1', 'Tool', { a: 1 })], ports, AbortSignal.abort())
  assert.deepEqual(outcome, { results: [INTERRUPTED] })
  assert.deepEqual(log, ['parse Tool'])
})

test('aborted while somebody is asked', async () => {
  const abort = new AbortController()
  const { ports, events, log } = createTestPorts({
    tools: [{ name: 'Tool' }],
    permissions: {
      decide: async () => ASK,
      ask: (_, signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('whatever')))
          abort.abort('interrupt')
        }),
    },
  })
  const outcome = await runToolCalls([unparsedCall('c1', 'Tool', { a: 1 })], ports, abort.signal)
  const message = 'Tool permission request failed: AbortError'
  assert.deepEqual(outcome, { results: [{ call: CALL, ...failedWith(message) }] })
  assert.deepEqual(
    events.map(({ type }) => type),
    ['asked', 'settled', 'denied', 'tool-result'],
  )
  assert.ok(!log.includes('run Tool'))
})

test('aborted between permission and the run', async () => {
  const abort = new AbortController()
  const { ports, log } = createTestPorts({
    tools: [{ name: 'Tool' }],
    permissions: {
      async decide() {
        abort.abort()
        return { behavior: 'allow' }
      },
    },
  })
  const outcome = await runToolCalls([unparsedCall('c1', 'Tool', { a: 1 })], ports, abort.signal)
  assert.deepEqual(outcome, { results: [INTERRUPTED] })
  assert.ok(!log.includes('run Tool'))
})

test('aborted while it runs: the tool is told why, hooks hear of it, and the next does not start', async () => {
  const abort = new AbortController()
  const heard: unknown[] = []
  const { ports } = createTestPorts({
    tools: [
      {
        name: 'Tool',
        async execute(_, signal) {
          abort.abort('interrupt')
          return { ok: false, error: `ended: ${signal.reason}` }
        },
      },
    ],
    hooks: {
      async postTool(call, outcome, interrupted) {
        heard.push({ call, outcome, interrupted })
        return { context: [] }
      },
    },
  })
  const { results } = await runToolCalls(
    [unparsedCall('c1', 'Tool', { a: 1 }), unparsedCall('c2', 'Tool')],
    ports,
    abort.signal,
  )
  assert.deepEqual(
    results.map(({ block }) => block),
    [errorBlock('c1', 'ended: interrupt'), errorBlock('c2', INTERRUPTED_IN_TOOL)],
  )
  assert.deepEqual(heard, [{ call: CALL, outcome: { ok: false, error: 'ended: interrupt' }, interrupted: true }])
})

test('a running tool is reported when it begins, with each tick, and with what it printed, at most so much', async () => {
  const { ports, events, begun, tick } = createTestPorts({
    tools: [
      {
        name: 'Tool',
        async execute(_, __, progress) {
          tick()
          progress('one ')
          progress('two')
          tick()
          progress('x'.repeat(65_536))
          progress('end')
          tick()
          return { ok: true, content: 'done', output: 1 }
        },
      },
    ],
  })
  await runToolCalls([unparsedCall('c1', 'Tool', { a: 1 })], ports, never)
  tick()
  assert.deepEqual(begun, [{ type: 'tool-begun', call: CALL }])
  assert.deepEqual(events.slice(0, -1), [
    { type: 'tool-progress', call: CALL, ticks: 1 },
    { type: 'tool-output', call: CALL, ticks: 1, output: 'one two' },
    { type: 'tool-progress', call: CALL, ticks: 2 },
    { type: 'tool-output', call: CALL, ticks: 2, output: `${'x'.repeat(65_533)}end` },
    { type: 'tool-progress', call: CALL, ticks: 3 },
  ])
})

test('what is handed out is not what is kept', async () => {
  const { ports, events } = createTestPorts({ tools: [{ name: 'Tool' }] })
  const { results } = await runToolCalls([unparsedCall('c1', 'Tool')], ports, never)
  const [told] = events
  assert.ok(told?.type === 'tool-result')
  assert.notEqual(told.block, results[0]?.block)
})

test('a parked question leaves its call open, and those that were to come after it', async () => {
  const { ports, events, log } = createTestPorts({
    tools: [{ name: 'Tool' }],
    permissions: {
      decide: async ({ id }) => (id === 'c2' ? ASK : { behavior: 'allow' }),
      ask: async () => ({ behavior: 'park' }),
    },
  })
  const calls = [unparsedCall('c1', 'Tool'), unparsedCall('c2', 'Tool'), unparsedCall('c3', 'Tool')]
  const outcome = await runToolCalls(calls, ports, never)
  const [first, second, third] = calls.map(({ call }) => call)
  assert.deepEqual(outcome, {
    results: [
      {
        call: first,
        block: { tool_use_id: 'c1', type: 'tool_result', content: 'did Tool' },
        output: { name: 'Tool' },
        context: [],
      },
    ],
    open: [second, third],
    parked: true,
  })
  assert.deepEqual(
    events.map(({ type }) => type),
    ['tool-result', 'asked', 'settled'],
  )
  assert.deepEqual(events.at(-1), { type: 'settled', call: second, answer: 'parked' })
  assert.equal(log.filter((line) => line === 'run Tool').length, 1)
})

test('a turn that is stopped for good leaves nothing open', async () => {
  const { ports } = createTestPorts({
    tools: [{ name: 'Look', isReadOnly: () => true }],
    hooks: {
      async preTool({ id }) {
        if (id === 'c1') return { context: [] }
        await settlePendingWork()
        return { context: [], stop: {} }
      },
    },
    permissions: { decide: async () => ASK, ask: async () => ({ behavior: 'park' }) },
  })
  const outcome = await runToolCalls([unparsedCall('c1', 'Look'), unparsedCall('c2', 'Look')], ports, never)
  assert.deepEqual(
    [outcome.stop, outcome.open, outcome.results.map(({ block }) => block)],
    ['hook', undefined, [errorBlock('c2', 'Stopped by a hook.'), errorBlock('c1', INTERRUPTED_IN_TOOL)]],
  )
})

test('a call runs when all before it is kept, and its beginning with it', async () => {
  const order: string[] = []
  const noteRun = async () => {
    order.push('run')
    return { ok: true as const, content: 'ok', output: null }
  }
  const { ports, begun } = createTestPorts({
    tools: [{ name: 'Tool', execute: noteRun }],
    more: {
      async saved() {
        order.push(`saved with ${begun.length} begun`)
        return undefined
      },
    },
  })
  await runToolCalls([unparsedCall('c1', 'Tool'), unparsedCall('c2', 'Tool')], ports, never)
  assert.deepEqual(order, ['saved with 1 begun', 'run', 'saved with 2 begun', 'run'])
})

test('what can not be kept is not run, nor what comes after it; nothing is said of either', async () => {
  const answers = [undefined, 'session_taken_over'] as const
  let asked = 0
  const { ports, events, log } = createTestPorts({
    tools: [{ name: 'Tool' }],
    more: { saved: async () => answers[asked++] },
  })
  const calls = [unparsedCall('c1', 'Tool'), unparsedCall('c2', 'Tool'), unparsedCall('c3', 'Tool')]
  const outcome = await runToolCalls(calls, ports, never)
  assert.deepEqual([outcome.open, outcome.notSaved], [calls.slice(1).map(({ call }) => call), 'session_taken_over'])
  assert.deepEqual(
    [events.map(({ type }) => type), log.filter((line) => line === 'run Tool').length],
    [['tool-result'], 1],
  )
  assert.equal(asked, 2)
})

test('a turn that is aborted while its lines are written runs nothing', async () => {
  const abort = new AbortController()
  const { ports, log } = createTestPorts({
    tools: [{ name: 'Tool' }],
    more: {
      async saved() {
        abort.abort()
        return undefined
      },
    },
  })
  const { results } = await runToolCalls([unparsedCall('c1', 'Tool')], ports, abort.signal)
  assert.deepEqual(results[0]?.block, errorBlock('c1', INTERRUPTED_IN_TOOL))
  assert.ok(!log.includes('run Tool'))
})
