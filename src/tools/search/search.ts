/** What Glob and Grep ask for and get, whoever does the searching: ripgrep, or our own walker where there is none. */

export type FileQuery = {
  /** Folder to look in; absolute. */
  root: string
  /** Matched against paths below `root`. */
  pattern: string
}

export type TextQuery = {
  /** File or folder to look in; absolute. */
  root: string
  /** Where globs with a slash begin; absolute. */
  base: string
  pattern: string
  globs: readonly string[]
  type?: string
  ignoreCase: boolean
  multiline: boolean
  /** Lines of context around matches. */
  before: number
  after: number
  mode: 'content' | 'files_with_matches' | 'count'
}

/** Absolute paths, oldest change first. */
export type FoundFiles = { ok: true; paths: string[] }

export type FileMatches = {
  path: string
  /** Matching lines, or matches in multiline mode. */
  count: number
  /** In content mode; 'gap' stands between lines that do not follow each other. */
  lines: (MatchLine | 'gap')[]
}
export type MatchLine = { number: number; text: string; isMatch: boolean }

/** Files by path. `complete` is false when there was more than can be held. */
export type FoundText = { ok: true; files: FileMatches[]; complete: boolean }

export type SearchFailure = { ok: false; error: string }

export interface SearchEngine {
  files(query: FileQuery, signal: AbortSignal): Promise<FoundFiles | SearchFailure>
  text(query: TextQuery, signal: AbortSignal): Promise<FoundText | SearchFailure>
}

export const INTERRUPTED: SearchFailure = { ok: false, error: '[Request interrupted by user for tool use]' }

/** Longer lines are not shown: they are rarely text. Bytes. */
export const MAX_LINE_BYTES = 500
export const LONG_MATCH = '[Omitted long matching line]'
export const LONG_CONTEXT = '[Omitted long context line]'

/** Folders of version control, never searched for text. */
export const PRIVATE_FOLDERS = ['.git', '.svn', '.hg', '.bzr', '.jj', '.sl']

export const SEARCH_TIMEOUT_MS = 60_000
export const TOO_SLOW: SearchFailure = {
  ok: false,
  error: `The search took longer than ${SEARCH_TIMEOUT_MS / 1000} seconds. Narrow it with a path, a glob or a more specific pattern.`,
}

export function byPath(a: { path: string }, b: { path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0
}
