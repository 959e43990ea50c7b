/** For tests of the permission engine: an engine over a few folders and links in memory. */
import type { EngineCall, PermissionDecision, PermissionFacts } from '../engine/ports.js'
import { dirname } from '../platform/posix-paths.js'
import type { PathFinderFiles } from './path-finder.js'
import { createPermissions, type PermissionOptions, type Permissions } from './permission-engine.js'

/** `links` maps a path to its target; only `existing` paths, their parents and the links themselves are there. */
export function createFakePathFiles(
  existing: readonly string[],
  links: Readonly<Record<string, string>> = {},
): PathFinderFiles {
  const present = new Set<string>(['/'])
  for (const path of [...existing, ...Object.keys(links)]) {
    for (let at = path; at !== '/'; at = dirname(at)) present.add(at)
  }
  return {
    lstat: async (path) => (present.has(path) ? { ...FOLDER, kind: links[path] ? 'symlink' : 'directory' } : undefined),
    readLink: async (path) => links[path] ?? path,
    entries: async (path, limit = Number.POSITIVE_INFINITY) =>
      [...present]
        .filter((entry) => entry !== '/' && dirname(entry) === path)
        .slice(0, limit)
        .map((entry) => ({
          name: entry.slice(entry.lastIndexOf('/') + 1),
          kind: links[entry] ? 'symlink' : 'directory',
        })),
  }
}

const FOLDER = { size: 0, mtimeMs: 0, links: 1, mode: 0o755, dev: 1, ino: 1, uid: 0 }

/** An engine for `/repo` with home `/home/u`; files that exist are named in `present`, links in `links`. */
export function createTestPermissions(
  options: Partial<PermissionOptions> & { present?: readonly string[]; links?: Record<string, string> } = {},
): Permissions {
  const { present = [], links = {}, ...rest } = options
  return createPermissions({
    files: createFakePathFiles(['/repo/src', '/home/u', '/tmp', '/etc', ...present], links),
    cwd: '/repo',
    home: '/home/u',
    mode: 'default',
    allowBypass: true,
    ...rest,
  })
}

export function bashCall(command: string, cwd = '/repo'): [EngineCall, PermissionFacts] {
  return [
    { id: 'toolu_1', name: 'Bash', input: { command } },
    { kind: 'command', command, cwd },
  ]
}

export async function decisionOnBash(
  permissions: Permissions,
  command: string,
): Promise<PermissionDecision['behavior']> {
  return (await permissions.decide(...bashCall(command))).behavior
}

/** What every command of a list gets, so that one assertion shows all that differ. */
export async function decisionsOnBash(
  permissions: Permissions,
  commands: readonly string[],
): Promise<Record<string, string>> {
  const answers: Record<string, string> = {}
  for (const command of commands) answers[command] = await decisionOnBash(permissions, command)
  return answers
}

/** The same list with one answer for all. */
export function sameDecisionForEach(
  commands: readonly string[],
  answer: PermissionDecision['behavior'],
): Record<string, string> {
  return Object.fromEntries(commands.map((command) => [command, answer]))
}
