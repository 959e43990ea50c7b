// Nodes and workers as programs on one database, and a scripted model that notes when it is asked for what.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { startModelServer } from '../../dist/testing.js'
import { root } from './subjects.mjs'

const TOKEN = 'a-token-for-the-bench-only'
export const now = () => performance.timeOrigin + performance.now()
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
export async function until(look) {
  for (;;) {
    const found = await look()
    if (found !== undefined && found !== false) return found
    await pause(10)
  }
}
/** All of them, so many at a time. */
export async function inLanes(items, lanes, work) {
  const left = items.entries()
  const lane = async () => {
    for (const [n, item] of left) await work(item, n)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

/**
 * What it does is in the conversation: `read NAME` is one tool and an answer, `ask NAME` a tool that somebody is asked about, `hold
 * NAME` no answer to the first request. `asked` has the times of the requests of each name.
 */
export async function startModel(folder) {
  const file = join(folder, 'read.txt')
  writeFileSync(file, 'A line.\n')
  const asked = new Map()
  const server = await startModelServer(({ body }) => {
    const { kind, name, results } = lastPrompt(body.messages)
    const times = asked.get(name) ?? []
    asked.set(name, [...times, now()])
    if (kind === 'hold' && times.length === 0) return { noAnswer: 'hang' }
    if (results > 0 || kind === 'say' || kind === 'hold') return `Done: ${name}`
    const id = `toolu_${name}_${times.length}`
    const tool = { Read: { file_path: file }, Bash: { command: `touch ${name}` } }
    const use = kind === 'ask' ? 'Bash' : 'Read'
    return { tools: [{ id, name: use, input: tool[use] }] }
  })
  return { asked, server }
}

function lastPrompt(messages) {
  let found = { kind: 'say', name: 'other', results: 0 }
  for (const { role, content } of messages) {
    if (role !== 'user') continue
    for (const { type, text = '' } of typeof content === 'string' ? [{ type: 'text', text: content }] : content) {
      if (type === 'tool_result') found.results += 1
      const [, kind, name] = (type === 'text' && /^(read|ask|hold|say) (\w+)$/m.exec(text)) || []
      if (kind) found = { kind, name, results: 0 }
    }
  }
  return found
}

/** What was started and has not ended, also what is not ready yet. */
const running = new Set()
export async function endPrograms() {
  const ending = [...running].map((child) => once(child, 'exit'))
  for (const child of running) child.kill('SIGKILL')
  await Promise.all(ending)
}

export async function startProgram({ cwd, env }, args, ready) {
  const child = spawn(process.execPath, [join(root, 'dist', 'kedge.cjs'), ...args], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  let log = ''
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    log = (log + text).slice(-5000)
  })
  const said = await new Promise((done) => {
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output = (output + text).slice(-5000)
      const match = ready.exec(output)
      if (match) done(match[1])
    })
    child.once('exit', () => done(undefined))
  })
  if (said === undefined) throw new Error(`kedge ${args[0]} ended: ${log}`)
  return {
    pid: child.pid,
    said,
    child,
    async end(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill(signal)
      await once(child, 'exit')
    },
  }
}

/** A node, or a server on files, as who uses it sees it. */
export async function startNode(place, ...flags) {
  const args = ['serve', '--port', '0', '--token', TOKEN, '--root', place.cwd, ...flags]
  const program = await startProgram(place, args, /listens on (\S+)/)
  const { origin, host } = new URL(program.said)
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
  const call = async (method, path, body) => {
    const answer = await fetch(`${origin}${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
  const sockets = []
  return {
    ...program,
    call,
    begin: async () => (await call('POST', '/v1/sessions', { cwd: place.cwd })).id,
    prompt: (session, content) => call('POST', `/v1/sessions/${session}/prompts`, { content }),
    /** `take` gets every entry after a number, as it comes. */
    async read(session, after, take) {
      const ws = new WebSocket(`ws://${host}/v1/sessions/${session}/events?after=${after}`, { headers })
      sockets.push(ws)
      ws.on('message', (data) => {
        for (const item of JSON.parse(String(data))) if (item.kind !== 'delta') take(item)
      })
      await once(ws, 'open')
    },
    stopReading() {
      for (const ws of sockets.splice(0)) ws.terminate()
    },
  }
}

/** Waiting for people takes no place in it, not even for a moment: turns are parked at once. */
export function startWorker(place) {
  const own = ['worker', '--model', 'claude-sonnet-4-5', '--warm-seconds', '0', '--per-tenant', '200']
  return startProgram(place, own, /Worker (\S+) takes runs/)
}
