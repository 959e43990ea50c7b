import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createEventRaiser, type HookEventRaiserPorts } from './raise.js'
import { createTestHooks, neverAbortedSignal } from './test-hooks.js'

function start(answers: Record<string, unknown> = {}) {
  const reports: string[] = []
  const informed: string[] = []
  const inputs: Record<string, unknown>[] = []
  const ids: string[] = []
  let count = 0
  const ports = {
    async invoke(id: string, input: object, toolUseId: string) {
      inputs.push(input as Record<string, unknown>)
      ids.push(toolUseId)
      return answers[id] ?? {}
    },
    after: () => () => {},
    uuid: () => `fresh_${++count}`,
    base: () => ({ session_id: 's', transcript_path: '/t', cwd: '/repo', permission_mode: 'plan' }),
    serverOf: () => undefined,
    backgroundTasks: () => [],
    adopt: () => {},
    wake: () => {},
    settingsHooks: () => [],
    processes: undefined,
    environment: () => ({}),
    projectDir: '/repo',
    report: (text: string) => void reports.push(text),
    inform: (text: string) => void informed.push(text),
    observe: () => {},
  } as unknown as HookEventRaiserPorts
  const hookCallbackIds = Object.keys(answers).length > 0 ? Object.keys(answers) : ['a']
  const matchers = {
    Stop: [{ hookCallbackIds }],
    SessionStart: [{ hookCallbackIds, matcher: 'startup' }],
    PreToolUse: [{ hookCallbackIds }],
  }
  return { ...createEventRaiser(() => matchers, ports), reports, informed, inputs, ids }
}

describe('raising an event', () => {
  test('nothing is made where nobody listens', async () => {
    const { raise, has } = start()
    assert.deepEqual(await raise('SessionEnd', () => assert.fail('it was made'), neverAbortedSignal), [])
    assert.deepEqual([has('SessionEnd'), has('Stop')], [false, true])
  })

  test('hooks are told what all are, what the event is about, and the mode where that matters', async () => {
    const { raise, inputs } = start()
    const stop = { stop_hook_active: true, last_assistant_message: 'Done.' }
    await raise('Stop', () => stop, neverAbortedSignal)
    await raise('SessionStart', () => ({ source: 'startup' as const, model: 'm' }), neverAbortedSignal)
    const base = { session_id: 's', transcript_path: '/t', cwd: '/repo' }
    assert.deepEqual(inputs, [
      { ...base, permission_mode: 'plan', hook_event_name: 'Stop', ...stop, background_tasks: [], session_crons: [] },
      { ...base, hook_event_name: 'SessionStart', source: 'startup', model: 'm' },
    ])
  })

  test('matchers choose', async () => {
    const { raise } = start()
    assert.equal(
      (await raise('SessionStart', () => ({ source: 'resume' as const, model: 'm' }), neverAbortedSignal)).length,
      0,
    )
  })

  test('with the id of the tool’s call, else a fresh one', async () => {
    const { raise, ids } = start()
    const fields = () => ({ tool_name: 'Bash', tool_input: {}, tool_use_id: 'toolu_1' })
    await raise('PreToolUse', fields, neverAbortedSignal, { toolUseId: 'toolu_1' })
    await raise('Stop', () => ({ stop_hook_active: false }) as never, neverAbortedSignal)
    assert.equal(ids[0], 'toolu_1')
    assert.match(ids[1] ?? '', /^fresh_/)
  })

  test('only commands: no callback is called', async () => {
    const { raise, inputs } = start()
    assert.deepEqual(await raise('Stop', () => ({}) as never, neverAbortedSignal, { only: 'settings' }), [])
    assert.equal((await raise('Stop', () => ({}) as never, neverAbortedSignal, { only: 'callbacks' })).length, 1)
    assert.equal(inputs.length, 1)
  })

  test('what each says for the user is passed on, cut where it is endless', async () => {
    const { raise, informed } = start({
      a: { systemMessage: 'hello' },
      b: { systemMessage: 'x'.repeat(200_000) },
      c: {},
    })
    await raise('Stop', () => ({}) as never, neverAbortedSignal)
    assert.equal(informed.length, 2)
    assert.equal(informed[0], 'hello')
    assert.ok((informed[1]?.length ?? 0) < 101_000)
  })

  test('a field without effect is named once for all', async () => {
    const { raise, reports } = start({ a: { odd: 1, other: 2 } })
    await raise('Stop', () => ({}) as never, neverAbortedSignal)
    await raise('Stop', () => ({}) as never, neverAbortedSignal)
    assert.deepEqual(reports, [
      'Hook a answered with odd, which has no effect here.',
      'Hook a answered with other, which has no effect here.',
    ])
  })
})

describe('what comes late', () => {
  test('is kept until somebody takes it, the last fifty', () => {
    const { keep, takeLate } = start()
    keep(['a', 'b'])
    keep(['c'])
    assert.deepEqual(takeLate(), ['a', 'b', 'c'])
    assert.deepEqual(takeLate(), [])
    keep(Array.from({ length: 60 }, (_, n) => String(n)))
    const kept = takeLate()
    assert.deepEqual([kept.length, kept[0], kept.at(-1)], [50, '10', '59'])
  })

  test('from a command that said not to wait: for the user and for the model', async () => {
    await using test = createTestHooks()
    test.command('Stop', `echo '{"async":true}'; echo '{"systemMessage":"late"}'`)
    await test.hooks.stop(false, '', neverAbortedSignal)
    while (test.informed.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    assert.deepEqual(test.informed, ['late'])
    assert.deepEqual(test.hooks.takeLate(), ['late'])
  })
})
