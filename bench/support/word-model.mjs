// A model that says words with the time in them: as many as the prompt asks for, at the pace it asks for (`pieces=300 gap=20`).
// A program of its own; tells its port to whoever forked it.
import { createServer } from 'node:http'

const time = () => (performance.timeOrigin + performance.now()).toFixed(2)
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const [, pieces = '1', gap = '0'] = [...body.matchAll(/pieces=(\d+) gap=(\d+)/g)].at(-1) ?? []
  const say = (event) => response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const usage = { input_tokens: 10, output_tokens: 1 }
  const message = {
    id: `msg_${Math.random()}`,
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    content: [],
  }
  say({ type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null, usage } })
  say({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } })
  for (let n = 0; n < Number(pieces); n += 1) {
    if (Number(gap) > 0) await pause(Number(gap))
    say({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: `w${time()} ` } })
  }
  say({ type: 'content_block_stop', index: 0 })
  say({ type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 9 } })
  say({ type: 'message_stop' })
  response.end()
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: server.address().port }))
