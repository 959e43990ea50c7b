// For `npm run interop:adapters -- --behind sandbox-agent`: an ACP agent on stdio that hands every message to the server of
// sandbox-agent, which starts the adapter: `node behind-sandbox-agent.mjs SERVER ADAPTER.js`. The adapter is put where that server
// installs such programs, so that it asks no other host for it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const [program, adapter] = process.argv.slice(2)
// Whoever ends this program by force ends the server with all it started, too: adapters do not end with their input.
if (program === '--after') {
  for await (const _ of process.stdin);
  process.kill(-Number(adapter), 'SIGKILL')
  process.exit()
}
/** What is told beside an answer comes by another way: so long nothing comes, then the answer is handed on. */
const SILENT_MS = 300
const { HOME } = process.env
const bin = join(HOME, '.local', 'share', 'sandbox-agent', 'bin')
const launcher = (file, ...words) => {
  const quoted = words.map((word) => `'${word}'`).join(' ')
  writeFileSync(join(bin, file), `#!/bin/sh\nexec ${quoted} "$@"\n`, { mode: 0o755 })
}
mkdirSync(join(bin, 'agent_processes'), { recursive: true })
launcher(join('agent_processes', 'claude-acp'), process.execPath, adapter)
// It only looks whether there is one.
launcher('claude', process.env.CLAUDE_CODE_EXECUTABLE ?? process.execPath)

const port = await freePort()
const args = ['server', '--no-token', '--no-telemetry', '--port', String(port)]
const server = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], detached: true })
spawn(process.execPath, [import.meta.filename, '--after', String(server.pid)], {
  stdio: ['pipe', 'ignore', 'ignore'],
  detached: true,
})
server.stderr.pipe(process.stderr)
const origin = `http://127.0.0.1:${port}`
while (!(await fetch(`${origin}/v1/health`).catch(() => undefined))?.ok)
  await new Promise((done) => setTimeout(done, 50))

const at = `${origin}/v1/acp/only`
let heard = performance.now()
let isFollowed = false
const hand = (message) => process.stdout.write(`${JSON.stringify(message)}\n`)

const open = []
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line)
  const answered = post(message).catch((error) => console.error(`${message.method}: ${error.message}`))
  open.push(answered)
  if (message.method === 'initialize') await answered
}
await Promise.all(open)
process.exit()

async function post(message) {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${at}?agent=claude`, { method: 'POST', headers, body: JSON.stringify(message) })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${answer.status} ${text}`)
  if (!isFollowed) {
    isFollowed = true
    void follow()
  }
  if (text === '') return
  while (performance.now() - heard < SILENT_MS) await new Promise((done) => setTimeout(done, SILENT_MS / 4))
  hand(JSON.parse(text))
}

async function follow() {
  const answer = await fetch(at, { headers: { accept: 'text/event-stream' } })
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of answer.body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (!line.startsWith('data:')) continue
      heard = performance.now()
      const message = JSON.parse(line.slice(5))
      // Answers come by the request.
      if (message.method !== undefined) hand(message)
    }
  }
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address()
  probe.close()
  await once(probe, 'close')
  return port
}
