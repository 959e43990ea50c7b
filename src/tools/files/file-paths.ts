/** How file tools name files: one way to read a path, and one memory of where it led when permission was asked. */
import type { PermissionFacts } from '../../engine/ports.js'
import { systemErrorCode } from '../../platform/files/file-stat.js'
import { dirname, isAbsolute, join, resolve } from '../../platform/paths.js'
import type { ToolContext } from '../tool.js'

export const LINK_CHANGED_TEXT =
  'The path leads to another file than when permission was asked: a link on the way has changed. Try again.'

/**
 * Absolute, `~` resolved; relative paths begin where the shell stands. The same answer for permission facts and for the work
 * itself.
 */
export function toolPath(path: string, context: ToolContext): string {
  const home = context.env['HOME']
  if (home && isAbsolute(home) && (path === '~' || path.startsWith('~/'))) return join(home, path.slice(1))
  return resolve(context.session.shellCwd, path)
}

/** The path as everybody reads it: whoever approves a relative one does not know where the shell has gone. */
export function unambiguousPath(path: string, context: ToolContext): string {
  const isClear = isAbsolute(path) || path.startsWith('~') || context.session.shellCwd === context.cwd
  return isClear || whyPathIsRefused(path) !== undefined ? path : resolve(context.session.shellCwd, path)
}

/** No system call takes such a path; refused before anybody is asked about it. */
export function whyPathIsRefused(path: string): string | undefined {
  if (path.length > LONGEST_PATH) return `The path is longer than any system takes (${LONGEST_PATH} characters).`
  return path.includes('\0') ? 'The path contains a NUL character.' : undefined
}

const LONGEST_PATH = 8192

/** Where the path leads, links followed; what does not exist yet is named below the part that does. */
export async function resolveDestination(path: string, context: ToolContext): Promise<string> {
  const { files } = context.platform
  try {
    return await files.realpath(path)
  } catch (error) {
    const missing = ['ENOENT', 'ENOTDIR'].includes(systemErrorCode(error) ?? '')
    if (!missing || dirname(path) === path) throw error
  }
  const there = await lastThere(foldersOf(path), async (folder) => (await files.stat(folder)) !== undefined)
  return join(await files.realpath(there), path.slice(there.length))
}

/** Those that hold it, the outermost first. */
function foldersOf(path: string): string[] {
  const folders: string[] = []
  for (let at = dirname(path); at !== folders.at(-1); at = dirname(at)) folders.push(at)
  return folders.reverse()
}

/** Below one that is missing all are missing, so a path of a thousand folders takes ten looks. The first is always there. */
async function lastThere(folders: readonly string[], isThere: (folder: string) => Promise<boolean>): Promise<string> {
  let [low, high] = [0, folders.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (await isThere(folders[middle] ?? '')) low = middle
    else high = middle
  }
  return folders[low] ?? ''
}

/** Keeps where the path of this call leads. Whoever swaps a link after permission was given gains nothing by it. */
export async function noteDestination(input: object, path: string, context: ToolContext): Promise<void> {
  // What can't be followed is reported by the work itself. If it can be by then, nobody has judged where it leads.
  context.session.destinations.set(input, await resolveDestination(path, context).catch(() => NOWHERE))
}

/** No path is like that. */
const NOWHERE = ''

/** The file by its name, and where that led: both have to be allowed, however often links change meanwhile. */
export function createEditFacts(input: object, path: string, context: ToolContext): PermissionFacts {
  const absolute = toolPath(path, context)
  const resolvedPath = notedDestination(input, context)
  return {
    kind: 'edit',
    path: absolute,
    ...(!resolvedPath || resolvedPath === absolute ? {} : { resolvedPath }),
  }
}

/** A path that is to be read, and where it led: both have to be allowed. */
export function createReadFacts(input: object, path: string, context: ToolContext): PermissionFacts {
  const resolvedPath = notedDestination(input, context)
  return { kind: 'read', paths: !resolvedPath || resolvedPath === path ? [path] : [path, resolvedPath] }
}

/** For those who can't hold what they read, and look before and after. */
export async function hasDestinationChanged(input: object, path: string, context: ToolContext): Promise<boolean> {
  const noted = notedDestination(input, context)
  return noted !== undefined && (await resolveDestination(path, context).catch(() => NOWHERE)) !== noted
}

/** Empty where it led nowhere that could be found. */
export function notedDestination(input: object, context: ToolContext): string | undefined {
  return context.session.destinations.get(input)
}
