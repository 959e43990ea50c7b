// The floor: the least that a spawned Node program does for the same work. A request, server-sent events, bash and read, a JSONL
// transcript, lines on stdout. No checks, no permissions, no settings, no error handling: nothing that makes an agent usable.
// Requests go by node:http: the global fetch of Node 20 alone takes 0.2 s of processor time and 30 MB, and would flatter us.
//   node bench/floor.mjs [--partial] [--resume=session.jsonl] [--rg=/path/to/rg]
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { createWriteStream, mkdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const option = (name) => process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3)
const isPartial = process.argv.includes('--partial')
const messages = []
const agent = new Agent({ keepAlive: true })
const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`)
mkdirSync(join(process.env.HOME, 'floor'), { recursive: true })
const transcript = createWriteStream(join(process.env.HOME, 'floor', `${randomUUID()}.jsonl`))
const add = (message) => {
  messages.push(message)
  transcript.write(`${JSON.stringify({ uuid: randomUUID(), timestamp: new Date().toISOString(), message })}\n`)
}
const run = (command, args) =>
  new Promise((resolve) => {
    let output = ''
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.setEncoding('utf8').on('data', (text) => (output += text))
    child.on('close', () => resolve(output))
  })
const tools = {
  Bash: ({ command }) => run('bash', ['-c', command]),
  Grep: ({ pattern }) => run(option('rg'), ['--files-with-matches', '--hidden', pattern, '.']),
  Read: async ({ file_path }) =>
    (await readFile(file_path, 'utf8'))
      .split('\n')
      .map((line, index) => `${index + 1}\t${line}`)
      .join('\n'),
}

async function ask() {
  const body = JSON.stringify({ model: 'claude-sonnet-4-5-20250929', max_tokens: 8000, stream: true, messages })
  const headers = { 'content-type': 'application/json', 'x-api-key': process.env.ANTHROPIC_API_KEY }
  const response = await new Promise((resolve) => {
    request(`${process.env.ANTHROPIC_BASE_URL}/v1/messages`, { method: 'POST', headers, agent }, resolve).end(body)
  })
  const content = []
  let rest = ''
  for await (const chunk of response.setEncoding('utf8')) {
    const parts = (rest + chunk).split('\n\n')
    rest = parts.pop()
    for (const part of parts) {
      const event = JSON.parse(part.slice(part.indexOf('data: ') + 6))
      if (isPartial) say({ type: 'stream_event', event, uuid: randomUUID() })
      if (event.type === 'content_block_start') content[event.index] = { ...event.content_block, json: '' }
      if (event.type !== 'content_block_delta') continue
      if (event.delta.type === 'text_delta') content[event.index].text += event.delta.text
      else content[event.index].json += event.delta.partial_json
    }
  }
  return content.map(({ json, ...block }) => (json ? { ...block, input: JSON.parse(json) } : block))
}

for (const line of option('resume') ? readFileSync(option('resume'), 'utf8').split('\n') : [])
  if (line) messages.push(JSON.parse(line).message)
for await (const line of createInterface({ input: process.stdin })) {
  const { type, message } = JSON.parse(line)
  if (type !== 'user') continue
  add(message)
  for (let calls = [null]; calls.length > 0; ) {
    const content = await ask()
    add({ role: 'assistant', content })
    say({ type: 'assistant', message: { role: 'assistant', content } })
    calls = content.filter((block) => block.type === 'tool_use')
    const results = calls.map(async ({ id, name, input }) => {
      return { type: 'tool_result', tool_use_id: id, content: await tools[name](input) }
    })
    if (calls.length > 0) add({ role: 'user', content: await Promise.all(results) })
    if (calls.length > 0) say({ type: 'user', message: messages.at(-1) })
  }
  say({ type: 'result', subtype: 'success' })
}
agent.destroy()
