/** Opens a repository with the library or with the command, and tells everything that was started, called and written. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Options, query } from 'kedge'
import { collect, type ModelServer, type Step, startModelServer } from 'kedge/testing'
import type { Hostile } from './hostile.js'
import { createWorld, SECRET, type World } from './place.js'
import { recordProcess } from './recorder.js'
import { changes, takeSnapshot } from './snapshot.js'
import { canTrace, readTrace, traceCommand } from './trace.js'

/** What a repository achieved. Everything empty: nothing. */
export type Seen = {
  /** Programs that were started. */
  programs: string[]
  /** Addresses other than the model's that were called. */
  addresses: string[]
  /** Paths, relative to the world, that differ afterwards, and those that were opened for writing. */
  writes: string[]
  /** Calls that the canary server got. */
  canary: number
  /** The secret reached the model or the terminal. */
  leaked: boolean
  /** Control characters on the terminal. */
  control: string[]
  /** What the session answered. */
  answer: string | undefined
  stderr: string
}

export type Opening = {
  /** What the model says and does. */
  turns?: (world: World, cwd: string) => Step[]
  args?: string[]
  options?: Options
}

const MODEL = 'claude-sonnet-4-5-20250929'
/** Nothing in these tests takes long; what does hangs. */
const WATCHDOG_MS = 60_000

export async function openWithLibrary(hostile: Hostile, opening: Opening = {}): Promise<Seen> {
  const readsCommands = opening.options?.settingSources !== undefined
  return opened(hostile, { ...opening, readsCommands }, async ({ server, cwd, env, prompt }) => {
    using recorder = recordProcess()
    let stderr = ''
    const options: Options = {
      cwd,
      env: { ...env, ...server.env() },
      model: MODEL,
      stderr: (text) => {
        stderr += text
      },
      abortController: new AbortController(),
      ...opening.options,
    }
    const watchdog = setTimeout(() => options.abortController?.abort(), WATCHDOG_MS)
    const { result } = await collect(query({ prompt, options }))
    clearTimeout(watchdog)
    const answer = result?.subtype === 'success' && !result.is_error ? result.result : undefined
    return { answer, stderr, programs: recorder.processes(), addresses: recorder.connections(), writes: [] }
  })
}

export async function openWithCommand(hostile: Hostile, opening: Opening & { cache: string }): Promise<Seen> {
  return opened(hostile, opening, async ({ world, server, cwd, env, prompt, args }) => {
    const report = `${world.root}.report`
    const trace = `${world.root}.trace`
    const watch = new URL(`./report-at-exit.js?file=${encodeURIComponent(report)}`, import.meta.url).href
    const [program = '', ...words] = [
      ...(canTrace ? traceCommand(trace) : []),
      ...[process.execPath, '--import', watch, join(process.cwd(), 'dist', 'kedge.cjs')],
      ...['-p', '--model', MODEL, ...args, ...(opening.args ?? []), '--', prompt],
    ]
    const child = spawn(program, words, {
      cwd,
      env: { ...env, ...server.env(), XDG_CACHE_HOME: opening.cache },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    const watchdog = setTimeout(() => child.pid && process.kill(-child.pid, 'SIGKILL'), WATCHDOG_MS)
    const [stdout, stderr] = await Promise.all([child.stdout, child.stderr].map(textOf))
    clearTimeout(watchdog)
    const ended = existsSync(report)
    const { processes, connections } = ended
      ? JSON.parse(readFileSync(report, 'utf8'))
      : { processes: ['it did not end by itself'], connections: [] }
    const kernel = canTrace ? readTrace(trace, cwd) : { programs: [], addresses: [], writes: [] }
    for (const file of [report, trace]) rmSync(file, { force: true })
    // Commands need pipes, which are made in the temporary folder and are gone afterwards.
    const pipes = opening.turns ? [join(world.root, 'tmp')] : []
    // What the agent loads on first use gets its code cache beside the package.
    const caches = [opening.cache, join(process.cwd(), 'dist', 'cache')]
    const own = [join(world.config, 'projects'), ...caches, '/dev', '/proc', report, ...pipes]
    return {
      answer: stdout?.trim(),
      stderr: stderr ?? '',
      programs: [...processes, ...kernel.programs],
      addresses: [...connections, ...kernel.addresses],
      writes: kernel.writes.filter((path) => !own.some((place) => `${path}/`.startsWith(`${place}/`))),
    }
  })
}

type Run = {
  world: World
  server: ModelServer
  cwd: string
  env: Record<string, string>
  prompt: string
  args: string[]
}
type Found = Pick<Seen, 'answer' | 'stderr' | 'programs' | 'addresses' | 'writes'>

async function opened(
  hostile: Hostile,
  opening: Opening & { readsCommands?: boolean },
  run: (run: Run) => Promise<Found>,
): Promise<Seen> {
  await using world = await createWorld()
  hostile.make(world)
  const { cwd = world.repo, env, prompt = 'hi', args = [], answeredLocally } = hostile.opened?.(world) ?? {}
  const needsModel = !answeredLocally || (opening.readsCommands ?? true)
  await using server = await startModelServer(needsModel ? (opening.turns?.(world, cwd) ?? ['Hi.']) : [])
  // The agent's own places: sessions, and whatever is in the temporary folder only while it works.
  const own = [join(world.config, 'projects'), join(world.root, 'tmp', 'while-it-works')]
  const before = takeSnapshot(world.root, own)
  const found = await run({ world, server, cwd, env: world.env(env), prompt, args })
  const written = changes(before, takeSnapshot(world.root, own))
  const said = `${found.stderr}${found.answer ?? ''}`
  const model = `127.0.0.1:${server.port}`
  return {
    answer: found.answer,
    stderr: found.stderr,
    programs: found.programs,
    addresses: found.addresses.filter((address) => address !== model),
    writes: [...new Set([...written, ...found.writes])],
    canary: world.calls(),
    leaked: said.includes(SECRET) || JSON.stringify(server.requests).includes(SECRET),
    control: said.match(/[^\P{C}\n\t]/gu) ?? [],
  }
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}
