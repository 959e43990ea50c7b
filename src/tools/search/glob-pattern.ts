/** Globs as ripgrep and .gitignore read them, matched in time that does not explode, whatever the pattern. */

export type GlobRule = {
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
/** So many patterns the braces of one may stand for. */
const MAX_ALTERNATIVES = 1000

/** Undefined for an empty line or a comment. Throws a `SyntaxError` for a broken pattern. */
export function parseGlob(line: string): GlobRule | undefined {
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

/** The patterns without braces that one with braces stands for. */
function expandBraces(pattern: string): string[] {
  for (const { 0: token, index } of pattern.matchAll(BRACE_TOKENS)) {
    if (token === '}') throw new SyntaxError("unopened alternate group; missing '{'")
    if (token !== '{') continue
    const { options, after } = splitOptions(pattern.slice(index + 1))
    const heads = options.filter((option) => option !== '').flatMap((option) => expandBraces(BEGIN + option + END))
    const tails = expandBraces(after)
    const before = pattern.slice(0, index)
    const all = (heads.length > 0 ? heads : ['']).flatMap((head) => tails.map((tail) => before + head + tail))
    if (all.length <= MAX_ALTERNATIVES) return all
    throw new SyntaxError(`the braces stand for more than ${MAX_ALTERNATIVES} patterns`)
  }
  return [pattern]
}

/** `text` begins behind an opening brace. */
function splitOptions(text: string): { options: string[]; after: string } {
  const options: string[] = []
  let start = 0
  let depth = 0
  for (const { 0: token, index } of text.matchAll(BRACE_TOKENS)) {
    if (token === '{') depth += 1
    if (depth === 0 && (token === ',' || token === '}')) {
      options.push(text.slice(start, index))
      start = index + 1
      if (token === '}') return { options, after: text.slice(start) }
    }
    if (token === '}') depth -= 1
  }
  throw new SyntaxError("unclosed alternate group; missing '}'")
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
  /** Where a token of any length was begun or went on, in vain: nothing is tried twice. */
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
