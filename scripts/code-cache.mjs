// Makes dist/cache/, the V8 code cache of the command's bundle for the Node that builds it: a first run against a model of a few lines,
// which has it read a file and run a command, writes it (src/platform/run-cached.ts): what a first command needs is in it, then. It is
// not in what is published: other versions of Node could not use it.
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], usage: { input_tokens: 1 } }
const answer = (blocks, reason) => [
  { type: 'message_start', message },
  ...blocks.flatMap(([content_block, delta], index) => [
    { type: 'content_block_start', index, content_block },
    { type: 'content_block_delta', index, delta },
    { type: 'content_block_stop', index },
  ]),
  { type: 'message_delta', delta: { stop_reason: reason }, usage: { output_tokens: 1 } },
  { type: 'message_stop' },
]
const call = (name, input) => [
  { type: 'tool_use', id: `toolu_${name}`, name, input: {} },
  { type: 'input_json_delta', partial_json: JSON.stringify(input) },
]
const CALLS = answer([call('Read', { file_path: 'hello.txt' }), call('Bash', { command: 'cat hello.txt' })], 'tool_use')
const WORDS = answer(
  [
    [
      { type: 'text', text: '' },
      { type: 'text_delta', text: 'Hello.' },
    ],
  ],
  'end_turn',
)

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
  await writeFile(join(home, 'hello.txt'), 'Hello.\n')
  let asked = 0
  const model = createServer((request, response) => {
    request.resume().on('end', () => {
      const events = asked === 0 ? CALLS : WORDS
      asked += 1
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''))
    })
  })
  try {
    await new Promise((resolve) => model.listen(0, '127.0.0.1', resolve))
    await firstRun(join(dist, 'kedge.cjs'), home, `http://127.0.0.1:${model.address().port}`)
  } catch (error) {
    console.warn(`no code cache in dist/: ${error.message}`)
  } finally {
    model.closeAllConnections()
    model.close()
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function firstRun(command, home, url) {
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
