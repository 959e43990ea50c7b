// Local models only: an OpenAI-compatible server on this machine answers, and nothing else is contacted. A small server stands in for
// Ollama, and every connection that this process tries to open is recorded.
import assert from 'node:assert/strict'
import { subscribe } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { query } from 'kedge'
import { callsOf, collect, testOptions } from 'kedge/testing'

const local = (address) => ({
  model: 'ollama/qwen3:32b', // Or vllm/…, llamacpp/…, lmstudio/…
  env: { PATH: process.env.PATH, HOME: process.env.HOME, OLLAMA_HOST: address }, // No key of another service.
  tools: ['Read', 'Grep', 'Glob', 'Edit', 'Write'], // Neither WebFetch nor WebSearch, and no command that could connect.
  permissionMode: 'acceptEdits',
  settingSources: [], // No settings that name another service or an MCP server.
  strictMcpConfig: true,
})

const call = (id, name, input) => ({
  tool_calls: [{ index: 0, id, type: 'function', function: { name, arguments: JSON.stringify(input) } }],
})
const turns = [
  call('a', 'WebFetch', { url: 'https://example.com', prompt: 'What is new?' }),
  call('b', 'Write', { file_path: 'notes.txt', content: 'Buy milk' }),
  { content: 'I wrote it down.' },
]
const requests = []
const ollama = createServer(async (request, response) => {
  requests.push(`${request.method} ${request.url}`)
  if (request.method === 'GET') return response.writeHead(404).end()
  await request.toArray()
  const delta = turns.shift()
  const chunk = (choice) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, ...choice }] })}\n\n`
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(`${chunk({ delta })}${chunk({ finish_reason: delta.content ? 'stop' : 'tool_calls' })}data: [DONE]\n\n`)
})
await new Promise((ready) => ollama.listen(0, '127.0.0.1', ready))
const { port } = ollama.address()
const contacted = new Set()
subscribe('net.client.socket', ({ socket }) => {
  socket.on('lookup', (_error, _address, _family, host) => contacted.add(host))
  socket.on('connectionAttempt', (address, at) => contacted.add(`${address}:${at}`))
})

const place = testOptions({ env: () => ({}) })
const { env, ...options } = local(`127.0.0.1:${port}`)
const all = { ...place, ...options, env: { ...env, ...place.env } }
const { messages, result } = await collect(query({ prompt: 'Note: milk.', options: all }))
console.log(result.result, requests, [...contacted])
assert.equal(result.result, 'I wrote it down.')
assert.equal(callsOf(messages)[0].isError, true)
assert.equal(readFileSync(join(place.cwd, 'notes.txt'), 'utf8'), 'Buy milk')
assert.deepEqual([...contacted], [`127.0.0.1:${port}`])
await Promise.all([ollama.close(), place[Symbol.asyncDispose]()])
