/** For tests of the permission engine: an engine in a small world, with folders and links in memory. */
import type { PermissionDecision, PermissionFacts, ToolCall } from '../engine/ports.js'
import { dirname, join } from '../platform/paths.js'
import type { LinkReader } from './paths.js'
import { createPermissions, type PermissionOptions, type Permissions } from './permissions.js'

/** `links` maps a path to its target; only `existing` paths, their parents and the links themselves are there. */
export function fakeLinks(existing: readonly string[], links: Readonly<Record<string, string>> = {}): LinkReader {
  const present = new Set<string>(['/'])
  for (const path of [...existing, ...Object.keys(links)]) {
    for (let at = path; at !== '/'; at = dirname(at)) present.add(at)
  }
  const follow = (path: string, hops = 0): string => {
    if (hops > 40) throw failure('ELOOP', path)
    let real = '/'
    for (const name of path.split('/').filter((segment) => segment !== '')) {
      const next = join(real, name)
      const target = links[next]
      if (target !== undefined) real = follow(target.startsWith('/') ? target : join(real, target), hops + 1)
      else if (present.has(next)) real = next
      else throw failure('ENOENT', path)
    }
    return real
  }
  return {
    realpath: async (path) => follow(path),
    lstat: async (path) => {
      let at: string
      try {
        at = path === '/' ? '/' : join(follow(dirname(path)), path.slice(path.lastIndexOf('/') + 1))
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
        throw error
      }
      if (!present.has(at)) return undefined
      return {
        kind: links[at] === undefined ? 'directory' : 'symlink',
        size: 0,
        mtimeMs: 0,
        links: 1,
        mode: 0o755,
        dev: 1,
        ino: 1,
        uid: 0,
      }
    },
  }
}

function failure(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code })
}

/** An engine for `/repo` with home `/home/u`; files that exist are named in `present`, links in `links`. */
export function engine(
  options: Partial<PermissionOptions> & { present?: readonly string[]; links?: Record<string, string> } = {},
): Permissions {
  const { present = [], links = {}, ...rest } = options
  return createPermissions({
    files: fakeLinks(['/repo/src', '/home/u', '/tmp', '/etc', ...present], links),
    cwd: '/repo',
    home: '/home/u',
    mode: 'default',
    allowBypass: true,
    ...rest,
  })
}

export function bashCall(command: string, cwd = '/repo'): [ToolCall, PermissionFacts] {
  return [
    { id: 'toolu_1', name: 'Bash', input: { command } },
    { kind: 'command', command, cwd },
  ]
}

export async function bash(permissions: Permissions, command: string): Promise<PermissionDecision['behavior']> {
  return (await permissions.decide(...bashCall(command))).behavior
}

/** What every command of a list gets, so that one assertion shows all that differ. */
export async function bashAll(permissions: Permissions, commands: readonly string[]): Promise<Record<string, string>> {
  const answers: Record<string, string> = {}
  for (const command of commands) answers[command] = await bash(permissions, command)
  return answers
}

/** The same list with one answer for all. */
export function each(commands: readonly string[], answer: PermissionDecision['behavior']): Record<string, string> {
  return Object.fromEntries(commands.map((command) => [command, answer]))
}
