/**
 * Searches without ripgrep: the same answers, more slowly. JavaScript's regular expressions can't give them: ripgrep's dialect has other
 * classes and flags, works on bytes, and takes linear time for any pattern, and `engines.test.ts` compares both on random patterns.
 */

import { modificationTime, nextEventLoopRound, readSmallFile } from '../../platform/files/fast-file-lookups.js'
import { areLocalFiles } from '../../platform/files/files.js'
import { relative, sep } from '../../platform/paths.js'
import type { ToolPlatform } from '../../platform/platform.js'
import { raceWithAbort } from '../../platform/until-aborted.js'
import { searchBytes } from './file-search.js'
import { fileTypeGlobs } from './file-types.js'
import { parseIgnoreLine } from './glob-pattern.js'
import {
  compareNewest,
  comparePaths,
  type FileMatches,
  type FoundFiles,
  type FoundText,
  MAX_SEARCH_RESULT_SIZE,
  SEARCH_INTERRUPTED_FAILURE,
  SEARCH_TIMEOUT_MS,
  SEARCH_TOO_SLOW_FAILURE,
  type SearchEngine,
  type SearchFailure,
  type TextQuery,
  toUnreadFilesSummary,
  VERSION_CONTROL_FOLDERS,
} from './search-request.js'
import { createTextSearch, type SearchPause } from './text-search.js'
import { walkFiles } from './walk.js'

/** Larger files are passed by: they are read whole. */
const MAX_FILE_BYTES = 64 * 1024 * 1024
/** Larger ones are worth a way that lets others run meanwhile. */
const SMALL_FILE_BYTES = 256 * 1024
/** How long the search can block this process, in milliseconds. */
const SLICE_MS = 10

type Environment = Readonly<Record<string, string | undefined>>
type Ports = Pick<ToolPlatform, 'files' | 'clock'>

export function createBuiltInEngine(platform: Ports, env: Environment): SearchEngine {
  return {
    files: (query, signal) =>
      guarded(platform, signal, async (yieldToEventLoopIfDue): Promise<FoundFiles> => {
        const unread = createUnread()
        const { root, pattern, ignored = false } = query
        const glob = parseIgnoreLine(pattern)
        // As with ripgrep: a glob of the walk outranks what is ignored, so that `**` would bring it back.
        const isOurs = !ignored && glob !== undefined && !glob.negated
        const globs = [
          ...(isOurs ? [] : [pattern]),
          ...(ignored ? [] : VERSION_CONTROL_FOLDERS.map((folder) => `!${folder}`)),
        ]
        const options = { root, base: root, globs, yieldToEventLoopIfDue, onUnread: unread.add }
        const found: { path: string; time: number }[] = []
        for await (const path of walkFiles(ignored ? options : { ...options, ignoreFiles: { env } }, platform.files)) {
          if (isOurs && !glob.matches(relative(root, path).replaceAll(sep, '/'), false)) continue
          found.push({ path, time: await timeOf(path, platform) })
        }
        const paths = found.sort(compareNewest).map(({ path }) => path)
        return { ok: true, complete: true, paths, unread: toUnreadFilesSummary(unread.all) }
      }),
    text: (query, signal) =>
      guarded(platform, signal, (yieldToEventLoopIfDue) => searchText(query, platform, env, yieldToEventLoopIfDue)),
  }
}

/** Thrown through the search, to end it. */
class Ended {
  readonly why: SearchFailure
  constructor(why: SearchFailure) {
    this.why = why
  }
}

/** An abort ends the wait, whatever the search is doing; a broken glob or pattern is an answer. */
async function guarded<T>(
  { clock }: Ports,
  signal: AbortSignal,
  search: (yieldToEventLoopIfDue: SearchPause) => Promise<T>,
): Promise<T | SearchFailure> {
  const deadline = clock.monotonic() + SEARCH_TIMEOUT_MS
  let sliceEnd = clock.monotonic() + SLICE_MS
  const yieldToEventLoopIfDue = async () => {
    if (signal.aborted) throw new Ended(SEARCH_INTERRUPTED_FAILURE)
    const now = clock.monotonic()
    if (now < sliceEnd) return
    if (now > deadline) throw new Ended(SEARCH_TOO_SLOW_FAILURE)
    await nextEventLoopRound()
    sliceEnd = clock.monotonic() + SLICE_MS
  }
  try {
    await yieldToEventLoopIfDue()
    return await raceWithAbort(
      signal,
      () => SEARCH_INTERRUPTED_FAILURE,
      () => search(yieldToEventLoopIfDue),
    )
  } catch (error) {
    if (error instanceof Ended) return error.why
    if (error instanceof SyntaxError) return { ok: false, error: error.message }
    throw error
  }
}

/** The disk is asked on the spot, which takes a tenth of the time. */
async function timeOf(path: string, { files }: Ports): Promise<number> {
  if (areLocalFiles(files)) return modificationTime(path)
  return (await files.stat(path).catch(() => undefined))?.mtimeMs ?? 0
}

async function searchText(
  query: TextQuery,
  platform: Ports,
  env: Environment,
  yieldToEventLoopIfDue: SearchPause,
): Promise<FoundText> {
  const { files } = platform
  const matcher = createTextSearch(query.pattern, query, yieldToEventLoopIfDue)
  const types = query.type === undefined ? undefined : fileTypeGlobs(query.type)
  if (query.type !== undefined && !types) throw new SyntaxError(`unrecognized file type: ${query.type}`)
  // A file that was asked for by name is searched whatever the globs say, but broken ones are broken.
  for (const glob of query.globs) parseIgnoreLine(glob)
  const unread = createUnread()
  const wasNamed = (await files.stat(query.root))?.kind !== 'directory'
  const globs = [...query.globs, ...VERSION_CONTROL_FOLDERS.map((folder) => `!${folder}`)]
  const options = { ...query, globs, types, ignoreFiles: { env }, yieldToEventLoopIfDue, onUnread: unread.add }
  const found: FileMatches[] = []
  const isDisk = areLocalFiles(files)
  const isList = query.mode === 'files_with_matches'
  let held = 0
  let complete = true

  /** With the reason told, where it can't be read. */
  const readClosely = async (path: string): Promise<Uint8Array | undefined> => {
    try {
      // A link that was asked for by name is followed; where it leads was judged before.
      const { stat, content } = await files.snapshot(wasNamed ? await files.realpath(path) : path, MAX_FILE_BYTES)
      if (!content && stat.kind === 'file') unread.all.push(`${path}: larger than ${MAX_FILE_BYTES >> 20} MB`)
      return content
    } catch (error) {
      unread.add(path, error)
      return undefined
    }
  }

  for await (const path of wasNamed ? [query.root] : walkFiles(options, files)) {
    const content = (isDisk ? readSmallFile(path, SMALL_FILE_BYTES) : undefined) ?? (await readClosely(path))
    const matches = content && (await searchBytes(content, wasNamed, matcher, query))
    if (!matches) continue
    const block = cutLines(matches.block, MAX_SEARCH_RESULT_SIZE - held)
    complete = block.length === matches.block.length
    if (complete || block) found.push({ path, time: isList ? await timeOf(path, platform) : 0, ...matches, block })
    held += path.length + block.length
    complete &&= held <= MAX_SEARCH_RESULT_SIZE
    if (!complete) break
  }
  return {
    ok: true,
    complete,
    files: found.sort(isList ? compareNewest : comparePaths),
    unread: toUnreadFilesSummary(unread.all),
  }
}

/** Whole lines, of at most so many characters. */
function cutLines(block: string, length: number): string {
  return block.length <= length ? block : block.slice(0, Math.max(0, block.lastIndexOf('\n', length)))
}

function createUnread() {
  const all: string[] = []
  return {
    all,
    add(path: string, error: unknown) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
      // Gone since its folder was listed.
      if (code !== 'ENOENT') all.push(`${path}: ${REASONS[code] ?? code}`)
    },
  }
}

const REASONS: Record<string, string> = { EACCES: 'Permission denied', EPERM: 'Operation not permitted' }
