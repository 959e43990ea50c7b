// The same long text in the formats of other APIs, as their public documentation shows the events.
import { crc32 } from 'node:zlib'
import { answer } from './model.mjs'

const data = (event) => `data: ${JSON.stringify(event)}\n\n`
const words = (deltas) => Array.from({ length: deltas }, (_, index) => ` word${index}`)

export function chatAnswer(deltas) {
  const head = {
    id: 'chatcmpl-bench',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    system_fingerprint: 'fp',
  }
  const chunk = (delta, finish_reason = null) =>
    data({ ...head, choices: [{ index: 0, delta, logprobs: null, finish_reason }], usage: null })
  const usage = { prompt_tokens: 10, completion_tokens: 9, total_tokens: 19 }
  const texts = words(deltas).map((content) => chunk({ content }))
  const end = [chunk({}, 'stop'), data({ ...head, choices: [], usage }), 'data: [DONE]\n\n']
  return Buffer.from([chunk({ role: 'assistant', content: '' }), ...texts, ...end].join(''))
}

export function responsesAnswer(deltas) {
  let sequence = 0
  const event = (type, more) => `event: ${type}\n${data({ type, sequence_number: sequence++, ...more })}`
  const text = words(deltas).join('')
  const item = { id: 'msg_bench', type: 'message', role: 'assistant', status: 'completed' }
  const part = (value) => ({ type: 'output_text', annotations: [], logprobs: [], text: value })
  const at = { item_id: item.id, output_index: 0, content_index: 0 }
  const usage = { input_tokens: 10, input_tokens_details: { cached_tokens: 0 }, output_tokens: 9, total_tokens: 19 }
  const response = { id: 'resp_bench', object: 'response', model: 'm', status: 'in_progress', output: [] }
  return Buffer.from(
    [
      event('response.created', { response }),
      event('response.output_item.added', { output_index: 0, item: { ...item, status: 'in_progress', content: [] } }),
      event('response.content_part.added', { ...at, part: part('') }),
      ...words(deltas).map((delta) => event('response.output_text.delta', { ...at, delta, logprobs: [] })),
      event('response.output_text.done', { ...at, text, logprobs: [] }),
      event('response.content_part.done', { ...at, part: part(text) }),
      event('response.output_item.done', { output_index: 0, item: { ...item, content: [part(text)] } }),
      event('response.completed', {
        response: { ...response, status: 'completed', output: [{ ...item, content: [part(text)] }], usage },
      }),
    ].join(''),
  )
}

/** The events of the Messages API in the frames of Bedrock. */
export function bedrockAnswer(deltas) {
  const events = answer({ deltas })
    .toString()
    .matchAll(/^data: (.*)$/gm)
  return Buffer.concat(Array.from(events, ([, json]) => frame(json)))
}

function frame(json) {
  const headers = { ':event-type': 'chunk', ':content-type': 'application/json', ':message-type': 'event' }
  const named = Object.entries(headers).map(([name, value]) => {
    const head = Buffer.from([name.length, ...Buffer.from(name), 7, 0, value.length])
    return Buffer.concat([head, Buffer.from(value)])
  })
  const head = Buffer.concat(named)
  const body = Buffer.from(JSON.stringify({ bytes: Buffer.from(json).toString('base64'), p: 'abcdefgh' }))
  const bytes = Buffer.alloc(12 + head.length + body.length + 4)
  bytes.writeUInt32BE(bytes.length, 0)
  bytes.writeUInt32BE(head.length, 4)
  bytes.writeUInt32BE(crc32(bytes.subarray(0, 8)), 8)
  head.copy(bytes, 12)
  body.copy(bytes, 12 + head.length)
  bytes.writeUInt32BE(crc32(bytes.subarray(0, bytes.length - 4)), bytes.length - 4)
  return bytes
}
