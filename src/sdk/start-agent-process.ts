/** Starts an agent program: which one, with which command, environment and flags. */
import { existsSync, mkdtempSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { KedgeError } from '../errors.js'
import { environmentWithProcessMarks } from '../platform/processes/process-marks.js'
import { toArgv } from '../protocol/option-table/to-argv.js'
import type { Options } from '../protocol/options.js'
import type { AgentProcess, SpawnOptions } from '../protocol/spawn.js'
import { messageOf } from '../protocol/thrown.js'
import { type ChildExit, connectChild } from '../transport/child-process.js'
import type { AgentConnection, HostProcessDefaults } from './agent-connection.js'

/** The release of the original whose environment we present to agents. */
const COMPATIBLE_SDK_VERSION = '0.2.50'
/** For an agent whose host was killed, between a polite signal and force. */
const ORPHAN_GRACE_SECONDS = 2

export type AgentSpawnPlan = {
  command: string
  args: string[]
  cwd: string
  env: Record<string, string | undefined>
  options: Options
  own: boolean
  /** Where in `args` the flags begin. */
  flagsAt: number
}

/** The path named was not there. Like the original's, this is a ReferenceError; ours has a code. */
export class ExecutableNotFoundError extends ReferenceError {
  readonly code = 'executable_not_found'
  readonly path: string

  constructor(path: string) {
    super(`Claude Code executable not found at ${path}. Is options.pathToClaudeCodeExecutable set?`)
    this.name = 'ReferenceError'
    this.path = path
  }
}

/**
 * Returns the child process to start for an agent. Undefined when the agent should run in this process. Throws what
 * can be known to be wrong at once.
 */
export function planAgentProcess(options: Options, caller: HostProcessDefaults): AgentSpawnPlan | undefined {
  const named = namedExecutable(options, caller)
  if (named === undefined && !wantsProcess(options)) return undefined
  const path = named === undefined ? ownCliPath() : onPath(named, options.env?.['PATH'] ?? caller.env.PATH)
  if (!options.spawnClaudeCodeProcess && !existsSync(path)) throw new ExecutableNotFoundError(path)
  const own = isOwnCli(path)
  const script = own || /\.(?:js|mjs|ts|tsx|jsx)$/.test(path)
  // Agents named by path get the bare word, as spawn functions expect it; our own needs no look at the PATH.
  const runtime =
    options.executable ?? (named === undefined && !options.spawnClaudeCodeProcess ? process.execPath : runtimeName())
  const before = script ? [...(options.executableArgs ?? []), path] : []
  return {
    command: script ? runtime : path,
    args: [...before, ...toArgv(options)],
    flagsAt: before.length,
    cwd: caller.cwd,
    env: agentProcessEnvironment(options, caller, own),
    options,
    own,
  }
}

function namedExecutable(options: Options, { env }: HostProcessDefaults): string | undefined {
  return options.pathToClaudeCodeExecutable ?? (env.CLAUDE_CODE_EXECUTABLE || undefined)
}

function wantsProcess(options: Options): boolean {
  return (
    options.isolation === 'process' ||
    options.executable !== undefined ||
    options.executableArgs !== undefined ||
    options.spawnClaudeCodeProcess !== undefined
  )
}

/** Which agent a query would start: one in this process, our own program, or another one. */
export function agentProgram(options: Options, caller: HostProcessDefaults): 'none' | 'own' | 'other' {
  const named = namedExecutable(options, caller)
  if (named === undefined) return wantsProcess(options) ? 'own' : 'none'
  return isOwnCli(onPath(named, options.env?.['PATH'] ?? caller.env.PATH)) ? 'own' : 'other'
}

/** Looks a bare word up on the PATH, unless a file of that name exists here. Returns the word itself if nothing is found. */
function onPath(named: string, path = ''): string {
  if (/[\\/]/.test(named) || existsSync(named)) return named
  const places = path.split(delimiter).map((folder) => join(folder, named))
  return places.find((place) => statSync(place, { throwIfNoEntry: false })?.isFile()) ?? named
}

/** What starts children is loaded by this: a library user without child processes never pays for it. */
export async function startAgentProcess(plan: AgentSpawnPlan): Promise<AgentConnection> {
  const { command, args, cwd, env, options, own } = plan
  const stop = new AbortController()
  const request: SpawnOptions = { command, args, cwd, env, signal: stop.signal }
  try {
    const child = options.spawnClaudeCodeProcess
      ? options.spawnClaudeCodeProcess(request)
      : await spawnWatched(
          { ...request, args: own ? await shortened(args, plan.flagsAt) : args },
          own && !options.executable,
        )
    const connection = connectChild(child, options.stderr)
    return {
      ...connection,
      ended: connection.ended.then((exit) => {
        if (exit.error) return { ...exit, error: spawnError(exit.error, plan) }
        return isNoProgram(exit, plan) ? { ...exit, error: spawnError(new Error(exit.stderr.trim()), plan) } : exit
      }),
      kill(signal) {
        stop.abort()
        connection.kill(signal)
      },
      pid: 'pid' in child && typeof child.pid === 'number' ? child.pid : undefined,
      own,
      kind: 'process',
    }
  } catch (error) {
    throw spawnError(error, plan)
  }
}

/** Nothing of an agent outlives us, nor an agent that was killed: not even of programs that do not see to it themselves. */
async function spawnWatched({ command, args, cwd, env }: SpawnOptions, privately: boolean): Promise<AgentProcess> {
  const [{ spawn }, { createWatchdog }, { spawnPrivately }] = await Promise.all([
    import('node:child_process'),
    import('../platform/processes/watchdog.js'),
    import('../platform/processes/private-environment.js'),
  ])
  const mark = globalThis.crypto.randomUUID().replaceAll('-', '').slice(0, 16)
  const options = { cwd, env: environmentWithProcessMarks(env, [mark]), windowsHide: true } as const
  const start = privately ? spawnPrivately(spawn) : spawn
  const child = start(command, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] })
  const { pid } = child
  if (pid === undefined) return child
  const watchdog = createWatchdog({ mark, whom: { kind: 'alone' }, graceSeconds: ORPHAN_GRACE_SECONDS })
  // While the agent gets ready. If we are killed before that, it sees the end of its input.
  watchdog.begin(spawn, env['PATH'])
  watchdog.guard(pid)
  // One that ended badly may not have seen to its children.
  child.once('exit', (code) => (code === 0 ? watchdog.dismiss() : watchdog.letGo()))
  return child
}

/** Windows takes 32,767 characters in all, Linux 131,072 in one argument. */
const LONGEST_COMMAND_LINE = 30_000

/** What is too long for a command line goes into a file that our agent reads and removes. */
async function shortened(args: string[], flagsAt: number): Promise<string[]> {
  if (args.reduce((sum, argument) => sum + argument.length + 3, 0) <= LONGEST_COMMAND_LINE) return args
  const { processNameSuffix, removeOrphanedFiles } = await import('../platform/processes/temporary-names.js')
  await removeOrphanedFiles(tmpdir())
  const folder = mkdtempSync(join(tmpdir(), `kedge-args-${processNameSuffix()}`))
  const file = join(folder, 'args.json')
  writeFileSync(file, JSON.stringify(args.slice(flagsAt)), { mode: 0o600 })
  return [...args.slice(0, flagsAt), '--args-file', file]
}

/** The system hands what isn't a program to a shell, which can't read it either. Its words name the file. */
function isNoProgram({ code, stderr }: ChildExit, { command }: AgentSpawnPlan): boolean {
  return (
    (code === 126 || code === 127 || code === 2) &&
    stderr.includes(command) &&
    /not found|cannot execute|syntax error|exec format/i.test(stderr)
  )
}

function spawnError(error: unknown, { cwd, command }: AgentSpawnPlan): KedgeError {
  const said = messageOf(error)
  const isThere = /ENOENT/.test(said) && existsSync(command)
  // The kernel says so of a file whose interpreter or loader is missing.
  const text = isThere
    ? `${said}: the file is there, but not what it needs to run (its interpreter, or another libc)`
    : said
  const message = `Failed to spawn Claude Code process: ${text}`
  if (!existsSync(cwd))
    return new KedgeError('invalid_cwd', `${message} (the working directory ${cwd} does not exist)`, { cause: error })
  return new KedgeError('spawn_failed', message, { cause: error })
}

/** Returns the environment of the agent's process: as an agent program finds it. */
export function agentProcessEnvironment(
  options: Options,
  { env }: HostProcessDefaults,
  own: boolean,
): AgentSpawnPlan['env'] {
  const child: AgentSpawnPlan['env'] = { ...env }
  if (!options.env) child.CLAUDE_AGENT_SDK_VERSION = COMPATIBLE_SDK_VERSION
  child.CLAUDE_CODE_ENTRYPOINT ||= 'sdk-ts'
  if (options.enableFileCheckpointing) child.CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING = 'true'
  // As observed: these of the caller's are not meant for the agent.
  delete child.NODE_OPTIONS
  delete child.DEBUG
  delete child.VSCODE_INSPECTOR_OPTIONS
  // Agents that know it tell when they are idle: only then is their input closed.
  child.CLAUDE_CODE_SDK_READS_SESSION_STATE = '1'
  if (!own) return child
  if (child.NODE_EXTRA_CA_CERTS) {
    // Node 20 parses this bundle at start (80 ms); our agent reads it when it first opens a TLS connection.
    child.KEDGE_EXTRA_CA_CERTS = child.NODE_EXTRA_CA_CERTS
    delete child.NODE_EXTRA_CA_CERTS
  }
  return child
}

function runtimeName(): 'node' | 'bun' | 'deno' {
  if ('bun' in process.versions) return 'bun'
  return 'deno' in process.versions ? 'deno' : 'node'
}

/** Our own command lies beside the library; from the sources, in the build. */
export function ownCliPath(name: 'kedge.cjs' | 'cli.js' = 'kedge.cjs'): string {
  // Not `new URL(…, import.meta.url)`, for which bundlers put another file in the place of ours.
  const here = dirname(fileURLToPath(import.meta.url))
  const places = ['.', '..', '../../dist', '../../../dist'].map((folder) => join(here, folder, name))
  const found = places.find((path) => existsSync(path))
  if (!found) throw new ExecutableNotFoundError(join(here, name))
  return found
}

function isOwnCli(path: string): boolean {
  try {
    const real = realpathSync(path)
    return real === realpathSync(ownCliPath()) || real === realpathSync(ownCliPath('cli.js'))
  } catch {
    return false
  }
}
