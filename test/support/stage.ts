/** What the complaint tests share: a scripted model with a clean folder, prompts that come one by one, and a look at processes. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type Options, query, type SDKMessage, type SDKUserMessage } from 'kedge'
import {
  collect,
  type ModelHandler,
  type ModelServer,
  type Run,
  type Script,
  type Step,
  startModelServer,
  type TestOptions,
  testOptions,
} from 'kedge/testing'
import type { Errand } from '../sdk/memory-program.js'

/** The root of the project, from where the tests are built to. */
export const root = fileURLToPath(new URL('../../..', import.meta.url))
/** Our command, as it is shipped. */
export const command = fileURLToPath(new URL('../../../dist/kedge.cjs', import.meta.url))

export const never = new Promise<never>(() => {})
export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Waits for something that must come to pass; a test that waits in vain fails instead of hanging. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isSo()); tries += 1) {
    if (tries === 3000) throw new Error(`never: ${isSo}`)
    await pause(10)
  }
}
export const untilFile = (path: string) => until(() => existsSync(path))

export const call = (name: string, input: object, id = 'toolu_1') => ({ tools: [{ id, name, input }] })
export const bash = (line: string, id = 'toolu_1') => call('Bash', { command: line }, id)

export function say(
  content: SDKUserMessage['message']['content'],
  extra: Partial<SDKUserMessage> = {},
): SDKUserMessage {
  return { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, session_id: '', ...extra }
}

/** Prompts that a test hands over when it likes, and the end of them. */
export function prompts(): { stream: AsyncIterable<SDKUserMessage>; send(message: SDKUserMessage): void; end(): void } {
  const waiting: SDKUserMessage[] = []
  let over = false
  let wake = () => {}
  const news = () => {
    wake()
  }
  async function* stream() {
    for (;;) {
      const next = waiting.shift()
      if (next) yield next
      else if (over) return
      else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
  }
  return {
    stream: stream(),
    send(message) {
      waiting.push(message)
      news()
    },
    end() {
      over = true
      news()
    },
  }
}

export type World = { server: ModelServer; options: TestOptions }

/** A model that says this, options for it, and a folder that is gone afterwards. */
export async function withModel<T>(
  turns: Step[] | Script | ModelHandler,
  overrides: Options,
  body: (world: World) => Promise<T>,
): Promise<T> {
  await using server = await startModelServer(turns)
  await using options = testOptions(server, { model: 'claude-sonnet-4-5-20250929', ...overrides })
  return await body({ server, options })
}

/** One query from its beginning to its end. */
export function play(
  turns: Step[] | Script | ModelHandler,
  overrides: Options = {},
  prompt: string | AsyncIterable<SDKUserMessage> = 'Go.',
): Promise<Run<SDKMessage> & { server: ModelServer }> {
  return withModel(turns, overrides, async ({ server, options }) => {
    const run = await collect(query({ prompt, options }))
    return { ...run, server }
  })
}

/** System messages of a kind. */
export function system<S extends string>(messages: readonly SDKMessage[], subtype: S) {
  type Found = Extract<SDKMessage, { type: 'system'; subtype: S }>
  return messages.filter((message): message is Found => message.type === 'system' && message.subtype === subtype)
}

/** The texts of tool results, as the host sees them. */
export function toolResults(messages: readonly SDKMessage[]): { text: string; isError: boolean }[] {
  return messages.flatMap((message) => {
    if (message.type !== 'user' || typeof message.message.content === 'string') return []
    return message.message.content.flatMap((block) => {
      if (block.type !== 'tool_result') return []
      const { content } = block
      const text =
        typeof content === 'string' ? content : (content ?? []).map((b) => ('text' in b ? b.text : '')).join('')
      return [{ text, isError: block.is_error === true }]
    })
  })
}

export type Ended = { code: number | null; signal: string | null; stdout: string; stderr: string }

/** A program of its own, to its end. */
export function runProgram(
  file: string,
  args: readonly string[],
  options: { cwd: string; env: Record<string, string | undefined>; input?: string; uid?: number; gid?: number },
): Promise<Ended> {
  const { input = '', ...rest } = options
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { ...rest, stdio: 'pipe' })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (chunk) => {
      stdout += chunk
    })
    child.stderr.on('data', (chunk) => {
      stderr += chunk
    })
    child.stdin.on('error', () => {})
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
    child.stdin.end(input)
  })
}

/** Our command with these arguments. */
export function kedge(args: readonly string[], options: TestOptions, input = ''): Promise<Ended> {
  return runProgram(process.execPath, [command, ...args], { cwd: options.cwd, env: options.env, input })
}

/** The messages a command printed as NDJSON. */
export function lines(stdout: string): SDKMessage[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

/** Processes that this one has started and not yet ended; empty where there is no /proc. */
export function childrenOf(pid: number): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    return text.split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

/** Bytes of the heap that are still in use after everything that can go has gone. */
export async function heapInUse(): Promise<number> {
  setFlagsFromString('--expose-gc')
  // The function is there only for contexts that are made after the flag was set.
  const collectGarbage: () => void = runInNewContext('gc')
  await pause(20)
  collectGarbage()
  await pause(20)
  collectGarbage()
  return process.memoryUsage().heapUsed
}

type Growth = { heap: number; rss: number; handles: number; listeners: number; children: number; all: number }

/** What a host keeps of something it did many times, in a process of its own (`memory-program.ts`). */
export function growth(errand: Omit<Errand, 'options'>): Promise<Growth> {
  const program = fileURLToPath(new URL('../sdk/memory-program.js', import.meta.url))
  return withModel(
    () => 'Hello.',
    { persistSession: false },
    async ({ options }) => {
      const task: Errand = { ...errand, options: { ...options } }
      const { code, stdout, stderr } = await runProgram(process.execPath, [program, JSON.stringify(task)], {
        cwd: options.cwd,
        env: options.env,
      })
      assert.equal(code, 0, stderr)
      return JSON.parse(stdout)
    },
  )
}

/** Notes of the agent that have this code, with what they say besides. */
export function notices(messages: readonly SDKMessage[], code: string): Record<string, string | null>[] {
  return system(messages, 'informational').flatMap((notice) => (notice.code === code ? [notice.details ?? {}] : []))
}
