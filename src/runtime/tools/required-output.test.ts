import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { HookPort, StopVerdict, ToolDefinition } from '../../engine/ports.js'
import { neverAborted } from '../test-conversation.js'
import { createStructuredOutputTracker, requireStructuredOutput } from './required-output.js'

const SCHEMA = {
  type: 'object',
  properties: { name: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } },
  required: ['name'],
  additionalProperties: false,
}

async function start(schema: unknown = SCHEMA) {
  const structured = createStructuredOutputTracker()
  let offered: readonly ToolDefinition[] = [{ name: 'Bash', description: '', input_schema: {} }]
  const change = (edit: (tools: readonly ToolDefinition[]) => readonly ToolDefinition[]) => {
    offered = edit(offered)
  }
  const problem = schema === null ? undefined : await requireStructuredOutput(structured, change, schema)
  // The tool looks at nothing but its input.
  const handIn = async (input: Record<string, unknown>) => structured.tool.execute(input, undefined as never)
  const stop = (verdict: StopVerdict = {}) =>
    structured.guard({ stop: async () => verdict } as unknown as HookPort).stop(false, '', neverAborted)
  return { structured, problem, handIn, stop, offered: () => offered, change }
}

describe('an answer that is owed', () => {
  test('the tool is shown with the schema, once', async () => {
    const { offered, structured, change } = await start()
    await requireStructuredOutput(structured, change, { type: 'object' })
    assert.deepEqual(
      offered().map(({ name, input_schema }) => [name, input_schema]),
      [
        ['Bash', {}],
        ['StructuredOutput', { type: 'object' }],
      ],
    )
  })

  test('a schema that is none is refused, and nothing is offered', async () => {
    const { problem, offered, stop } = await start({ type: 'nonsense' })
    assert.match(problem ?? '', /^outputFormat: the schema can't be used: /)
    assert.equal(offered().length, 1)
    assert.deepEqual(await stop(), {})
  })

  test('what matches is taken', async () => {
    const { structured, handIn } = await start()
    assert.equal((await handIn({ name: 'Ada', tags: ['a'] })).ok, true)
    assert.deepEqual(structured.given(), { value: { name: 'Ada', tags: ['a'] } })
    assert.equal(structured.gaveUp(), false)
  })

  test('what does not is refused with what is wrong', async () => {
    const { structured, handIn } = await start()
    const outcome = await handIn({ tags: 'a' })
    assert.equal(outcome.ok, false)
    assert.match(outcome.ok ? '' : outcome.error, /^Output does not match required schema: .*name/)
    assert.equal(structured.given(), undefined)
  })

  const meant: [what: string, input: Record<string, unknown>][] = [
    ['wrapped in one key', { answer: { name: 'Ada' } }],
    ['as text in one key', { answer: '{"name": "Ada"}' }],
    ['with a part of it as text', { name: 'Ada', tags: '["a", "b"]' }],
  ]
  for (const [what, input] of meant) {
    test(`the right thing ${what} is taken for what it means`, async () => {
      const { structured, handIn } = await start()
      assert.equal((await handIn(input)).ok, true)
      assert.equal((structured.given()?.value as { name: string } | undefined)?.name, 'Ada')
    })
  }

  test('text that only looks like JSON is text', async () => {
    const { structured, handIn } = await start()
    await handIn({ name: '[draft] plan' })
    assert.deepEqual(structured.given(), { value: { name: '[draft] plan' } })
  })
})

describe('a turn that ends without it', () => {
  test('is sent back, four times', async () => {
    const { structured, stop } = await start()
    for (let n = 1; n < 5; n += 1) {
      assert.match((await stop()).block ?? '', /StructuredOutput/)
      assert.equal(structured.gaveUp(), false)
    }
    assert.deepEqual(await stop(), {})
    assert.equal(structured.gaveUp(), true)
  })

  test('tries with the tool count as well', async () => {
    const { structured, handIn, stop } = await start()
    for (let n = 0; n < 3; n += 1) await handIn({ wrong: n })
    assert.notEqual((await stop()).block, undefined)
    await handIn({ wrong: 3 })
    assert.equal(structured.gaveUp(), true)
    const [first, ...rest] = structured.errors()
    assert.equal(first, 'Failed to provide valid structured output after 5 attempts')
    assert.equal(rest.at(-1), 'Last attempt: {"wrong":3}')
    assert.ok(rest.length >= 2)
  })

  test('a long attempt is cut where it is shown', async () => {
    const { structured, handIn } = await start()
    await handIn({ wrong: 'x'.repeat(10_000) })
    assert.equal(structured.errors().at(-1)?.length, 'Last attempt: '.length + 2000)
  })

  test('the next turn begins with nothing against it', async () => {
    const { structured, handIn, stop } = await start()
    for (let n = 0; n < 5; n += 1) await handIn({})
    structured.begin()
    assert.equal(structured.gaveUp(), false)
    assert.deepEqual(structured.errors(), ['Failed to provide valid structured output after 5 attempts'])
    assert.notEqual((await stop()).block, undefined)
    await handIn({ name: 'Ada' })
    assert.deepEqual(await stop(), {})
    structured.begin()
    assert.equal(structured.given(), undefined)
  })

  test('the user’s own stop hooks come first', async () => {
    const { stop, structured } = await start()
    assert.deepEqual(await stop({ block: 'tests fail' }), { block: 'tests fail' })
    const prevented = { prevent: { reason: 'enough' } } as unknown as StopVerdict
    assert.deepEqual(await stop(prevented), prevented)
    for (let n = 0; n < 4; n += 1) await stop()
    assert.equal(structured.gaveUp(), false)
  })

  test('nothing is owed where nobody asked', async () => {
    const { stop, structured } = await start(null)
    for (let n = 0; n < 10; n += 1) assert.deepEqual(await stop(), {})
    assert.equal(structured.gaveUp(), false)
  })
})
