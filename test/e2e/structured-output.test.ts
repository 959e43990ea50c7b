/** Answers as data: handed in with a tool, checked against the schema, asked for again, but not for ever. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigurationError, type Options, query } from 'kedge'
import { collect, type Turn } from 'kedge/testing'
import { z } from 'zod'
import * as mini from 'zod/mini'
import { z as z3 } from 'zod/v3'
import { bothWays, kinds } from './both-ways.js'

const schema = { type: 'object', properties: { answer: { type: 'number' } }, required: ['answer'] }
const OUTPUT: Options = { outputFormat: { type: 'json_schema', schema } }
const handIn = (input: Record<string, unknown>): Turn => ({ tools: [{ name: 'StructuredOutput', input }] })

bothWays(
  'the answer as data, and the last text',
  () => [handIn({ answer: 42 }), 'Done.'],
  OUTPUT,
  async (world) => {
    const { messages, result, error } = await collect(query({ prompt: 'Go.', options: world.options }))
    assert.equal(error, undefined)
    assert.deepEqual(kinds(messages), ['system/init', 'assistant', 'user', 'assistant', 'result'])
    assert.ok(result?.subtype === 'success')
    assert.deepEqual([result.structured_output, result.result, result.num_turns], [{ answer: 42 }, 'Done.', 2])
    const tools = world.server.requests[0]?.body.tools
    assert.deepEqual(Array.isArray(tools) && tools.at(-1)?.input_schema, schema)
    const [init] = messages
    assert.ok(init?.type === 'system' && init.subtype === 'init' && init.tools.at(-1) === 'StructuredOutput')
    const line = messages[2]
    assert.ok(line?.type === 'user' && line.tool_use_result === 'Structured output provided successfully')
  },
)

bothWays(
  'a wrong answer and a mere text are sent back with the reason',
  () => [handIn({ answer: 'x' }), 'Here it is.', handIn({ answer: 1 }), 'Done.'],
  OUTPUT,
  async ({ options, server }) => {
    const { messages, result } = await collect(query({ prompt: 'Go.', options }))
    assert.deepEqual(result?.subtype === 'success' && result.structured_output, { answer: 1 })
    assert.equal(
      server.requests[1]?.toolResults[0]?.text,
      'Output does not match required schema: /answer: must be number',
    )
    const sentBack = messages.filter((m) => m.type === 'user' && m.isSynthetic)
    assert.equal(sentBack.length, 1)
    assert.match(JSON.stringify(sentBack), /Stop hook feedback:\\n.*StructuredOutput/)
  },
)

bothWays(
  'after five tries the turn ends with an error that names what was wrong; the next turn starts fresh',
  () => [
    ...['One.', 'Two.', handIn({ answer: 'x' }), 'Three.', handIn({ answer: null })],
    ...[handIn({ answer: 5 }), 'Done.'],
  ],
  OUTPUT,
  async ({ options, server }) => {
    const prompts = ['Go.', 'Again.']
    let wake = () => {}
    async function* input() {
      for (const content of prompts) {
        yield {
          type: 'user' as const,
          message: { role: 'user' as const, content },
          parent_tool_use_id: null,
          session_id: '',
        }
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    }
    const results: unknown[] = []
    for await (const message of query({ prompt: input(), options })) {
      if (message.type !== 'result') continue
      results.push(
        message.subtype === 'success'
          ? message.structured_output
          : [message.subtype, message.is_error, message.errors, message.terminal_reason],
      )
      wake()
    }
    assert.deepEqual(results, [
      [
        'error_max_structured_output_retries',
        true,
        [
          'Failed to provide valid structured output after 5 attempts',
          '/answer: must be number',
          'Last attempt: {"answer":null}',
        ],
        'structured_output_retries_exhausted',
      ],
      { answer: 5 },
    ])
    assert.equal(server.requests.length, 7)
  },
)

bothWays(
  'five valid calls are no error',
  () => [...Array.from({ length: 6 }, (_, answer) => handIn({ answer })), 'Done.'],
  OUTPUT,
  async ({ options }) => {
    const { result } = await collect(query({ prompt: 'Go.', options }))
    assert.deepEqual(result?.subtype === 'success' && result.structured_output, { answer: 5 })
  },
)

bothWays(
  'a schema that means nothing is refused before anything starts',
  () => [],
  {},
  async ({ options, server }) => {
    const outputFormat = {
      type: 'json_schema' as const,
      schema: { type: 'object', properties: { a: { type: 'text' } } },
    }
    const { result, error } = await collect(query({ prompt: 'Go.', options: { ...options, outputFormat } }))
    assert.ok(error)
    assert.match(
      JSON.stringify(result),
      /outputFormat: the schema can't be used: \/properties\/a\/type: .*text.* is no type/,
    )
    assert.equal(server.requests.length, 0)
  },
)

bothWays(
  'a schema of zod: the model is shown its JSON Schema, and the answer has its type',
  () => [handIn({ score: 'high', tags: [] }), handIn({ score: 3, tags: ['a'] }), 'Done.'],
  {},
  async ({ options, server }) => {
    const Review = z.object({ score: z.number().max(5), tags: z.array(z.string()).describe('Some words.') })
    const outputFormat = { type: 'json_schema' as const, schema: Review }
    let score = 0
    for await (const message of query({ prompt: 'Go.', options: { ...options, outputFormat } })) {
      if (message.type === 'result' && message.subtype === 'success') score = message.structured_output?.score ?? 0
    }
    assert.equal(score, 3)
    const tools = server.requests[0]?.body.tools
    assert.deepEqual(Array.isArray(tools) && tools.at(-1)?.input_schema, z.toJSONSchema(Review))
    const [wrong] = server.requests[1]?.toolResults ?? []
    assert.equal(wrong?.text, 'Output does not match required schema: /score: must be number')
  },
)

test('a schema that can not be told as JSON Schema throws at once and says what to do', () => {
  const refused: [unknown, RegExp][] = [
    [z.object({ at: z.date() }), /no JSON Schema: .*Date/],
    [z.object({ n: z.string().transform(Number) }), /no JSON Schema: .*[Tt]ransform/],
    [z3.object({ a: z3.string() }), /zod-to-json-schema/],
    [mini.object({ a: mini.string() }), /z\.toJSONSchema\(schema\)/],
    ['object', /must be a JSON Schema/],
    [null, /must be a JSON Schema/],
    [[], /must be a JSON Schema/],
  ]
  for (const [schema, message] of refused) {
    // What plain JavaScript may give.
    const outputFormat = { type: 'json_schema', schema } as NonNullable<Options['outputFormat']>
    assert.throws(
      () => query({ prompt: 'Go.', options: { outputFormat } }),
      (error: unknown) => {
        assert.ok(error instanceof ConfigurationError)
        assert.deepEqual([error.option, error.code], ['outputFormat', 'invalid_option'])
        assert.match(error.message, message)
        return true
      },
    )
  }
})

const PAIR = [{ type: 'string' }, { type: 'number' }]
const DRAFTS = {
  'draft 7': {
    $schema: 'http://json-schema.org/draft-07/schema#',
    properties: { pair: { $ref: '#/definitions/pair' } },
    definitions: { pair: { type: 'array', items: PAIR } },
  },
  '2020-12': {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    properties: { pair: { $ref: '#/$defs/pair' } },
    $defs: { pair: { type: 'array', prefixItems: PAIR } },
  },
}
for (const [draft, rest] of Object.entries(DRAFTS)) {
  bothWays(
    `a schema of ${draft}`,
    () => [handIn({ pair: [1, 'a'] }), handIn({ pair: ['a', 1] }), 'Done.'],
    { outputFormat: { type: 'json_schema', schema: { type: 'object', ...rest } } },
    async ({ options, server }) => {
      const { result } = await collect(query({ prompt: 'Go.', options }))
      assert.deepEqual(result?.subtype === 'success' && result.structured_output, { pair: ['a', 1] })
      assert.match(server.requests[1]?.toolResults[0]?.text ?? '', /\/pair\/0: must be string/)
    },
  )
}
