/** What Glob and Grep ask for and get, whoever does the searching: ripgrep, or our own engine where there is none. */

export type FileQuery = {
  /** Folder to look in; absolute. */
  root: string
  /** Matched against paths below `root`. */
  pattern: string
  /** Also what a text search leaves out: files that version control ignores, and its own. */
  ignored?: boolean
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

/** `complete` is false when there was more than can be held; what is there then is the beginning. */
type Found = { ok: true; complete: boolean; unread: UnreadFiles }

/** What could not be read, each as `<path>: <reason>`: the first few, and how many there are in all. */
export type UnreadFiles = { shown: string[]; total: number }

/** Absolute paths, newest change first. */
export type FoundFiles = Found & { paths: string[] }

/** By path; where only the files were asked for, the newest first. */
export type FoundText = Found & { files: FileMatches[] }

export type FileMatches = {
  path: string
  /** In count mode: matching lines, or matches where the pattern spans several. */
  count: number
  /**
   * In content mode: matching lines as `<number>:<text>`, others as `<number>-<text>`, `--` between lines that do not follow
   * each other, at the end perhaps a remark about binary data. No line break after the last.
   */
  block: string
  /** In files_with_matches mode: when it was changed. */
  time: number
}

export type SearchFailure = { ok: false; error: string }

export interface SearchEngine {
  files(query: FileQuery, signal: AbortSignal): Promise<FoundFiles | SearchFailure>
  text(query: TextQuery, signal: AbortSignal): Promise<FoundText | SearchFailure>
}

export const SEARCH_INTERRUPTED_FAILURE: SearchFailure = {
  ok: false,
  error: '[Request interrupted by user for tool use]',
}

/** Longer lines are not shown: they are rarely text. Bytes. */
export const MAX_SHOWN_LINE_BYTES = 500

/** Held of one search, whatever there is; more no reader can use. Bytes or characters. */
export const MAX_SEARCH_RESULT_SIZE = 8 * 1024 * 1024

/** Folders of version control, searched only where nothing else fits. */
export const VERSION_CONTROL_FOLDERS = ['.git', '.svn', '.hg', '.bzr', '.jj', '.sl']

export const SEARCH_TIMEOUT_MS = 60_000
export const SEARCH_TOO_SLOW_FAILURE: SearchFailure = {
  ok: false,
  error: `The search took longer than ${SEARCH_TIMEOUT_MS / 1000} seconds. Narrow it with a path, a glob or a more specific pattern.`,
}

const MAX_UNREAD_SHOWN = 5

export function toUnreadFilesSummary(all: readonly string[]): UnreadFiles {
  return { shown: all.slice(0, MAX_UNREAD_SHOWN), total: all.length }
}

export function comparePaths(a: { path: string }, b: { path: string }): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0
}

/** What changed at the same time is sorted by path. */
export function compareNewest(a: { path: string; time: number }, b: { path: string; time: number }): number {
  return b.time - a.time || comparePaths(a, b)
}
