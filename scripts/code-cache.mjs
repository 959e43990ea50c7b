// Makes dist/cache/, the V8 code cache of the command's bundle for the Node that builds it: a first run of one turn, against a model of
// a few lines, writes it (src/platform/run-cached.ts). It is not in what is published: other versions of Node could not use it.
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ANSWER = [
  {
    type: 'message_start',
    message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], usage: { input_tokens: 1 } },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello.' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
  { type: 'message_stop' },
]
/** As hosts begin: what it needs is compiled then, and so is in the cache. */
const HELLO = {
  type: 'control_request',
  request_id: 'i',
  request: { subtype: 'initialize', systemPrompt: 'Be brief.' },
}
const PROMPT = { type: 'user', session_id: '', message: { role: 'user', content: 'Hi.' }, parent_tool_use_id: null }
const FLAGS = [
  '--output-format',
  'stream-json',
  '--verbose',
  '--input-format',
  'stream-json',
  '--model',
  'claude-sonnet-4-5',
]

/** Never worth a failed build: without it the first start is slower. */
export async function makeCodeCache(dist) {
  await rm(join(dist, 'cache'), { recursive: true, force: true })
  const home = await mkdtemp(join(tmpdir(), 'kedge-build-'))
  const model = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(ANSWER.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''))
    })
  })
  try {
    await new Promise((resolve) => model.listen(0, '127.0.0.1', resolve))
    await oneTurn(join(dist, 'kedge.cjs'), home, `http://127.0.0.1:${model.address().port}`)
  } catch (error) {
    console.warn(`no code cache in dist/: ${error.message}`)
  } finally {
    model.closeAllConnections()
    model.close()
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function oneTurn(command, home, url) {
  const env = { PATH: process.env.PATH, HOME: home, ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'none' }
  const child = spawn(process.execPath, [command, ...FLAGS], { cwd: home, env, stdio: ['pipe', 'pipe', 'inherit'] })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    printed += text
    if (/"type":"result".*\n/.test(printed)) child.stdin.end()
  })
  child.stdin.write(`${JSON.stringify(HELLO)}\n${JSON.stringify(PROMPT)}\n`)
  const code = await new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  if (code !== 0) throw new Error(`the command ended with ${code}: ${printed}`)
}
