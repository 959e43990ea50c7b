/** Globs as ripgrep and .gitignore read them, matched in time that does not explode, whatever the pattern. */

export type ParsedGlob = {
  /** `path` is relative to where the glob holds, with forward slashes. */
  matches(path: string, isFolder: boolean): boolean
  /** The pattern began with `!`. */
  negated: boolean
}

type Token =
  | { kind: 'text'; text: string }
  /** One byte. */
  | { kind: 'one'; matches(char: string): boolean }
  /** Any number of bytes of one name. */
  | { kind: 'name' }
  /** Any number of folders, each with its slash. */
  | { kind: 'folders' }
  /** Anything at all. */
  | { kind: 'any' }

/** Nobody needs more; each costs time and stack. */
const MAX_WILDCARDS = 200
/** Maximum number of patterns that one pattern's braces can expand to. */
const MAX_ALTERNATIVES = 1000

/** Undefined for an empty line or a comment. Throws a `SyntaxError` for a broken pattern. */
export function parseIgnoreLine(line: string): ParsedGlob | undefined {
  if (line.startsWith('#')) return undefined
  let pattern = toBytes(line.endsWith('\\ ') ? line : line.trimEnd())
  if (pattern === '') return undefined
  if (pattern.replace(/[^*?[{]/g, '').length > MAX_WILDCARDS) throw new SyntaxError('the glob has too many wildcards')
  const negated = pattern.startsWith('!')
  let anchored = false
  if (/^\\[!#]/.test(pattern)) pattern = pattern.slice(1)
  else {
    if (negated) pattern = pattern.slice(1)
    anchored = pattern.startsWith('/')
    if (anchored) pattern = pattern.slice(1)
  }
  const foldersOnly = pattern.endsWith('/')
  if (foldersOnly) pattern = pattern.slice(0, -1).replace(/\\$/, '')
  // Without a slash it means a name at any depth; a trailing /** means what is inside, not the folder itself.
  if (!anchored && !pattern.includes('/') && pattern !== '**') pattern = `**/${pattern}`
  if (pattern.endsWith('/**')) pattern += '/*'
  const alternatives = expandBraces(pattern).map(tokenize)
  return {
    negated,
    matches(path, isFolder) {
      if (foldersOnly && !isFolder) return false
      const bytes = toBytes(path)
      return alternatives.some((tokens) => matchTokens(tokens, bytes))
    },
  }
}

/** Each character of the result is a byte in UTF-8: that is what `?` and classes stand for. */
function toBytes(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('')
}

/** What is escaped, what is in a class, and what makes alternatives. */
const BRACE_TOKENS = /\\[\s\S]|\[[!^]?\]?[^\]]*\]|[{},]/g

/** Not bytes: they stand where an alternative begins and ends, for what `**` means beside them. */
const BEGIN = '\u0100'
const END = '\u0101'

/** The patterns without braces that one with braces stands for. Gone through once, however deep they are nested. */
function expandBraces(pattern: string): string[] {
  const tokens = [...pattern.matchAll(BRACE_TOKENS)].filter(({ 0: token }) => token.length === 1)
  let next = 0
  let from = 0
  const textTo = (end: number) => pattern.slice(from, end)

  /** Up to the end, or inside of braces to what ends an alternative. */
  function sequence(inside: boolean): string[] {
    let done = ['']
    for (let token = tokens[next]; token; token = tokens[next]) {
      if (token[0] === '}' && !inside) throw new SyntaxError("unopened alternate group; missing '{'")
      if (token[0] !== '{' && inside) return append(done, [textTo(token.index)])
      next += 1
      if (token[0] !== '{') continue
      done = append(done, [textTo(token.index)])
      from = token.index + 1
      done = append(done, alternatives())
    }
    if (inside) throw new SyntaxError("unclosed alternate group; missing '}'")
    return append(done, [textTo(pattern.length)])
  }

  /** From behind an opening brace to behind the one that closes it. */
  function alternatives(): string[] {
    const all: string[] = []
    for (;;) {
      const start = from
      const options = sequence(true)
      const token = tokens[next]
      next += 1
      from = (token?.index ?? pattern.length) + 1
      if (from - 1 > start) for (const option of options) all.push(BEGIN + option + END)
      if (token?.[0] === '}') return all.length > 0 ? all : ['']
    }
  }

  return sequence(false)
}

function append(begins: readonly string[], ends: readonly string[]): string[] {
  if (begins.length * ends.length > MAX_ALTERNATIVES)
    throw new SyntaxError(`the braces stand for more than ${MAX_ALTERNATIVES} patterns`)
  return begins.flatMap((begin) => ends.map((end) => begin + end))
}

function tokenize(pattern: string): Token[] {
  if (/^(?:\*\*\/)*\*\*\/?$/.test(pattern)) return [{ kind: 'any' }]
  const tokens: Token[] = []
  let text = ''
  const push = (token?: Token) => {
    if (text) tokens.push({ kind: 'text', text })
    text = ''
    if (token) tokens.push(token)
  }
  for (let i = 0; i < pattern.length; i += 1) {
    const char = pattern[i] ?? ''
    const stars = i === 0 || /[/\u0100]/.test(pattern[i - 1] ?? '') ? STARS.exec(pattern.slice(i)) : null
    if (stars) {
      push({ kind: stars[0].endsWith('/') ? 'folders' : 'any' })
      i += stars[0].length - 1
    } else if (char === '*') push({ kind: 'name' })
    else if (char === '?') push({ kind: 'one', matches: (byte) => byte !== '/' })
    else if (char === '[') {
      const { end, matches } = parseClass(pattern, i)
      push({ kind: 'one', matches })
      i = end
    } else if (char === '\\') {
      i += 1
      if (i === pattern.length) throw new SyntaxError("dangling '\\'")
      text += pattern[i]
    } else if (char !== BEGIN && char !== END) text += char
  }
  push()
  return tokens
}

/** `**` only where it is a whole name. */
const STARS = /^(?:\*\*\/)+|^\*\*(?=\u0101|$)/

/** With one member at least: a bracket right at the start is one. */
const CLASS = /^\[(?:([!^])|(?![!^]))(\][^\]]*|[^\]]+)\]/

/** Inside a class a backslash is nothing special. `end` is at the closing bracket. */
function parseClass(pattern: string, at: number): { end: number; matches(char: string): boolean } {
  const [whole, negation, members = ''] = CLASS.exec(pattern.slice(at)) ?? []
  if (whole === undefined) throw new SyntaxError("unclosed character class; missing ']'")
  const ranges: [string, string][] = []
  for (let i = 0; i < members.length; i += 1) {
    const from = members[i] ?? ''
    const isRange = members[i + 1] === '-' && i + 2 < members.length
    const to = isRange ? (members[i + 2] ?? '') : from
    if (to < from) throw new SyntaxError(`invalid range; '${from}' > '${to}'`)
    ranges.push([from, to])
    if (isRange) i += 2
  }
  const isIn = (char: string) => ranges.some(([from, to]) => from <= char && char <= to)
  return { end: at + whole.length - 1, matches: negation ? (char) => !isIn(char) : isIn }
}

function matchTokens(tokens: readonly Token[], path: string): boolean {
  const last = tokens.at(-1)
  // Most paths end otherwise.
  if (last?.kind === 'text' && !path.endsWith(last.text)) return false
  /** Where a token of any length was begun or continued, in vain: nothing is tried twice. */
  const tried = new Set<number>()
  const isNew = (index: number, at: number, begun: boolean) => {
    const size = tried.size
    tried.add((index * (path.length + 1) + at) * 2 + (begun ? 1 : 0))
    return tried.size > size
  }

  function matchFrom(first: number, start: number): boolean {
    let at = start
    for (let index = first; index < tokens.length; index += 1) {
      const token = tokens[index]
      if (token?.kind === 'text') {
        if (!path.startsWith(token.text, at)) return false
        at += token.text.length
      } else if (token?.kind === 'one') {
        if (at >= path.length || !token.matches(path[at] ?? '')) return false
        at += 1
      } else return matchMany(index, at, token?.kind ?? 'any')
    }
    return at === path.length
  }

  function matchMany(index: number, start: number, kind: 'name' | 'folders' | 'any'): boolean {
    if (!isNew(index, start, true)) return false
    if (matchFrom(index + 1, start)) return true
    for (let end = start + 1; end <= path.length; end += 1) {
      const isSlash = path[end - 1] === '/'
      if ((kind === 'name' && isSlash) || !isNew(index, end, false)) return false
      if ((kind !== 'folders' || isSlash) && matchFrom(index + 1, end)) return true
    }
    return false
  }

  return matchFrom(0, 0)
}
