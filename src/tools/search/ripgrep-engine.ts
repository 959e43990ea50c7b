/** Searching with ripgrep: what it is asked, and what its ending means. No pattern or path is ever taken for an option. */
import { modificationTime } from '../../platform/files/fast-file-lookups.js'
import { relative, sep } from '../../platform/paths.js'
import type { ProcessRunner, ProcessRunResult } from '../../platform/processes/processes.js'
import type { ParsedGlob } from './glob-pattern.js'
import { createRipgrepPathReader, parseCounts, parseFileMatches, parseRipgrepErrors } from './ripgrep-output.js'
import {
  compareNewest,
  comparePaths,
  type FileMatches,
  type FileQuery,
  type FoundText,
  MAX_SEARCH_RESULT_SIZE,
  MAX_SHOWN_LINE_BYTES,
  SEARCH_INTERRUPTED_FAILURE,
  SEARCH_TIMEOUT_MS,
  SEARCH_TOO_SLOW_FAILURE,
  type SearchEngine,
  type SearchFailure,
  type TextQuery,
  toUnreadFilesSummary,
  type UnreadFiles,
  VERSION_CONTROL_FOLDERS,
} from './search-request.js'

/** All that ripgrep needs: where the user's own ignore file is. Secrets stay here. */
const VARIABLES = ['PATH', 'HOME', 'XDG_CONFIG_HOME', 'USERPROFILE', 'SystemRoot']

type Environment = Readonly<Record<string, string | undefined>>
type Answer = { ok: true; output: string; complete: boolean; unread: UnreadFiles }

/** Rejects when `program` can't be started, or ends in a way ripgrep does not. */
export function createRipgrepEngine(program: string, processes: ProcessRunner, env: Environment): SearchEngine {
  const ownEnvironment = Object.fromEntries(VARIABLES.map((name) => [name, env[name]]))
  const run = async (
    cwd: string,
    args: string[],
    signal: AbortSignal,
    onOutput?: (chunk: Uint8Array) => void,
  ): Promise<Answer | SearchFailure> => {
    const result = await processes.run({
      command: program,
      args: ['--no-config', '--no-ignore-messages', '--color=never', '--hidden', '--null', ...args],
      cwd,
      env: ownEnvironment,
      signal,
      timeoutMs: SEARCH_TIMEOUT_MS,
      maxBytes: MAX_SEARCH_RESULT_SIZE,
      overflow: 'stop',
      ...(onOutput && { onOutput }),
    })
    return judge(result)
  }

  return {
    async files(query, signal) {
      const { root, pattern, ignored = false } = query
      const glob = await readGlob(pattern)
      // To ripgrep a glob outranks what is ignored, so that `**` would bring it back: names are compared here.
      const isOurs = !ignored && glob !== undefined && !glob.negated
      const found: { path: string; time: number }[] = []
      const reader = createRipgrepPathReader((path) => {
        if (isOurs && !glob.matches(relative(root, path).replaceAll(sep, '/'), false)) return
        found.push({ path, time: modificationTime(path) })
      })
      const answer = await run(root, fileArguments(query, isOurs), signal, reader)
      if (!answer.ok) return answer
      const { output: _, ...rest } = answer
      return { ...rest, paths: found.sort(compareNewest).map(({ path }) => path) }
    },
    async text(query, signal) {
      const args = textArguments(query)
      const found = await search(query, args, signal)
      if (!found.ok || found.complete) return found
      // Threads answer in any order. What is kept of too much is the beginning, so it has to be in order, which takes one thread.
      return search(query, [query.mode === 'files_with_matches' ? '--sortr=modified' : '--sort=path', ...args], signal)
    },
  }

  async function search(query: TextQuery, args: string[], signal: AbortSignal): Promise<FoundText | SearchFailure> {
    const listed: FileMatches[] = []
    // Looked at while ripgrep still searches.
    const reader = createRipgrepPathReader((path) =>
      listed.push({ path, count: 0, block: '', time: modificationTime(path) }),
    )
    const isList = query.mode === 'files_with_matches'
    const answer = await run(query.base, args, signal, isList ? reader : undefined)
    if (!answer.ok) return answer
    const { output, ...rest } = answer
    if (isList) return { ...rest, files: listed.sort(compareNewest) }
    return {
      ...rest,
      files: (query.mode === 'count' ? parseCounts(output) : parseFileMatches(output)).sort(comparePaths),
    }
  }
}

function judge(result: ProcessRunResult): Answer | SearchFailure {
  if (result.aborted) return SEARCH_INTERRUPTED_FAILURE
  if (result.timedOut) return SEARCH_TOO_SLOW_FAILURE
  const complete = result.droppedBytes === 0
  const { exitCode, stdout } = result
  // 0: found, 1: nothing found, 2: errors, perhaps on the way.
  if (complete && exitCode !== 0 && exitCode !== 1 && exitCode !== 2) {
    throw new Error(`ripgrep ended with ${exitCode ?? result.signal}`)
  }
  const { unread, error } = parseRipgrepErrors(result.stderr)
  if (exitCode === 2 && error && !stdout) return { ok: false, error }
  return { ok: true, output: stdout, complete, unread: toUnreadFilesSummary(unread) }
}

/**
 * Reads a glob; undefined if it is broken: ripgrep reports the problem. Loaded at first use, so startup doesn't pay for
 * it.
 */
async function readGlob(pattern: string): Promise<ParsedGlob | undefined> {
  const { parseIgnoreLine } = await import('./glob-pattern.js')
  try {
    return parseIgnoreLine(pattern)
  } catch {
    return undefined
  }
}

function fileArguments({ root, pattern, ignored }: FileQuery, isOurs: boolean): string[] {
  return [
    '--files',
    ...(ignored ? ['--no-ignore'] : []),
    ...(isOurs ? [] : [`--glob=${pattern}`]),
    ...(ignored ? [] : VERSION_CONTROL_FOLDERS.map((folder) => `--glob=!${folder}`)),
    ...['--', root],
  ]
}

function textArguments(query: TextQuery): string[] {
  const mode = {
    content: [
      ...['--heading', '--with-filename', '--line-number', `--max-columns=${MAX_SHOWN_LINE_BYTES}`],
      ...[`--before-context=${query.before}`, `--after-context=${query.after}`],
    ],
    files_with_matches: ['--files-with-matches'],
    count: ['--count', '--with-filename'],
  }[query.mode]
  return [
    ...mode,
    ...(query.ignoreCase ? ['--ignore-case'] : []),
    ...(query.multiline ? ['--multiline', '--multiline-dotall'] : []),
    ...(query.type ? [`--type=${query.type}`] : []),
    ...query.globs.map((glob) => `--glob=${glob}`),
    // Last, so that no other glob brings them back.
    ...VERSION_CONTROL_FOLDERS.map((folder) => `--glob=!${folder}`),
    `--regexp=${query.pattern}`,
    '--',
    query.root,
  ]
}
