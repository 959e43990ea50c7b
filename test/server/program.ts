/** `kedge serve` as a program, with the practice model, in a home of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Reply, send } from './serving.js'

export type Home = Disposable & { root: string; project: string; env: NodeJS.ProcessEnv }

export function newHome(): Home {
  const root = mkdtempSync(join(realpathSync(tmpdir()), 'kedge-serve-'))
  const project = join(root, 'project')
  mkdirSync(project)
  const { PATH, XDG_CACHE_HOME } = process.env
  return {
    root,
    project,
    env: { PATH, XDG_CACHE_HOME, HOME: root, CLAUDE_CONFIG_DIR: join(root, '.claude') },
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }),
  }
}

export type Program = AsyncDisposable & {
  child: ChildProcess
  url: string
  token: string
  /** What it wrote to stderr so far. */
  log(): string
  call(method: string, path: string, body?: unknown): Promise<Reply>
  /** Ends it; resolves with its exit code, or null when the signal was the end. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

const COMMAND = fileURLToPath(new URL('../../../dist/kedge.cjs', import.meta.url))

/** Resolves when it listens; rejects with what it said when it does not. */
export async function startProgram({ project, env }: Home, ...flags: string[]): Promise<Program> {
  const args = [COMMAND, 'serve', '--model', 'practice', '--port', '0', ...flags]
  const child = spawn(process.execPath, args, { cwd: project, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    log += text
  })
  let said = ''
  for await (const text of child.stdout.setEncoding('utf8')) {
    said += text
    if (/listens on .*\n/.test(said)) break
  }
  const [, url] = /listens on (\S+)/.exec(said) ?? []
  if (url === undefined) {
    if (child.exitCode === null) await once(child, 'exit')
    throw new Error(`exit code ${child.exitCode}: ${log}`)
  }
  const own = flags.includes('--token') ? flags[flags.indexOf('--token') + 1] : undefined
  const token = own ?? readFileSync(join(env['CLAUDE_CONFIG_DIR'] ?? '', 'server', 'token'), 'utf8').trim()
  const end = async (signal: NodeJS.Signals) => {
    const over = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined
    child.kill(signal)
    await over
    return child.exitCode
  }
  return {
    child,
    url,
    token,
    log: () => log,
    end,
    call: (method, path, body) =>
      send(
        url,
        method,
        path,
        { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        body === undefined ? '' : JSON.stringify(body),
      ),
    async [Symbol.asyncDispose]() {
      await end('SIGKILL')
    },
  }
}
