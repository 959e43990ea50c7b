/** `kedge serve` and `kedge worker` as programs on one database, with a model that answers by what it is asked. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type ModelHandler, type ModelServer, startModelServer } from 'kedge/testing'
import { type Reply, send } from '../server/serving.js'

export const DIST = fileURLToPath(new URL('../../../dist/', import.meta.url))
export const TOKEN = 'a-token-for-tests-only'

export type Place = AsyncDisposable & {
  folder: string
  /** What the tools did, outside of the database: a line each. */
  effects: string
  app: string
  model: ModelServer
  database: string
  env: NodeJS.ProcessEnv
  /** Whose programs are started, if not those of this tree. */
  dist?: string
  /** Loaded into each program before its own code. */
  preload?: string
}

/** Tools that write a line each: some that are allowed, one that is asked about. */
const APP = (effects: string, kedge: string, workspace: object | undefined) => `
import { appendFileSync } from 'node:fs'
import { createSdkMcpServer, tool } from ${JSON.stringify(pathToFileURL(join(kedge, 'index.js')).href)}
import { z } from ${JSON.stringify(import.meta.resolve('zod'))}
const step = (name, ms) => tool(name, 'Takes a step', { name: z.string() }, async ({ name }) => {
  appendFileSync(${JSON.stringify(effects)}, name + '\\n')
  await new Promise((done) => setTimeout(done, ms))
  return { content: [{ type: 'text', text: 'stepped ' + name }] }
})
const server = () => createSdkMcpServer({ name: 'steps', tools: [step('step', 30), step('risky', 30), step('slow', 3000)] })
export default {
  name: '',
  options: () => ({
    settingSources: [],
    mcpServers: { steps: server() },
    allowedTools: ['mcp__steps__step', 'mcp__steps__slow', 'Task', 'Agent', 'Bash(touch:*)', 'Bash(sleep:*)', 'Bash(sh line.sh:*)'],
  }),
  workspace: ${JSON.stringify(workspace) ?? 'undefined'},
}
`

export async function openPlace(database: string, answer: ModelHandler, workspace?: object): Promise<Place> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'kedge-cluster-'))
  const project = join(folder, 'project')
  mkdirSync(project)
  const effects = join(folder, 'effects.txt')
  writeFileSync(effects, '')
  writeFileSync(join(project, 'line.sh'), `echo "$1" >> '${effects}'; sleep 0.2; echo "stepped $1"\n`)
  const app = join(folder, 'app.mjs')
  writeFileSync(app, APP(effects, DIST, workspace))
  const model = await startModelServer(answer)
  const { PATH, XDG_CACHE_HOME } = process.env
  return {
    folder: project,
    effects,
    app,
    model,
    database,
    env: {
      PATH,
      XDG_CACHE_HOME,
      HOME: folder,
      CLAUDE_CONFIG_DIR: join(folder, '.claude'),
      KEDGE_DATABASE: database,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      ...model.env(),
    },
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

export type Running = {
  child: ChildProcess
  /** What it wrote to stderr so far. */
  log(): string
  /** And to stdout. */
  out(): string
  /** Ends it; resolves with its exit code, or null when the signal was the end. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

export async function startProgram(
  place: Place,
  args: string[],
  ready: RegExp,
): Promise<Running & { said: RegExpExecArray }> {
  const preload = place.preload === undefined ? [] : ['--import', place.preload]
  const child = spawn(process.execPath, [...preload, join(place.dist ?? DIST, 'kedge.cjs'), ...args], {
    cwd: place.folder,
    env: place.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    log += text
  })
  let output = ''
  const found = await new Promise<RegExpExecArray | null>((done) => {
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text
      const match = ready.exec(output)
      if (match) done(match)
    })
    child.once('exit', () => done(null))
  })
  if (!found) throw new Error(`kedge ${args.join(' ')} ended: ${log}`)
  return {
    child,
    said: found,
    log: () => log,
    out: () => output,
    async end(signal) {
      const over = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined
      // One that is paused gets no other signal.
      if (signal !== 'SIGKILL') child.kill('SIGCONT')
      child.kill(signal)
      await over
      return child.exitCode
    },
  }
}

export async function startWorkerProgram(place: Place, ...flags: string[]): Promise<Running & { id: string }> {
  const own = [
    'worker',
    '--app',
    place.app,
    '--silent-seconds',
    '3',
    '--warm-seconds',
    '0',
    '--model',
    'claude-sonnet-4-5',
  ]
  const worker = await startProgram(place, [...own, ...flags], /Worker (\S+) takes runs/)
  return { ...worker, id: worker.said[1] ?? '' }
}

export async function startNode(place: Place, ...flags: string[]): Promise<Running & { url: string }> {
  const own = ['serve', '--port', '0', '--token', TOKEN, '--root', place.folder]
  const node = await startProgram(place, [...own, ...flags], /listens on (\S+)/)
  return { ...node, url: node.said[1] ?? '' }
}

export function callNode(url: string, method: string, path: string, body?: unknown): Promise<Reply> {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', host: new URL(url).host }
  return send(url, method, path, headers, body === undefined ? '' : JSON.stringify(body))
}
