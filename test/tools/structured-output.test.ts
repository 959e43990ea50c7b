/**
 * C28: structured output is unreliable, and what went wrong is not said.
 * https://github.com/anthropics/claude-agent-sdk-typescript/issues/277 · https://github.com/anthropics/claude-agent-sdk-typescript/issues/77
 * https://github.com/anthropics/claude-agent-sdk-python/issues/374 · https://github.com/anthropics/claude-agent-sdk-python/issues/571
 *
 * T: with `outputFormat` a success has a value that validates; otherwise an error with the paths of the validator and the last try; a
 * schema nobody can satisfy is an error, never a success; objects that come as a string or wrapped are repaired; tries are counted per
 * turn; the pieces of the JSON are there while it streams; it works after a resume and with sub-agents.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Options, query } from 'kedge'
import { collect, script } from 'kedge/testing'
import { call, play, withModel } from '../support/stage.js'

const schema = {
  type: 'object',
  properties: { score: { type: 'number' }, issues: { type: 'array', items: { type: 'string' } } },
  required: ['score'],
  additionalProperties: false,
}
const options: Options = { outputFormat: { type: 'json_schema', schema } }
let ids = 0
const hand = (input: object) => call('StructuredOutput', input, `toolu_s${ids++}`)
const answerOf = (run: Awaited<ReturnType<typeof play>>) =>
  run.result?.subtype === 'success' ? run.result.structured_output : run.result?.subtype

test('C28 a success has a value that validates; a mere text is asked again', async () => {
  assert.deepEqual(answerOf(await play([hand({ score: 1 }), 'Done.'], options)), { score: 1 })
  assert.deepEqual(answerOf(await play(['Score: 1', hand({ score: 1 }), 'Done.'], options)), { score: 1 })
})

test('C28 an object that comes as a string, or wrapped, is repaired', async () => {
  for (const wrapped of [
    { output: { score: 1 } },
    { output: '{"score":1}' },
    { result: { score: 1 } },
    { value: '{"score": 1}' },
  ]) {
    assert.deepEqual(answerOf(await play([hand(wrapped), 'Done.'], options)), { score: 1 }, JSON.stringify(wrapped))
  }
  const text = await play([hand({ score: 1, issues: '["a"]' }), 'Done.'], options)
  assert.deepEqual(answerOf(text), { score: 1, issues: ['a'] })
})

test('C28 what never validates is an error with the paths and the last try, never a success; the next turn counts anew', async () => {
  const wrong = () => hand({ score: 'high', issues: [7] })
  const run = await play([wrong(), wrong(), wrong(), wrong(), wrong()], options)
  assert.ok(run.result && run.result.subtype !== 'success')
  assert.equal(run.result.subtype, 'error_max_structured_output_retries')
  const said = run.result.errors.join('\n')
  assert.match(said, /\/score/)
  assert.match(said, /\/issues\/0/)
  assert.match(said, /"high"/)
  const impossible = {
    type: 'object',
    properties: { a: { type: 'string', minLength: 5, maxLength: 2 } },
    required: ['a'],
  }
  const tries = Array.from({ length: 5 }, () => hand({ a: 'abc' }))
  const none = await play(tries, { outputFormat: { type: 'json_schema', schema: impossible } })
  assert.equal(none.result?.subtype, 'error_max_structured_output_retries')
})

test('C28 a schema that means nothing is refused before anything is sent', async () => {
  const run = await play([], { outputFormat: { type: 'json_schema', schema: { type: 'objekt' } } })
  assert.match(String(run.error) + JSON.stringify(run.result), /objekt/)
  assert.equal(run.server.requests.length, 0)
})

test('C28 after a resume, with a sub-agent, and with a last try that is right', async () => {
  await withModel(
    [hand({ score: 'x' }), hand({ score: 1 }), 'Done.', hand({ score: 2 }), 'Done.'],
    options,
    async (world) => {
      const first = await collect(query({ prompt: 'Go.', options: world.options }))
      const resume = first.result?.session_id ?? ''
      const second = await collect(query({ prompt: 'Again.', options: { ...world.options, resume } }))
      assert.deepEqual(second.result?.subtype === 'success' && second.result.structured_output, { score: 2 })
    },
  )
  const task = { description: 'Work', prompt: 'WORK.', subagent_type: 'general-purpose' }
  const model = script([call('Task', task, 'toolu_t'), hand({ score: 3 }), 'Done.'], {
    lanes: { agent: { when: { opening: 'WORK' }, turns: ['Worked.'] } },
  })
  assert.deepEqual(answerOf(await play(model, options)), { score: 3 })
  const last = [1, 2, 3, 4].map(() => hand({ score: 'x' }))
  assert.deepEqual(answerOf(await play([...last, hand({ score: 5 }), 'Done.'], options)), { score: 5 })
})

test('C28 its pieces arrive while it streams', async () => {
  const run = await play([{ ...hand({ score: 1 }), chunk: 4 }, 'Done.'], { ...options, includePartialMessages: true })
  const pieces = run.messages.flatMap((message) => {
    if (message.type !== 'stream_event' || message.event.type !== 'content_block_delta') return []
    return message.event.delta.type === 'input_json_delta' ? [message.event.delta.partial_json] : []
  })
  assert.ok(pieces.length > 1)
  assert.deepEqual(JSON.parse(pieces.join('')), { score: 1 })
})
