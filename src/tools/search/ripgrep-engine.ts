/** Searching with ripgrep. */
import type { ProcessRunner, RunResult } from '../../platform/processes.js'
import {
  byPath,
  type FileMatches,
  type FoundText,
  INTERRUPTED,
  MAX_LINE_BYTES,
  PRIVATE_FOLDERS,
  SEARCH_TIMEOUT_MS,
  type SearchEngine,
  type SearchFailure,
  type TextQuery,
  TOO_SLOW,
} from './search.js'

/** More than this no reader can use; the search is stopped. */
const MAX_OUTPUT_BYTES = 8 * 1024 * 1024

/** All that ripgrep needs: where the user's own ignore file is. Secrets stay here. */
const VARIABLES = ['PATH', 'HOME', 'XDG_CONFIG_HOME', 'USERPROFILE', 'SystemRoot']

type Environment = Readonly<Record<string, string | undefined>>

/** Rejects when `program` can't be started. */
export function createRipgrepEngine(program: string, processes: ProcessRunner, env: Environment): SearchEngine {
  const ownEnvironment = Object.fromEntries(VARIABLES.map((name) => [name, env[name]]))
  const run = async (cwd: string, args: string[], signal: AbortSignal): Promise<RunResult | SearchFailure> => {
    const result = await processes.run({
      command: program,
      // Unreadable files are no reason to fail; what is left on stderr is about the request itself.
      args: ['--no-config', '--no-messages', '--color=never', '--hidden', '--null', ...args],
      cwd,
      env: ownEnvironment,
      signal,
      timeoutMs: SEARCH_TIMEOUT_MS,
      maxBytes: MAX_OUTPUT_BYTES,
      overflow: 'stop',
    })
    if (result.aborted) return INTERRUPTED
    if (result.timedOut) return TOO_SLOW
    const complaint = result.stderr.replace(/^rg: /gm, '').trim()
    return complaint && !result.stdout ? { ok: false, error: complaint } : result
  }

  return {
    async files({ root, pattern }, signal) {
      // Everything, also what version control ignores: whoever asks by name wants to find it.
      const args = ['--files', '--no-ignore', '--sort=modified', `--glob=${pattern}`, '--', root]
      const result = await run(root, args, signal)
      return 'ok' in result ? result : { ok: true, paths: wholeRecords(result, '\0') }
    },
    async text(query, signal) {
      const result = await run(query.base, textArguments(query), signal)
      return 'ok' in result ? result : parse(result, query)
    },
  }
}

function textArguments(query: TextQuery): string[] {
  const mode = {
    content: ['--no-heading', '--with-filename', '--line-number', `--max-columns=${MAX_LINE_BYTES}`],
    files_with_matches: ['--files-with-matches'],
    count: ['--count', '--with-filename'],
  }[query.mode]
  return [
    ...mode,
    ...(query.mode === 'content' ? [`--before-context=${query.before}`, `--after-context=${query.after}`] : []),
    ...(query.ignoreCase ? ['--ignore-case'] : []),
    ...(query.multiline ? ['--multiline', '--multiline-dotall'] : []),
    ...(query.type ? [`--type=${query.type}`] : []),
    ...query.globs.map((glob) => `--glob=${glob}`),
    // Last, so that no other glob brings them back.
    ...PRIVATE_FOLDERS.map((folder) => `--glob=!${folder}`),
    `--regexp=${query.pattern}`,
    '--',
    query.root,
  ]
}

function parse(result: RunResult, query: TextQuery): FoundText {
  const complete = result.droppedBytes === 0
  if (query.mode === 'files_with_matches') {
    const files = wholeRecords(result, '\0').map((path) => ({ path, count: 0, lines: [] }))
    return { ok: true, complete, files: files.sort(byPath) }
  }
  const files = new Map<string, FileMatches>()
  let last: FileMatches | undefined
  for (const record of wholeRecords(result, '\n')) {
    const end = record.indexOf('\0')
    if (end === -1) {
      if (record === '--') last?.lines.push('gap')
      // "<path>: binary file matches …", for a file that was asked for by name.
      else addLine(files, query.root, { number: 1, text: record.slice(query.root.length + 2), isMatch: true })
      continue
    }
    const path = record.slice(0, end)
    const rest = record.slice(end + 1)
    if (query.mode === 'count') files.set(path, { path, count: Number(rest), lines: [] })
    else {
      const [, number, separator, text] = /^(\d+)([:-])(.*)$/s.exec(rest) ?? []
      last = addLine(files, path, { number: Number(number), text: text ?? '', isMatch: separator === ':' })
    }
  }
  for (const file of files.values()) if (file.lines.at(-1) === 'gap') file.lines.pop()
  return { ok: true, complete, files: [...files.values()].sort(byPath) }
}

function addLine(files: Map<string, FileMatches>, path: string, line: FileMatches['lines'][number]): FileMatches {
  const file = files.get(path) ?? { path, count: 0, lines: [] }
  files.set(path, file)
  file.lines.push(line)
  return file
}

/** Without a last one that was cut off. */
function wholeRecords(result: RunResult, terminator: string): string[] {
  return result.stdout.split(terminator).slice(0, -1)
}
