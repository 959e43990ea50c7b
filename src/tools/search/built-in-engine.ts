/** Searching without ripgrep: the same answers from a walker and our own regular expressions, more slowly. */
import type { Platform } from '../../platform/platform.js'
import { fileTypeGlobs } from './file-types.js'
import { createLineSearch, type LineSearch, splitLines } from './line-search.js'
import {
  byPath,
  type FileMatches,
  INTERRUPTED,
  LONG_CONTEXT,
  LONG_MATCH,
  MAX_LINE_BYTES,
  PRIVATE_FOLDERS,
  SEARCH_TIMEOUT_MS,
  type SearchEngine,
  type SearchFailure,
  type TextQuery,
  TOO_SLOW,
} from './search.js'
import { type WalkedFile, walk } from './walk.js'

/** Larger files are passed by: they would be read whole. */
const MAX_FILE_BYTES = 64 * 1024 * 1024
/** A NUL so early makes a file binary. */
const BINARY_PROBE_BYTES = 64 * 1024
/** Matching lines in all; more no reader can use. */
const MAX_LINES = 100_000

export function createBuiltInEngine(platform: Pick<Platform, 'files' | 'clock'>): SearchEngine {
  return {
    files: (query, signal) =>
      guarded(signal, async () => {
        const found: WalkedFile[] = []
        const options = { root: query.root, base: query.root, globs: [query.pattern], useIgnoreFiles: false }
        for await (const file of walk(options, platform.files, signal)) found.push(file)
        return { ok: true, paths: found.sort((a, b) => a.mtimeMs - b.mtimeMs).map(({ path }) => path) }
      }),
    text: (query, signal) => guarded(signal, () => searchText(query, platform, signal)),
  }
}

/** An abort ends the wait, whatever the search is doing; a broken glob or pattern is an answer. */
async function guarded<T>(signal: AbortSignal, search: () => Promise<T>): Promise<T | SearchFailure> {
  if (signal.aborted) return INTERRUPTED
  let onAbort: () => void = () => undefined
  const aborted = new Promise<SearchFailure>((resolve) => {
    onAbort = () => resolve(INTERRUPTED)
    signal.addEventListener('abort', onAbort, { once: true })
  })
  try {
    return await Promise.race([search(), aborted])
  } catch (error) {
    if (error instanceof SyntaxError) return { ok: false, error: error.message }
    throw error
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

async function searchText(query: TextQuery, platform: Pick<Platform, 'files' | 'clock'>, signal: AbortSignal) {
  const search = createLineSearch(query.pattern, query)
  const types = query.type === undefined ? undefined : fileTypeGlobs(query.type)
  if (query.type !== undefined && !types) throw new SyntaxError(`unrecognized file type: ${query.type}`)
  const isFile = (await platform.files.stat(query.root))?.kind === 'file'
  const globs = [...query.globs, ...PRIVATE_FOLDERS.map((folder) => `!${folder}`)]
  const options = { root: query.root, base: query.base, globs, types, useIgnoreFiles: true }
  const candidates = isFile ? [{ path: query.root, size: 0 }] : walk(options, platform.files, signal)
  const deadline = platform.clock.monotonic() + SEARCH_TIMEOUT_MS
  const files: FileMatches[] = []
  let lines = 0
  for await (const { path, size } of candidates) {
    if (platform.clock.monotonic() > deadline) return TOO_SLOW
    if (size > MAX_FILE_BYTES) continue
    const found = await searchFile(path, isFile, search, query, platform, signal)
    if (found === 'too slow') return tooSlowPattern(path)
    if (found) files.push(found)
    lines += found?.lines.length ?? 0
    if (lines > MAX_LINES) break
  }
  return { ok: true, files: files.sort(byPath), complete: lines <= MAX_LINES } as const
}

async function searchFile(
  path: string,
  wasNamed: boolean,
  search: LineSearch,
  query: TextQuery,
  platform: Pick<Platform, 'files'>,
  signal: AbortSignal,
): Promise<FileMatches | 'too slow' | undefined> {
  const bytes = await platform.files.read(path).catch(() => undefined)
  if (!bytes) return undefined
  const nul = bytes.indexOf(0)
  const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  const isBinary = nul !== -1 && !isWide
  if (isBinary && !wasNamed && nul < BINARY_PROBE_BYTES) return undefined
  const encoding = isWide ? (bytes[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8'
  const text = new TextDecoder(encoding).decode(isBinary && !wasNamed ? bytes.subarray(0, nul) : bytes)
  const found = await search(text, signal)
  if (found === 'too slow') return found
  if (found.count === 0) return undefined
  if (query.mode !== 'content') return { path, count: found.count, lines: [] }
  const remark = { number: 1, text: `binary file matches (found "\\0" byte around offset ${nul})`, isMatch: true }
  return { path, count: 0, lines: isBinary ? [remark] : withContext(splitLines(text), found.lines, query) }
}

function withContext(all: string[], matching: number[], { before, after }: TextQuery): FileMatches['lines'] {
  const isMatch = new Set(matching)
  const lines: FileMatches['lines'] = []
  let next = 0
  for (const match of matching) {
    const start = Math.max(next, match - before)
    if (start > next && lines.length > 0 && before + after > 0) lines.push('gap')
    const end = Math.min(all.length - 1, match + after)
    for (let i = start; i <= end; i += 1) {
      lines.push({ number: i + 1, text: shown(all[i] ?? '', isMatch.has(i)), isMatch: isMatch.has(i) })
    }
    next = Math.max(next, end + 1)
  }
  return lines
}

function shown(line: string, isMatch: boolean): string {
  // Cheap first: a character takes at most three bytes per UTF-16 unit.
  if (line.length * 3 <= MAX_LINE_BYTES || new TextEncoder().encode(line).length <= MAX_LINE_BYTES) return line
  return isMatch ? LONG_MATCH : LONG_CONTEXT
}

function tooSlowPattern(path: string): SearchFailure {
  return {
    ok: false,
    error: `The pattern takes too long on ${path}: it tries too many ways to match. Avoid nested repetitions such as (a+)+.`,
  }
}
