/** Turns what was found into what the model and the host read. */
import { appendNotes } from '../search/result-notes.js'
import type { FileMatches } from '../search/search-request.js'
import type { GrepInput, GrepOutput } from './grep-shapes.js'
import { pageOfResults } from './page.js'

/** How a file is named in the result. */
export type NameOf = (path: string) => string

export type FormattedResult = { content: string; output: GrepOutput }

export function formatFiles(files: FileMatches[], nameOf: NameOf, input: GrepInput): FormattedResult {
  const { shown, note, applied } = pageOfResults(files.length, (i) => nameOf(files[i]?.path ?? ''), input, 'files')
  const output: GrepOutput = { mode: 'files_with_matches', filenames: shown, numFiles: shown.length, ...applied }
  const list = shown.length === 0 ? 'No files found' : `Found ${plural(shown.length, 'file')}\n${shown.join('\n')}`
  return { content: appendNotes(list, note), output }
}

export function formatCounts(files: FileMatches[], nameOf: NameOf, input: GrepInput): FormattedResult {
  const entryAt = (i: number) => `${nameOf(files[i]?.path ?? '')}:${files[i]?.count}`
  const { shown, note, applied } = pageOfResults(files.length, entryAt, input, 'files')
  const content = shown.join('\n')
  const first = applied.appliedOffset ?? 0
  const numMatches = files.slice(first, first + shown.length).reduce((sum, { count }) => sum + count, 0)
  const output: GrepOutput = { mode: 'count', numFiles: shown.length, filenames: [], content, numMatches, ...applied }
  const total = `Found ${plural(numMatches, 'total occurrence')} across ${plural(shown.length, 'file')}.`
  return { content: appendNotes(content || 'No matches found', total, note), output }
}

/** `nameOf` is left out when only one file was searched. */
export function formatLines(
  files: FileMatches[],
  { nameOf, hasContext }: { nameOf: NameOf | undefined; hasContext: boolean },
  input: GrepInput,
): FormattedResult {
  const lines: { text: string; path: string }[] = []
  for (const { path, block } of files) {
    if (hasContext && lines.length > 0) lines.push({ text: '--', path })
    for (const text of block.split('\n')) lines.push({ text, path })
  }
  const entryAt = (i: number) => {
    const { text, path } = lines[i] ?? { text: '', path: '' }
    return formatLine(text, nameOf?.(path), input['-n'] ?? true)
  }
  const { shown, note, applied } = pageOfResults(lines.length, entryAt, input, 'lines')
  const content = shown.join('\n')
  const numLines = shown.length
  const output: GrepOutput = { mode: 'content', numFiles: 0, filenames: [], content, numLines, ...applied }
  return { content: appendNotes(content || 'No matches found', note), output }
}

/** `line` is one of a block of `FileMatches`. */
function formatLine(line: string, name: string | undefined, withNumbers: boolean): string {
  if (line === '--') return line
  const [, number, separator] = /^(\d+)([:-])/.exec(line) ?? []
  // A remark about binary data.
  if (number === undefined || separator === undefined) return name === undefined ? line : `${name}: ${line}`
  const rest = withNumbers ? line : line.slice(number.length + 1)
  return name === undefined ? rest : `${name}${separator}${rest}`
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
