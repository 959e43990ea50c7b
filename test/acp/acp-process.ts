/** An agent as a process, its stdin and stdout behind a tap; and what has to hold when it is over. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findLeftoversAfterAbort } from '../../src/platform/processes/test-leftovers.js'
import type { Flavor } from './acp-schema.js'
import { createTap, type From, type Heard, type Tap } from './tap.js'

/** `ACP_AGENT='["node", "agent.js"]' npm test -- test/acp/checklist` asks the same of another agent. */
const KEDGE = JSON.stringify([process.execPath, join(process.cwd(), 'dist', 'kedge.cjs'), 'acp'])
const AGENT: readonly string[] = JSON.parse(process.env['ACP_AGENT'] ?? KEDGE)
/** No answer and no end within this time is a hang; other agents may be slow. */
const WATCHDOG_MS = Number(process.env['ACP_WATCHDOG_MS'] ?? 20_000)

export type AcpProcess = {
  readonly child: ChildProcess
  readonly tap: Tap
  /** Bytes of the agent, already judged. */
  readonly output: ReadableStream<Uint8Array>
  readonly input: WritableStream<Uint8Array>
  stderr(): string
  write(bytes: string | Uint8Array): void
  /** The first thing heard from `after` on that fits; waits for it. */
  heard(what: string, fits: (heard: Heard) => boolean, after?: number): Promise<Heard>
  /** Closes stdin and waits for the end. */
  end(): Promise<void>
  kill(signal?: NodeJS.Signals): Promise<void>
  /** Resolves when it is gone, however. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  /** The most it ever held, in MB; 0 where there is no /proc. */
  peak(): number
  /** Processes that carry this agent's mark, when they had time to die. */
  leftBehind(): Promise<string[]>
}

export type ProcessSetup = {
  command?: readonly string[]
  cwd: string
  env: Record<string, string | undefined>
  flavor: Flavor
  /** The client says wrong things on purpose. */
  agentOnly?: boolean
}

export function startAcpProcess(setup: ProcessSetup): AcpProcess {
  const { command = AGENT, cwd, flavor, agentOnly = false } = setup
  const [program = '', ...args] = command
  const mark = randomUUID()
  const env = { ...setup.env, ACP_MARK: mark }
  const child = spawn(program, args, { cwd, env, stdio: 'pipe' })
  const tap = createTap(flavor, { agentOnly })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr = (stderr + text).slice(-20_000)))
  // Whoever closed a pipe early wanted to see what the agent does.
  child.stdin.on('error', () => {})
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }))
  const fromAgent = lines(tap, 'agent')
  const fromClient = lines(tap, 'client')
  let isRead = true
  const output = new ReadableStream<Uint8Array>({
    start(controller) {
      child.stdout.on('data', (bytes: Buffer) => {
        fromAgent(bytes)
        if (isRead) controller.enqueue(bytes)
      })
      child.stdout.on('end', () => isRead && controller.close())
    },
    cancel() {
      isRead = false
    },
  })
  const write = (bytes: string | Uint8Array) => {
    fromClient(typeof bytes === 'string' ? Buffer.from(bytes) : bytes)
    child.stdin.write(bytes)
  }

  return {
    child,
    tap,
    output,
    input: new WritableStream({ write }),
    stderr: () => stderr,
    ended,
    write,
    async heard(what, fits, after = 0) {
      const already = tap.heard.slice(after).find(fits)
      if (already) return already
      let stop = () => {}
      const found = new Promise<Heard>((resolve) => {
        stop = tap.onHeard((one) => {
          if (fits(one)) resolve(one)
        })
      })
      const state = () => `${what}\nlast: ${show(tap.heard.slice(-8))}\nstderr: ${stderr.slice(-2000)}`
      const over = ended.then((end) => Promise.reject(new Error(`the agent ended (${show(end)}) before ${state()}`)))
      over.catch(() => {})
      try {
        return await Promise.race([found, over, hang(state)])
      } finally {
        stop()
      }
    },
    async end() {
      child.stdin.end()
      const end = await Promise.race([ended, hang(() => `its end after its stdin ended\nstderr: ${stderr}`)])
      assert.deepEqual(end, { code: 0, signal: null }, stderr)
    },
    async kill(signal = 'SIGKILL') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      await ended
    },
    peak() {
      const status = existsSync(`/proc/${child.pid}/status`) ? readFileSync(`/proc/${child.pid}/status`, 'utf8') : ''
      return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024
    },
    leftBehind: () => findLeftoversAfterAbort(`ACP_MARK=${mark}`),
  }
}

/** Takes bytes, tells the tap lines. */
function lines(tap: Tap, from: From): (bytes: Uint8Array) => void {
  const decoder = new TextDecoder()
  let rest = ''
  return (bytes) => {
    const texts = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = texts.pop() ?? ''
    for (const text of texts) tap.line(from, text)
  }
}

function hang(state: () => string): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`waited ${WATCHDOG_MS} ms for ${state()}`)), WATCHDOG_MS).unref()
  })
}

function show(value: unknown): string {
  return JSON.stringify(value, (_, inner) => (typeof inner === 'string' ? inner.slice(0, 300) : inner)).slice(0, 3000)
}
