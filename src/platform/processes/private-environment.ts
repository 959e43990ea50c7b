/**
 * Keys for a child of our own without the block that the kernel shows as `/proc/<pid>/environ`: they go through a pipe that
 * only the child has, and are in its memory alone.
 */
import type { ChildProcessWithoutNullStreams, SpawnOptionsWithoutStdio, spawn } from 'node:child_process'
import type { Writable } from 'node:stream'

type Environment = Record<string, string | undefined>

/** Says which descriptor the child reads. */
const PRIVATE_FD_VARIABLE = 'KEDGE_PRIVATE_FD'
const PRIVATE_FD = 3

const SECRET = /key|token|secret|passw|credential|custom_headers|auth/i
/** Where things are, not what they are. */
const NO_SECRET = /^SSH_AUTH_SOCK$|^XAUTHORITY$|^GIT_AUTHOR_|KEY_HELPER_TTL/i

/** Undefined where there is nothing to keep. */
export function splitPrivateVariables(env: Environment): { shown: Environment; hidden: Environment } | undefined {
  const isHidden = ([name, value]: [string, string | undefined]) =>
    value !== undefined && SECRET.test(name) && !NO_SECRET.test(name)
  const entries = Object.entries(env)
  const hidden = Object.fromEntries(entries.filter(isHidden))
  if (Object.keys(hidden).length === 0) return undefined
  const shown = Object.fromEntries(entries.filter((entry) => !isHidden(entry)))
  return { shown: { ...shown, [PRIVATE_FD_VARIABLE]: String(PRIVATE_FD) }, hidden }
}

function sendPrivate(pipe: unknown, hidden: Environment): void {
  // The one we asked for as a pipe to write to; a child that is gone reads nothing.
  const stream = pipe as Writable
  stream.on('error', () => {})
  stream.end(JSON.stringify(hidden))
}

type Start = (
  command: string,
  args: readonly string[],
  options: SpawnOptionsWithoutStdio,
) => ChildProcessWithoutNullStreams

/**
 * Starts our own agent under the Node we run in ourselves. On Windows such a pipe can't be read before the loop runs, and
 * other runtimes have ways of their own: there it is started as ever.
 */
export function spawnPrivately(start: typeof spawn): Start {
  return (command, args, options) => {
    const isNode = !('bun' in process.versions || 'deno' in process.versions)
    const split = isNode && process.platform !== 'win32' ? splitPrivateVariables(options.env ?? {}) : undefined
    if (!split) return start(command, args, options)
    const child = start(command, args, { ...options, env: split.shown, stdio: ['pipe', 'pipe', 'pipe', 'pipe'] })
    sendPrivate(child.stdio[PRIVATE_FD], split.hidden)
    // Its first three are pipes, as they were asked for.
    return child as ChildProcessWithoutNullStreams
  }
}
