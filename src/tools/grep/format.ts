/** Turns what was found into what the model and the host read, page by page. */
import type { ToolOutcome } from '../../engine/ports.js'
import type { FileMatches } from '../search/search.js'
import type { GrepInput } from './input.js'
import type { GrepOutput } from './output.js'

/** How a file is named in the result. */
export type NameOf = (path: string) => string

type Page<T> = { shown: T[]; note: string; applied: Pick<GrepOutput, 'appliedLimit' | 'appliedOffset'> }

export function formatFiles(paths: string[], nameOf: NameOf, input: GrepInput): ToolOutcome {
  const { shown, note, applied } = paginate(paths.map(nameOf), input, 'files')
  const output: GrepOutput = { mode: 'files_with_matches', filenames: shown, numFiles: shown.length, ...applied }
  if (shown.length === 0) return { ok: true, content: joinNote('No files found', note), output }
  return { ok: true, content: joinNote(`Found ${plural(shown.length, 'file')}\n${shown.join('\n')}`, note), output }
}

export function formatCounts(files: FileMatches[], nameOf: NameOf, input: GrepInput): ToolOutcome {
  const { shown, note, applied } = paginate(files, input, 'files')
  const content = shown.map(({ path, count }) => `${nameOf(path)}:${count}`).join('\n')
  const numMatches = shown.reduce((sum, { count }) => sum + count, 0)
  const output: GrepOutput = { mode: 'count', numFiles: shown.length, filenames: [], content, numMatches, ...applied }
  const total = `Found ${plural(numMatches, 'total occurrence')} across ${plural(shown.length, 'file')}.`
  return { ok: true, content: joinNote(`${content || 'No matches found'}\n\n${total}`, note), output }
}

/** `nameOf` is left out when only one file was searched. */
export function formatLines(files: FileMatches[], nameOf: NameOf | undefined, input: GrepInput): ToolOutcome {
  const withNumbers = input['-n'] ?? true
  const hasContext = [input['-A'], input['-B'], input['-C'], input.context].some((lines) => (lines ?? 0) > 0)
  const all = files.flatMap((file, i) => {
    const name = nameOf?.(file.path)
    const lines = file.lines.map((line) => {
      if (line === 'gap') return '--'
      const separator = line.isMatch ? ':' : '-'
      const prefix = [name, withNumbers ? String(line.number) : undefined].filter((part) => part !== undefined)
      return [...prefix, line.text].join(separator)
    })
    return hasContext && i > 0 ? ['--', ...lines] : lines
  })
  const { shown, note, applied } = paginate(all, input, 'lines')
  const content = shown.join('\n')
  const output: GrepOutput = {
    mode: 'content',
    numFiles: 0,
    filenames: [],
    content,
    numLines: shown.length,
    ...applied,
  }
  return { ok: true, content: joinNote(content || 'No matches found', note), output }
}

function paginate<T>(all: T[], input: GrepInput, what: 'files' | 'lines'): Page<T> {
  const limit = whole(input.head_limit)
  const offset = whole(input.offset)
  const shown = all.slice(offset, limit > 0 ? offset + limit : undefined)
  const applied = { ...(limit > 0 ? { appliedLimit: limit } : {}), ...(offset > 0 ? { appliedOffset: offset } : {}) }
  if (shown.length === all.length) return { shown, note: '', applied }
  const range = shown.length === 0 ? 'none' : `${offset + 1} to ${offset + shown.length}`
  return { shown, note: `[Showing ${range} of ${all.length} ${what}]`, applied }
}

export function whole(value: number | undefined): number {
  return Math.max(0, Math.floor(value ?? 0)) || 0
}

export function joinNote(text: string, note: string): string {
  return note ? `${text}\n\n${note}` : text
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
