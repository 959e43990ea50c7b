/** File patterns of rules: gitignore syntax under an anchor, matched segment by segment in bounded time. */
import { join, resolve } from '../platform/paths.js'

export type FilePattern = {
  /** The folder the pattern starts from; absolute. */
  readonly base: string
  readonly segments: readonly string[]
  /** A match covers what is below it. Not when allowing by a glob: there one star stays in its folder. */
  readonly deep: boolean
}

/**
 * `//x` starts at the root, `~/x` at home, `/x` at `root` (the folder of the rule's source), anything else at `cwd`.
 * A name without a slash matches at any depth. `dir/**` does so too when it forbids, but not when it allows.
 */
export function compileFilePattern(
  pattern: string,
  where: { cwd: string; home: string; fold(text: string): string },
  root: string,
  forbids: boolean,
): FilePattern {
  const { base, rest, anchored } = anchorOf(pattern, where, root)
  const names = where
    .fold(rest)
    .split('/')
    .filter((name) => name !== '' && name !== '.')
  const single = names.length === 1 || (names.length === 2 && names[1] === '**' && forbids)
  const deep = forbids || rest.endsWith('/') || !/[*?[]/.test(names.at(-1) ?? '')
  const segments = !anchored && single && names[0] !== '**' ? ['**', ...names] : names
  return { base: where.fold(base), segments, deep }
}

/** `path` is absolute, normal and folded like the pattern. */
export function matchesFile(pattern: FilePattern, path: string): boolean {
  const names = below(path, pattern.base)
  return names !== undefined && matchSegments(pattern.segments, names, pattern.deep)
}

/** Could something in this folder, at any depth, match? */
export function mayMatchInside(pattern: FilePattern, folder: string): boolean {
  const firm = pattern.segments.findIndex((segment) => /[*?[\\]/.test(segment))
  const start = join(pattern.base, ...pattern.segments.slice(0, firm < 0 ? undefined : firm))
  return below(start, folder) !== undefined || (firm >= 0 && below(folder, start) !== undefined)
}

function anchorOf(pattern: string, where: { cwd: string; home: string }, root: string) {
  if (pattern.startsWith('//')) return { base: '/', rest: pattern.slice(2), anchored: true }
  if (pattern.startsWith('~/')) return { base: where.home, rest: pattern.slice(2), anchored: true }
  if (pattern.startsWith('/')) return { base: root, rest: pattern.slice(1), anchored: true }
  let base = where.cwd
  let rest = pattern.replace(/^(?:\.\/)+/, '')
  while (rest.startsWith('../')) {
    base = resolve(base, '..')
    rest = rest.slice(3)
  }
  return { base, rest, anchored: base !== where.cwd }
}

function below(path: string, folder: string): string[] | undefined {
  if (path === folder) return []
  const prefix = folder.endsWith('/') ? folder : `${folder}/`
  return path.startsWith(prefix) ? path.slice(prefix.length).split('/') : undefined
}

/** True when the pattern matches the path or, if `deep`, one of the folders that hold it. */
function matchSegments(pattern: readonly string[], names: readonly string[], deep: boolean): boolean {
  // reached[j]: the pattern so far matches exactly the first j names.
  let reached = names.map(() => false)
  reached.unshift(true)
  pattern.forEach((segment, i) => {
    const next = reached.map(() => false)
    let before = false
    for (let j = 0; j <= names.length; j++) {
      // A final `**` needs something below it; elsewhere it may stand for no folder at all.
      if (segment === '**') next[j] = before || (i < pattern.length - 1 && reached[j] === true)
      else if (j > 0 && reached[j - 1]) next[j] = matchName(segment, names[j - 1] ?? '')
      before ||= reached[j] === true
    }
    reached = next
  })
  return (
    pattern.length > 0 && names.length > 0 && (deep ? reached.slice(1).includes(true) : reached[names.length] === true)
  )
}

/** One segment: `*`, `?`, `[a-z]`, `[!x]`, and `\` before a character that means itself. */
export function matchName(pattern: string, name: string): boolean {
  const tokens = tokensOf(pattern)
  let t = 0
  let n = 0
  let star = -1
  let mark = 0
  while (n < name.length) {
    const token = tokens[t]
    if (token === '*') {
      star = t++
      mark = n
    } else if (typeof token === 'function' && token(name[n] ?? '')) {
      t += 1
      n += 1
    } else if (star >= 0) {
      t = star + 1
      n = ++mark
    } else return false
  }
  while (tokens[t] === '*') t += 1
  return t === tokens.length
}

type Token = '*' | ((char: string) => boolean)

function tokensOf(pattern: string): Token[] {
  const tokens: Token[] = []
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern[i] ?? ''
    if (char === '*') {
      if (tokens.at(-1) !== '*') tokens.push('*')
    } else if (char === '?') tokens.push(() => true)
    else if (char === '[') {
      const end = pattern.indexOf(']', i + (/^\[[!^]/.test(pattern.slice(i)) ? 3 : 2))
      if (end < 0) tokens.push((c) => c === '[')
      else {
        tokens.push(classOf(pattern.slice(i + 1, end)))
        i = end
      }
    } else if (char === '\\' && i + 1 < pattern.length) {
      i += 1
      const literal = pattern[i]
      tokens.push((c) => c === literal)
    } else tokens.push((c) => c === char)
  }
  return tokens
}

function classOf(body: string): (char: string) => boolean {
  const negated = /^[!^]/.test(body)
  const set = negated ? body.slice(1) : body
  const has = (char: string) => {
    for (let i = 0; i < set.length; i++) {
      const from = set[i] ?? ''
      const to = set[i + 1] === '-' && i + 2 < set.length ? (set[i + 2] ?? '') : from
      if (to !== from) i += 2
      if (char >= from && char <= to) return true
    }
    return false
  }
  return (char) => has(char) !== negated
}
