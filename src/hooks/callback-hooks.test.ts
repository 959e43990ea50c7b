import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { HookInput } from '../protocol/hooks.js'
import { createCallbackHooks, type HookMatchers } from './callback-hooks.js'
import type { HookObservation } from './observation.js'
import { createOccurrence } from './occurrence.js'

type Callback = (input: HookInput, signal: AbortSignal) => unknown

function start(matchers: HookMatchers, callbacks: Record<string, Callback> = {}) {
  const reports: string[] = []
  const observed: HookObservation['message'][] = []
  const called: [id: string, toolUseId: string][] = []
  const waits: number[] = []
  let timeOut = () => {}
  let count = 0
  const hooks = createCallbackHooks(() => matchers, {
    async invoke(id, input, toolUseId, signal) {
      called.push([id, toolUseId])
      return callbacks[id]?.(input, signal) ?? {}
    },
    after(ms, callback) {
      waits.push(ms)
      timeOut = callback
      return () => {}
    },
    uuid: () => `id_${++count}`,
    report: (text) => void reports.push(text),
    observe: ({ from, message }) => {
      assert.equal(from, 'callback')
      observed.push(message)
    },
  })
  const input = {
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
  } as unknown as HookInput
  const run = (onAbort: (callback: () => void) => () => void = () => () => {}, isLast = false) =>
    Promise.all(hooks.run(createOccurrence({ input, toolUseId: 'toolu_1', isLast, onAbort })))
  return { hooks, run, reports, observed, called, waits, timeOut: () => timeOut() }
}

const one = (...hookCallbackIds: string[]) => ({ PreToolUse: [{ hookCallbackIds }] })
/** As a connection: it rejects when it is given up. */
const forever: Callback = (_, signal) =>
  new Promise((__, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))

describe('callbacks of the host', () => {
  test('there are some where a matcher names one', () => {
    const { hooks } = start({ PreToolUse: [{ hookCallbackIds: ['a'] }], Stop: [] })
    assert.equal(hooks.has('PreToolUse'), true)
    assert.equal(hooks.has('Stop'), false)
    assert.equal(hooks.has('SessionEnd'), false)
  })

  test('all whose matcher fits are called, each with its own limit', async () => {
    const { run, called, waits } = start({
      PreToolUse: [
        { hookCallbackIds: ['a', 'b'], matcher: 'Bash', timeout: 5 },
        { hookCallbackIds: ['c'], matcher: 'Read' },
        { hookCallbackIds: ['d'] },
      ],
    })
    const outcomes = await run()
    assert.deepEqual(called, [
      ['a', 'toolu_1'],
      ['b', 'toolu_1'],
      ['d', 'toolu_1'],
    ])
    assert.deepEqual(waits, [5000, 5000, 600_000])
    assert.deepEqual(
      outcomes.map(({ name }) => name),
      ['a', 'b', 'd'],
    )
  })

  test('an answer, and what of it has no effect', async () => {
    const { run, observed, reports } = start(one('a'), { a: () => ({ decision: 'block', odd: 1 }) })
    assert.deepEqual(await run(), [{ name: 'a', output: { decision: 'block', odd: 1 }, ignored: ['odd'] }])
    assert.deepEqual(reports, [])
    assert.deepEqual(
      observed.map((message) => message.subtype),
      ['hook_started', 'hook_response'],
    )
    const [, response] = observed
    assert.ok(response?.subtype === 'hook_response')
    assert.deepEqual(
      [response.outcome, response.output, response.hook_name, response.hook_id],
      ['success', '{"decision":"block","odd":1}', 'PreToolUse:Bash', 'id_1'],
    )
  })

  test('each gets an input of its own', async () => {
    const seen: unknown[] = []
    const spoil: Callback = (input) => {
      seen.push((input as unknown as { tool_input: { command: string } }).tool_input.command)
      Object.assign((input as unknown as { tool_input: object }).tool_input, { command: 'rm' })
      return {}
    }
    await start(one('a', 'b'), { a: spoil, b: spoil }).run()
    assert.deepEqual(seen, ['ls', 'ls'])
  })

  const failures: [what: string, callback: Callback, failure: RegExp, report: RegExp][] = [
    [
      'throws',
      () => {
        throw new Error('no database')
      },
      /^no database$/,
      /^Error in hook callback a: Error: no database$/,
    ],
    ['answers garbage', () => 'yes', /^its answer means nothing: /, /^Error in hook callback a: its answer/],
    ['answers for another event', () => ({ hookSpecificOutput: { hookEventName: 'Stop' } }), /'Stop'/, /'PreToolUse'/],
  ]
  for (const [what, callback, failure, report] of failures) {
    test(`one that ${what} has not approved anything, and people are told`, async () => {
      const { run, reports, observed } = start(one('a'), { a: callback })
      const [outcome] = await run()
      assert.ok(outcome && 'failure' in outcome)
      assert.match(outcome.failure, failure)
      assert.match(reports[0] ?? '', report)
      const response = observed.at(-1)
      assert.ok(response?.subtype === 'hook_response')
      assert.deepEqual([response.outcome, response.stderr], ['error', outcome.failure])
    })
  }

  test('one that takes too long', async () => {
    const { run, timeOut, reports } = start({ PreToolUse: [{ hookCallbackIds: ['a'], timeout: 2 }] }, { a: forever })
    const running = run()
    timeOut()
    assert.deepEqual(await running, [{ name: 'a', failure: 'it took longer than 2 s' }])
    assert.deepEqual(reports, ['Error in hook callback a: it took longer than 2 s'])
  })

  test('one that is canceled with its turn did nothing wrong', async () => {
    const { run, reports, observed } = start(one('a'), { a: forever })
    let abort = () => {}
    const running = run((callback) => {
      abort = callback
      return () => {}
    })
    abort()
    assert.deepEqual(await running, [{ name: 'a', failure: 'cancelled' }])
    assert.deepEqual(reports, [])
    const response = observed.at(-1)
    assert.ok(response?.subtype === 'hook_response' && response.outcome === 'cancelled')
  })

  test('once all is over each has a second', async () => {
    const { run, waits } = start(one('a'))
    await run(undefined, true)
    assert.deepEqual(waits, [1000])
  })

  test('a complaint without end is cut', async () => {
    const { run } = start(one('a'), {
      a: () => {
        throw new Error('x'.repeat(500_000))
      },
    })
    const [outcome] = await run()
    assert.ok(outcome && 'failure' in outcome && outcome.failure.length < 101_000)
  })

  test('an answer that JSON can not say is an answer', async () => {
    const round: Record<string, unknown> = { systemMessage: 'hi' }
    round['self'] = round
    const { run, observed } = start(one('a'), { a: () => round })
    const [outcome] = await run()
    assert.ok(outcome && 'output' in outcome && outcome.output === round)
    const response = observed.at(-1)
    assert.ok(response?.subtype === 'hook_response' && response.output === '')
  })
})
