/**
 * The YAML that stands on top of Markdown files: maps, lists, texts of one or many lines, numbers, switches. What people
 * write there and is strictly none, such as `description: Use it when: …`, is read as they mean it; anchors, tags and the
 * like are refused with the line. The text is a stranger's, so work and nesting are bounded.
 */

import { trimTrailingCharacters } from '../platform/trim-end.js'
import {
  MAX_NESTING,
  parsePlainScalar,
  readBrackets,
  readQuoted,
  withoutComment,
  YamlError,
  type YamlValue,
} from './yaml-scalar.js'

export type { YamlValue } from './yaml-scalar.js'

export type YamlField = {
  value: YamlValue
  /** As written, for fields that are text whatever they look like. */
  text: string
  line: number
}

export type YamlFields = Map<string, YamlField>
export type YamlProblem = { line: number; text: string }

type Line = { indent: number; text: string; number: number }
type Scanner = { lines: Line[]; at: number; raw: readonly string[]; first: number }

/** Brackets and quotes may continue over so many lines. */
const MAX_CONTINUED = 50

/** `first` is the number of the first line in its file. */
export function parseYaml(source: readonly string[], first: number): YamlFields | YamlProblem {
  try {
    const raw = source.map((line) => line.replace(/\r$/, ''))
    const lines = raw.map((line, index) => ({ indent: line.search(/\S|$/), text: line.trim(), number: first + index }))
    const tab = raw.findIndex((line) => /^ *\t/.test(line) && line.trim() !== '')
    if (tab !== -1) throw new YamlError('is indented with a tab; use spaces', first + tab)
    const scanner: Scanner = { lines, at: 0, raw, first }
    const start = peek(scanner)
    if (!start) return new Map()
    const fields = readFields(scanner, start.indent, 0)
    const rest = peek(scanner)
    if (rest) throw notUnderstood(rest)
    return fields
  } catch (error) {
    if (error instanceof YamlError) return { line: error.line, text: error.message }
    throw error
  }
}

/** The next line that says something. */
function peek(scanner: Scanner): Line | undefined {
  for (; scanner.at < scanner.lines.length; scanner.at += 1) {
    const line = scanner.lines[scanner.at]
    if (line && line.text !== '' && !line.text.startsWith('#')) return line
  }
  return undefined
}

function notUnderstood({ number }: Line): YamlError {
  return new YamlError("is no 'key: value'; put text with several lines behind 'key: |' and indent it", number)
}

const KEY = /^(?:([\w$./-]+)|"([^"\\]*)"|'([^']*)')\s*:(?:\s+|$)/

function readFields(scanner: Scanner, indent: number, depth: number): YamlFields {
  const fields: YamlFields = new Map()
  for (let line = peek(scanner); line && line.indent >= indent; line = peek(scanner)) {
    const [all, plain, double, single] = KEY.exec(line.text) ?? []
    if (all === undefined || line.indent > indent || isItem(line)) throw notUnderstood(line)
    const key = plain ?? double ?? single ?? ''
    if (fields.has(key)) throw new YamlError(`has '${key}' twice`, line.number)
    scanner.at += 1
    const { value, text } = readValue(scanner, line.text.slice(all.length), line, depth)
    fields.set(key, { value, text: text ?? describe(value), line: line.number })
  }
  return fields
}

function describe(value: YamlValue): string {
  return typeof value === 'string' ? value : ''
}

function isItem({ text }: Line): boolean {
  return text === '-' || text.startsWith('- ')
}

function readItems(scanner: Scanner, indent: number, depth: number): YamlValue[] {
  const items: YamlValue[] = []
  for (let line = peek(scanner); line && line.indent === indent && isItem(line); line = peek(scanner)) {
    const rest = line.text.slice(1).trimStart()
    const inner = { ...line, indent: indent + line.text.length - rest.length, text: rest }
    if (rest === '' || rest.startsWith('#')) {
      scanner.at += 1
      items.push(readBelow(scanner, line, depth) ?? null)
    } else if (KEY.test(rest) || isItem(inner)) {
      // `- key: value` begins a map, `- - x` a list: read on as if the dash were a space.
      scanner.lines[scanner.at] = inner
      items.push(readBlock(scanner, inner, depth))
    } else {
      scanner.at += 1
      items.push(readValue(scanner, rest, line, depth).value)
    }
  }
  return items
}

function readBlock(scanner: Scanner, start: Line, depth: number): YamlValue {
  if (depth >= MAX_NESTING) throw new YamlError('is nested too deeply', start.number)
  if (isItem(start)) return readItems(scanner, start.indent, depth + 1)
  const fields = readFields(scanner, start.indent, depth + 1)
  return Object.fromEntries([...fields].map(([key, { value }]) => [key, value]))
}

/** What stands indented below `parent`; a list may stand right below its key. */
function readBelow(scanner: Scanner, parent: Line, depth: number): YamlValue | undefined {
  const next = peek(scanner)
  if (!next) return undefined
  const isList = isItem(next) && next.indent >= parent.indent && !isItem(parent)
  if (next.indent <= parent.indent && !isList) return undefined
  if (isItem(next) || KEY.test(next.text)) return readBlock(scanner, next, depth)
  return readContinued(scanner, '', parent)
}

/** `text` is given where it differs from the value. */
function readValue(scanner: Scanner, rest: string, line: Line, depth: number): { value: YamlValue; text?: string } {
  const sign = rest[0] ?? ''
  if (rest === '' || sign === '#') return { value: readBelow(scanner, line, depth) ?? null }
  if (/^[|>][-+1-9]{0,2}(\s+#.*)?$/.test(rest)) return { value: readBlockText(scanner, rest, line) }
  if (/^(&\S+|!\S*|\*[\w-]+)(\s|$)/.test(rest) && !/^!\s/.test(rest)) {
    throw new YamlError(
      `begins with '${sign}', which has a meaning in YAML that is not supported; put it in quotes`,
      line.number,
    )
  }
  if (sign === '"' || sign === "'") return { value: readQuotedLines(scanner, rest, line) }
  if (sign === '[' || sign === '{') {
    const value = readBracketLines(scanner, rest, line)
    if (value !== undefined) return { value, text: rest }
  }
  const text = readContinued(scanner, rest, line)
  return { value: text === withoutComment(rest) ? parsePlainScalar(text) : text, text }
}

/** Plain text continues in the lines below that are indented deeper. */
function readContinued(scanner: Scanner, rest: string, line: Line): string {
  let text = withoutComment(rest)
  let gap = 0
  while (scanner.at < scanner.lines.length) {
    const next = scanner.lines[scanner.at]
    if (!next || (next.text !== '' && next.indent <= line.indent)) break
    // A field that slipped to the right is not to be lost in the text above it.
    if (KEY.test(next.text)) throw new YamlError('is indented, but the line above it is no map', next.number)
    scanner.at += 1
    if (next.text === '') gap += 1
    else {
      text += (gap > 0 ? '\n'.repeat(gap) : text === '' ? '' : ' ') + withoutComment(next.text)
      gap = 0
    }
  }
  return text
}

/** Behind `|` each line stays one, behind `>` lines are joined. */
function readBlockText(scanner: Scanner, header: string, parent: Line): string {
  const rows: string[] = []
  const given = Number(/[1-9]/.exec(header)?.[0] ?? 0)
  let indent = given === 0 ? 0 : parent.indent + given
  for (; scanner.at < scanner.lines.length; scanner.at += 1) {
    const line = scanner.lines[scanner.at]
    if (!line) break
    if (line.text === '') {
      rows.push('')
      continue
    }
    if (line.indent <= parent.indent) break
    indent ||= line.indent
    if (line.indent < indent) throw new YamlError('is indented less than the line above it', line.number)
    rows.push((scanner.raw[line.number - scanner.first] ?? '').slice(indent))
  }
  const body = header[0] === '|' ? rows.join('\n') : fold(rows)
  if (header.includes('+')) return `${body}\n`
  const trimmed = trimTrailingCharacters(body, '\n')
  return header.includes('-') || trimmed === '' ? trimmed : `${trimmed}\n`
}

function fold(rows: readonly string[]): string {
  let text = ''
  let last = ''
  for (const row of rows) {
    const joins = text !== '' && row !== '' && last !== '' && !/^\s/.test(row) && !/^\s/.test(last)
    if (joins) text += ` ${row}`
    else if (row === '') text += '\n'
    else text += last === '' || text === '' ? row : `\n${row}`
    last = row
  }
  return text
}

function readQuotedLines(scanner: Scanner, rest: string, line: Line): string {
  let text = rest
  for (let more = 0; more <= MAX_CONTINUED; more += 1) {
    const found = readQuoted(text, 0, line.number)
    if (found) {
      const behind = text.slice(found.end).trim()
      // `"Foo" and bar` is no YAML; it is text that begins with a quote.
      return behind === '' || behind.startsWith('#') ? found.value : text
    }
    const next = scanner.lines[scanner.at]
    if (!next || (next.text !== '' && next.indent <= line.indent)) break
    scanner.at += 1
    text += next.text === '' ? '\n' : text.endsWith('\n') ? next.text : ` ${next.text}`
  }
  throw new YamlError('has a quote that is not closed', line.number)
}

function readBracketLines(scanner: Scanner, rest: string, line: Line): YamlValue | undefined {
  const start = scanner.at
  let text = rest
  for (let more = 0; more <= MAX_CONTINUED; more += 1) {
    const value = readBrackets(text, line.number)
    if (value !== undefined) return value
    const next = scanner.lines[scanner.at]
    if (!next || KEY.test(next.text) || (next.indent <= line.indent && !/^[\]}]/.test(next.text))) break
    scanner.at += 1
    text += ` ${next.text}`
  }
  scanner.at = start
  return undefined
}
