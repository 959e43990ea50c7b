/** Answers as data: handed in with a tool, checked against the schema, asked for again, but not for ever. */
import assert from 'node:assert/strict'
import { type Options, query } from 'kedge'
import { collect, type Turn } from 'kedge/testing'
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
  'after five tries the turn ends with an error that names what was wrong; the next turn starts anew',
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
        ['Failed to provide valid structured output after 5 attempts', '/answer: must be number'],
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
