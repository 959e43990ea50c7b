/** Where a search begins. The same answer for permission facts and for the search itself. */
import type { FileKind } from '../../platform/files/files.js'
import { basename, dirname, isAbsolute, isInside, join, relative, resolve } from '../../platform/paths.js'
import { messageOf } from '../../protocol/thrown.js'
import type { ToolContext } from '../tool.js'

/** Absolute, `~` resolved; relative paths begin where the shell stands. */
export function resolveSearchPath(path: string | undefined, context: ToolContext): string {
  const { shellCwd } = context.session
  if (!path) return shellCwd
  const home = context.env['HOME']
  if (home && isAbsolute(home) && (path === '~' || path.startsWith('~/'))) return join(home, path.slice(1))
  return resolve(shellCwd, path)
}

/**
 * Takes the part of a pattern that names a place of its own (absolute, or with `.` or `..` in front) into the root, so that
 * permission is asked for the folder that is really looked into.
 */
export function splitRootFromPattern(
  root: string,
  pattern: string,
  context: ToolContext,
): { root: string; pattern: string } {
  if (!/^(?:\/|~\/|(?:\.\.?(?:\/|$)))/.test(pattern)) return { root, pattern }
  const isRelative = pattern.startsWith('.')
  const toPlace = (path: string) => (isRelative ? resolve(root, path) : resolveSearchPath(path, context))
  const wild = pattern.search(/[*?[{\\]/)
  if (wild === -1) {
    const path = toPlace(pattern)
    return { root: dirname(path), pattern: `/${escapeGlob(basename(path))}` }
  }
  const end = pattern.lastIndexOf('/', wild)
  const place = end === 0 ? '/' : pattern.slice(0, Math.max(end, 0))
  const rest = pattern.slice(end + 1)
  // `./*` means here and not below. Absolute patterns are read like those without a slash: any depth.
  return { root: toPlace(place), pattern: isRelative ? `/${rest}` : rest.replace(/^[!#]/, '\\$&') }
}

/** What is left of a name without wildcards. */
function escapeGlob(name: string): string {
  return name.replace(/[}]|\s$/g, '\\$&')
}

/** How results name a file: from the working directory on, or in full where it is elsewhere. */
export function pathRelativeToShell(path: string, { session }: ToolContext): string {
  return isInside(path, session.shellCwd) ? relative(session.shellCwd, path) : path
}

/** No system call takes it. */
export function findNulByteProblem(...texts: (string | undefined)[]): string | undefined {
  return texts.some((text) => text?.includes('\0')) ? 'The input contains a NUL character.' : undefined
}

/** What is there; a reason when nobody can tell: a name that is too long, a folder above that may not be entered. */
export async function inspectPath(
  path: string,
  { platform }: ToolContext,
): Promise<FileKind | 'nothing' | { error: string }> {
  try {
    return (await platform.files.stat(path))?.kind ?? 'nothing'
  } catch (error) {
    return { error: messageOf(error) }
  }
}

export async function missingPathText(what: 'Directory' | 'Path', path: string, context: ToolContext): Promise<string> {
  const { suggestFileText, suggestFolderText } = await import('../files/similar-files.js')
  const place = resolveSearchPath(path, context)
  const folder = await suggestFolderText(place, context).catch(() => '')
  const isMeant = what === 'Directory' || folder.includes('?')
  const hint = isMeant ? folder : await suggestFileText(place, context).catch(() => '')
  const where = context.session.shellCwd
  return `${what} does not exist: ${path}. Note: your current working directory is ${where}.${hint && ` ${hint}`}`
}
