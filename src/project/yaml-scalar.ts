/** Values of YAML that stand on one line: plain and quoted text, numbers, and lists and maps in brackets. */

export type YamlValue = string | number | boolean | null | YamlValue[] | { [key: string]: YamlValue }

/** What is not understood. The message is a part of a sentence: "the quote is not closed". */
export class YamlError extends Error {
  readonly line: number
  constructor(message: string, line: number) {
    super(message)
    this.line = line
  }
}

export const MAX_NESTING = 16

export function parsePlainScalar(text: string): YamlValue {
  if (text === '' || text === '~' || text === 'null') return null
  if (/^(true|True|TRUE)$/.test(text)) return true
  if (/^(false|False|FALSE)$/.test(text)) return false
  if (/^[-+]?(0|[1-9]\d{0,14})$/.test(text)) return Number(text)
  if (/^[-+]?(\d{1,15}\.\d{1,15}|\.\d{1,15})([eE][-+]?\d{1,2})?$/.test(text)) return Number(text)
  return text
}

/** Text without a comment at its end. A value with a colon inside isn't YAML, but is what people write: all of it counts. */
export function withoutComment(text: string): string {
  const trimmed = text.trim()
  if (/:\s/.test(trimmed)) return trimmed
  const comment = trimmed.search(/(^|\s)#/)
  return comment === -1 ? trimmed : trimmed.slice(0, comment).trimEnd()
}

const ESCAPES: Record<string, string> = {
  '0': '\0',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  ' ': ' ',
  '"': '"',
  '/': '/',
  '\\': '\\',
  N: '\x85',
  _: '\xa0',
}

/** Reads what is quoted from `start` on. `end` is behind the closing quote; undefined: it is not closed. */
export function readQuoted(text: string, start: number, line: number): { value: string; end: number } | undefined {
  const quote = text[start]
  let value = ''
  let at = start + 1
  while (at < text.length) {
    const character = text[at] ?? ''
    if (character === quote) {
      if (quote === '"' || text[at + 1] !== quote) return { value, end: at + 1 }
      value += quote
      at += 2
    } else if (character === '\\' && quote === '"') {
      const { value: escaped, length } = readEscape(text, at, line)
      value += escaped
      at += length
    } else {
      value += character
      at += 1
    }
  }
  return undefined
}

function readEscape(text: string, at: number, line: number): { value: string; length: number } {
  const kind = text[at + 1] ?? ''
  const digits = { x: 2, u: 4, U: 8 }[kind]
  if (digits !== undefined) {
    const hex = text.slice(at + 2, at + 2 + digits)
    const code = /^[0-9a-fA-F]+$/.test(hex) && hex.length === digits ? Number.parseInt(hex, 16) : Number.NaN
    // Not half of a pair of surrogates: that isn't a character.
    if (code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)) {
      return { value: String.fromCodePoint(code), length: 2 + digits }
    }
  } else if (Object.hasOwn(ESCAPES, kind)) return { value: ESCAPES[kind] ?? '', length: 2 }
  throw new YamlError(`'\\${kind}' means nothing inside double quotes; use single quotes or '\\\\'`, line)
}

/** `[a, "b"]` or `{a: b}`. Undefined when the text is not exactly that. */
export function readBrackets(text: string, line: number): YamlValue | undefined {
  const found = readFlow(text, 0, line, 0)
  if (!found) return undefined
  const rest = text.slice(found.end).trim()
  return rest === '' || rest.startsWith('#') ? found.value : undefined
}

type Found = { value: YamlValue; end: number }

function readFlow(text: string, start: number, line: number, depth: number): Found | undefined {
  if (depth > MAX_NESTING) throw new YamlError('is nested too deeply', line)
  const at = skipSpace(text, start)
  if (text[at] === '[') return readList(text, at, line, depth)
  if (text[at] === '{') return readMap(text, at, line, depth)
  if (text[at] === '"' || text[at] === "'") return readQuoted(text, at, line)
  const length = text.slice(at).search(/[,[\]{}]|$/)
  const word = text.slice(at, at + length).trim()
  return word === '' ? undefined : { value: parsePlainScalar(word), end: at + length }
}

function readList(text: string, start: number, line: number, depth: number): Found | undefined {
  const items: YamlValue[] = []
  let at = skipSpace(text, start + 1)
  while (text[at] !== ']') {
    const item = readFlow(text, at, line, depth + 1)
    if (!item) return undefined
    items.push(item.value)
    at = skipSpace(text, item.end)
    if (text[at] === ',') at = skipSpace(text, at + 1)
    else if (text[at] !== ']') return undefined
  }
  return { value: items, end: at + 1 }
}

function readMap(text: string, start: number, line: number, depth: number): Found | undefined {
  const entries: [string, YamlValue][] = []
  let at = skipSpace(text, start + 1)
  while (text[at] !== '}') {
    const key = readKey(text, at, line)
    if (!key) return undefined
    const value = readFlow(text, key.end, line, depth + 1)
    if (!value) return undefined
    entries.push([key.value, value.value])
    at = skipSpace(text, value.end)
    if (text[at] === ',') at = skipSpace(text, at + 1)
    else if (text[at] !== '}') return undefined
  }
  return { value: Object.fromEntries(entries), end: at + 1 }
}

function readKey(text: string, start: number, line: number): { value: string; end: number } | undefined {
  if (text[start] === '"' || text[start] === "'") {
    const key = readQuoted(text, start, line)
    const at = key && skipSpace(text, key.end)
    return key && at !== undefined && text[at] === ':' ? { value: key.value, end: at + 1 } : undefined
  }
  const [all, word] = /^([\w$./-]+)\s*:(?=\s|["'[{]|$)/.exec(text.slice(start, start + 1000)) ?? []
  return all === undefined || word === undefined ? undefined : { value: word, end: start + all.length }
}

function skipSpace(text: string, start: number): number {
  let at = start
  while (text[at] === ' ' || text[at] === '\t' || text[at] === '\n') at += 1
  return at
}
