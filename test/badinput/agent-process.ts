/** Plays a host that may say anything to the built agent on real stdio, and checks what must hold after every bad input. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ModelServer, startModelServer, type TestOptions, type Turn, type Turns, testOptions } from 'kedge/testing'
import { findLeftoverProcesses } from '../../src/platform/processes/test-leftovers.js'

/** A line of the agent, with the fields tests look at. */
export type Line = {
  type: string
  subtype?: string
  uuid?: string
  session_id?: string
  isReplay?: boolean
  request_id?: string
  request?: { subtype: string; [key: string]: unknown }
  response?: {
    subtype: string
    request_id: string
    response?: Record<string, unknown>
    error?: string
    error_code?: string
  }
  message?: { role: string; content: { type: string; [key: string]: unknown }[] }
  permissionMode?: string
  is_error?: boolean
  result?: string
  errors?: string[]
  terminal_reason?: string
  permission_denials?: unknown[]
  commands?: { name: string }[]
}

export type AgentSetup = {
  args?: string[]
  /** Replaces the command: gets the path of the CLI and its arguments. */
  command?: (cli: string, args: string[]) => [string, string[]]
  /** False: nothing is sent at the start. An object: fields of the `initialize` request. */
  initialize?: false | Record<string, unknown>
  /** Puts files into place before the agent starts. */
  prepare?: (options: TestOptions) => void
  env?: Record<string, string | undefined>
  /** It has something to warn of. */
  warns?: true
  /** Its session file was damaged before, and stays so in the middle. */
  isDamaged?: true
  /** Which lines to keep; all, unless there are too many. */
  keep?: (line: Line) => boolean
}

export type Agent = AsyncDisposable & {
  readonly server: ModelServer
  readonly options: TestOptions
  readonly child: ChildProcess
  /** Everything on stdout so far. */
  readonly lines: readonly Line[]
  /** Everything on stderr so far. */
  stderr(): string
  /** Writes bytes as they are; resolves when the pipe takes more. */
  write(text: string | Uint8Array): Promise<void>
  /** Writes each message as one line. */
  send(...messages: object[]): Promise<void>
  /** The first line not yet taken that fits; takes it. */
  take(match: (line: Line) => boolean): Promise<Line>
  /** Sends a control request and gives its answer. */
  ask(request: object): Promise<NonNullable<Line['response']>>
  /** Waits for something on stderr. */
  complains(pattern: RegExp): Promise<void>
  /** Sends a user message and gives its result. */
  turn(text: string): Promise<Line>
  /** Closes stdin, waits for the end and checks the rules of every row. */
  finish(expected?: { code?: number }): Promise<void>
  /** Resident memory now and at its highest, in MB; undefined where there is no /proc. */
  memory(): { now: number; peak: number } | undefined
}

/** No answer, no error and no end within this time is a hang. */
export const WATCHDOG_MS = 60_000
/** From Node 22 on, V8 lets more lie about before it cleans up; more of the same messages makes it hardly more. */
const MAX_GROWTH_MB = Number.parseInt(process.versions.node, 10) < 22 ? 200 : 300
export const KEY = 'sk-ant-badinput-0123456789'
export const MODEL = 'claude-sonnet-4-5-20250929'
const CLI = join(process.cwd(), 'dist', 'kedge.cjs')
const FLAGS = [
  ...['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json', '--model', MODEL],
  ...['--permission-prompt-tool', 'stdio', '--setting-sources', '', '--permission-mode', 'default'],
]

export async function startAgent(turns: Turns, setup: AgentSetup = {}): Promise<Agent> {
  const server = await startModelServer(turns)
  const mark = `BADINPUT_MARK=${randomUUID()}`
  const env = { ANTHROPIC_API_KEY: KEY, BADINPUT_MARK: mark.slice('BADINPUT_MARK='.length), ...setup.env }
  const options = testOptions(server, { env })
  setup.prepare?.(options)
  const args = [...FLAGS, ...(setup.args ?? [])]
  const [command, commandArgs] = setup.command?.(CLI, args) ?? [process.execPath, [CLI, ...args]]
  const child = spawn(command, commandArgs, { cwd: options.cwd, env: options.env, stdio: 'pipe' })
  const { pid } = child
  const lines: Line[] = []
  const untaken: Line[] = []
  let stderr = ''
  let wake = () => {}
  let requests = 0
  let idle: number | undefined
  let peak = 0

  const memory = () => {
    const status = pid === undefined ? '' : readQuietly(`/proc/${pid}/status`)
    const read = (name: string) =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? Number.NaN) / 1024
    const now = read('VmRSS')
    if (Number.isNaN(now)) return undefined
    peak = Math.max(peak, read('VmHWM'))
    return { now, peak }
  }
  const sampling = setInterval(memory, 50)
  const ended = once(child, 'close').then(([code, signal]) => {
    clearInterval(sampling)
    return { code, signal }
  })
  // Whoever closed a pipe early wanted to see what the agent does; ours must not fall over.
  child.stdin.on('error', () => {})
  child.stderr.on('error', () => {})
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    stderr += chunk
    wake()
  })
  let partial = ''
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    const texts = `${partial}${chunk}`.split('\n')
    partial = texts.pop() ?? ''
    for (const text of texts) receive(text)
  })
  const receive = (text: string) => {
    assert.ok(!text.includes(KEY), 'the key was sent to the host')
    // Everything on stdout is a JSON object with a type: that is what is being tested.
    const line = JSON.parse(text) as Line
    idle ??= memory()?.now
    if (setup.keep && !setup.keep(line)) return
    lines.push(line)
    untaken.push(line)
    wake()
  }

  const until = async <T>(what: string, look: () => T | undefined): Promise<T> => {
    const deadline = Date.now() + WATCHDOG_MS
    for (;;) {
      const found = look()
      if (found !== undefined) return found
      const left = deadline - Date.now()
      const context = () => `${what}\nstderr: ${stderr.slice(-2000)}\nstdout: ${show(lines.slice(-5))}`
      if (left <= 0) throw new Error(`Hang: waited ${WATCHDOG_MS} ms for ${context()}`)
      const gone = await Promise.race([new Promise<void>((resolve) => (wake = resolve)), delay(left), ended])
      if (gone && look() === undefined) throw new Error(`The agent ended (${show(gone)}) before ${context()}`)
    }
  }

  const agent: Agent = {
    server,
    options,
    child,
    lines,
    memory,
    stderr: () => stderr,
    async write(text) {
      if (child.stdin.write(text)) return
      // It may have ended meanwhile, which is seen in what it wrote.
      const taken = once(child.stdin, 'drain').catch(() => ended)
      await Promise.race([taken, ended, delay(WATCHDOG_MS)])
    },
    send: (...messages) => agent.write(messages.map((message) => `${JSON.stringify(message)}\n`).join('')),
    take: (match) =>
      until(`a line with ${match}`, () => {
        const at = untaken.findIndex(match)
        return at < 0 ? undefined : untaken.splice(at, 1)[0]
      }),
    async ask(body) {
      requests += 1
      const id = `ask-${requests}`
      await agent.send(request(id, body))
      const { response } = await agent.take(answerTo(id))
      return response ?? assert.fail('unreachable: answerTo looked into it')
    },
    complains: (pattern) =>
      until(`${pattern} on stderr`, () => (pattern.test(stderr) ? true : undefined)).then(() => {}),
    async turn(text) {
      await agent.send(user(text))
      return agent.take(isResult)
    },
    async finish({ code = 0 } = {}) {
      memory()
      child.stdin.end()
      const end = await Promise.race([ended, delay(WATCHDOG_MS)])
      assert.ok(end, `hang: the agent did not end (exit code ${child.exitCode})\nstderr: ${stderr}`)
      assert.deepEqual(end, { code, signal: null }, stderr)
      assert.ok(!/^\s+at .+:\d+:\d+/m.test(stderr), `a stack trace was printed: ${stderr}`)
      assert.ok(!(setup.warns ? /^\(node:/m : /Warning: /).test(stderr), `node complained: ${stderr}`)
      assert.ok(!stderr.includes(KEY), 'the key was printed')
      assert.ok(peak < (idle ?? 0) + MAX_GROWTH_MB, `memory grew from ${idle} to ${peak} MB`)
      assert.deepEqual(findLeftoverProcesses(mark), [])
      checkTranscript(options, lines, setup.isDamaged)
      server.assertDone()
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      await ended
      await server.close()
      await options[Symbol.asyncDispose]()
    },
  }
  if (setup.initialize !== false) {
    const { subtype } = await agent.ask({ subtype: 'initialize', systemPrompt: '', ...setup.initialize })
    assert.equal(subtype, 'success')
  }
  return agent
}

/** The lines of all session files: each must be readable, and hold what the host was told. */
export function readTranscript(
  options: TestOptions,
  isDamaged = false,
): { type: string; uuid?: string; [key: string]: unknown }[] {
  const projects = join(String(options.env.CLAUDE_CONFIG_DIR), 'projects')
  if (!existsSync(projects)) return []
  return readdirSync(projects, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(projects, name), 'utf8').split('\n').slice(0, -1))
    .flatMap((line) => (isDamaged ? parseQuietly(line) : JSON.parse(line)))
}

function parseQuietly(line: string): ReturnType<typeof readTranscript> {
  try {
    return [JSON.parse(line)]
  } catch {
    return []
  }
}

function checkTranscript(options: TestOptions, lines: readonly Line[], isDamaged = false): void {
  const known = new Set(readTranscript(options, isDamaged).map(({ uuid }) => uuid))
  const lost = lines.filter(
    ({ type, uuid, isReplay }) => /^(user|assistant)$/.test(type) && !isReplay && !known.has(uuid),
  )
  assert.deepEqual(lost, [], 'messages the host saw are not in the transcript')
}

export const isResult = (line: Line): boolean => line.type === 'result'
export const isQuestion = (line: Line): boolean => line.request?.subtype === 'can_use_tool'
export const isHookCall = (line: Line): boolean => line.request?.subtype === 'hook_callback'
export const answerTo = (id: string) => (line: Line) => line.response?.request_id === id

export const request = (id: unknown, body: unknown) => ({ type: 'control_request', request_id: id, request: body })
export const success = (id: unknown, body: unknown) => ({
  type: 'control_response',
  response: { subtype: 'success', request_id: id, response: body },
})
export const failure = (id: unknown, error: unknown) => ({
  type: 'control_response',
  response: { subtype: 'error', request_id: id, error },
})
export const user = (content: unknown, rest: object = {}) => ({
  type: 'user',
  message: { role: 'user', content },
  parent_tool_use_id: null,
  session_id: '',
  ...rest,
})

/** A turn of the model whose one call needs permission, and leaves a file behind when it ran. */
export const touch = (name = 'made') => ({ tools: [{ name: 'Bash', input: { command: `touch ${name}` } }] })
export const made = ({ options }: { options: { cwd: string } }, name = 'made') => existsSync(join(options.cwd, name))
export const preToolUse = (fields: object) => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse' as const, ...fields },
})

/** A turn of the model that waits until the test says what it is. `asked` settles when the model is asked. */
export function heldTurn() {
  let answer: (turn: Turn) => void = () => {}
  let ask = () => {}
  const held = new Promise<Turn>((resolve) => {
    answer = resolve
  })
  const asked = new Promise<void>((resolve) => {
    ask = resolve
  })
  const step = () => {
    ask()
    return held
  }
  return { step, asked, answer }
}

/** True when `work` has not ended after a while: the other side does not take more. */
export async function isStuck(work: Promise<unknown>): Promise<boolean> {
  return Promise.race([work.then(() => false), delay(1000).then(() => true)])
}

/** The text of the tool results the model was given in its last request. */
export function lastToolResults({ server }: Pick<Agent, 'server'>): string[] {
  return server.requests.at(-1)?.toolResults.map(({ text }) => text) ?? []
}

function readQuietly(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function delay(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), ms).unref())
}

function show(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 2000) ?? String(value)
}
