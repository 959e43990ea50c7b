/** Where a search begins. The same answer for permission facts and for the search itself. */
import { dirname, isAbsolute, join, resolve } from '../../platform/paths.js'
import type { ToolContext } from '../tool.js'

/** Absolute, `~` resolved; relative paths begin where the shell stands. */
export function searchPath(path: string | undefined, context: ToolContext): string {
  const { shellCwd } = context.session
  if (!path) return shellCwd
  const home = context.env['HOME']
  if (home && isAbsolute(home) && (path === '~' || path.startsWith('~/'))) return join(home, path.slice(1))
  return resolve(shellCwd, path)
}

/**
 * Takes the part of a pattern that names a place outside its root (absolute, or up with `..`) into the root, so that
 * permission is asked for the folder that is really looked into.
 */
export function splitPattern(root: string, pattern: string, context: ToolContext): { root: string; pattern: string } {
  if (!/^(?:\/|~\/|(?:\.\.?(?:\/|$)))/.test(pattern)) return { root, pattern }
  const wild = pattern.search(/[*?[{\\]/)
  if (wild === -1) {
    const path = pattern.startsWith('.') ? resolve(root, pattern) : searchPath(pattern, context)
    return { root: dirname(path), pattern: `/${path.slice(dirname(path).length).replace(/^\//, '')}` }
  }
  const end = pattern.lastIndexOf('/', wild)
  const place = end === 0 ? '/' : pattern.slice(0, Math.max(end, 0))
  const rest = pattern.slice(end + 1)
  return { root: place.startsWith('.') ? resolve(root, place) : searchPath(place, context), pattern: rest }
}

/** No system call takes it. */
export function refuseNul(...texts: (string | undefined)[]): string | undefined {
  return texts.some((text) => text?.includes('\0')) ? 'The input contains a NUL character.' : undefined
}

export function missingPath(what: 'Directory' | 'Path', path: string, context: ToolContext): string {
  return `${what} does not exist: ${path}. Note: your current working directory is ${context.session.shellCwd}.`
}
