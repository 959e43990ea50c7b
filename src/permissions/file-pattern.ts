/** File patterns of rules: gitignore syntax under an anchor, matched segment by segment in bounded time. */
import { basename, dirname, join, resolve } from '../platform/posix-paths.js'
import { compileWildcard, matchesWildcard } from './wildcard.js'

export type FilePattern = {
  /** The folder the pattern starts from; absolute. */
  readonly base: string
  readonly segments: readonly string[]
  /** A match covers what is below it. Not when allowing by a glob: there one star stays in its folder. */
  readonly deep: boolean
  /** The segments made ready, because searches ask about every file they find. */
  readonly matchers: readonly SegmentMatcher[]
}

type SegmentMatcher = '**' | ((name: string) => boolean)

export function createFilePattern(base: string, segments: readonly string[], deep: boolean): FilePattern {
  return { base, segments, deep, matchers: segments.map((s) => (s === '**' ? s : compileSegment(s))) }
}

/**
 * `//x` starts at the root, `~/x` at home, `/x` at `root` (the folder of the rule's source), anything else at `cwd`.
 * A name without a slash matches at any depth. `dir/**` does so too when it forbids, but not when it allows.
 */
export function compileFilePattern(
  pattern: string,
  where: { cwd: string; home: string },
  root: string,
  forbids: boolean,
): FilePattern {
  const { base, rest, anchored } = anchorOf(pattern, where, root)
  const names = withoutParents(rest.split('/'))
  // A folder by itself, as `~/` or `.`: to forbid it is to forbid what is in it; as permission it says too little.
  if (names.length === 0) return createFilePattern(base, forbids ? ['**'] : [], forbids)
  const single = names.length === 1 || (names.length === 2 && names[1] === '**' && forbids)
  const deep = forbids || rest.endsWith('/') || !names.slice(-1).some((name) => /[*?[]/.test(name))
  const segments = !anchored && single && names[0] !== '**' ? ['**', ...names] : names
  return createFilePattern(base, segments, deep)
}

/** The names up to the first one that is open; what follows is matched below them. */
export function fixedPathOfPattern({ base, segments }: FilePattern): string {
  const open = segments.findIndex(isOpen)
  return join(base, ...segments.slice(0, open < 0 ? undefined : open))
}

/** Returns the same pattern when its firm part is reached by another path. */
export function rebaseFilePattern(path: string, { segments, deep }: FilePattern): FilePattern {
  const open = segments.findIndex(isOpen)
  if (open >= 0) return createFilePattern(path, segments.slice(open), deep)
  // All of it is firm: the last name stays a segment, so that the place itself matches.
  return createFilePattern(dirname(path), [escapeFilePattern(basename(path))], deep)
}

/** Written so that the pattern matches exactly this text. */
export function escapeFilePattern(text: string): string {
  return text.replace(/[*?[\\]/g, '\\$&')
}

/** Returns whether a file pattern covers a path. `path` is absolute, normal and folded like the pattern. */
export function matchesFile(pattern: FilePattern, path: string): boolean {
  const names = below(path, pattern.base)
  return names !== undefined && matchSegments(pattern.matchers, names, pattern.deep)
}

/** Could something in this folder, at any depth, match? */
export function mayMatchInside(pattern: FilePattern, folder: string): boolean {
  const start = fixedPathOfPattern(pattern)
  return below(start, folder) !== undefined || (pattern.segments.some(isOpen) && below(folder, start) !== undefined)
}

function isOpen(segment: string): boolean {
  return /[*?[\\]/.test(segment)
}

function anchorOf(pattern: string, where: { cwd: string; home: string }, root: string) {
  if (pattern.startsWith('//')) return { base: '/', rest: pattern.slice(2), anchored: true }
  if (/^~(?:\/|$)/.test(pattern)) return { base: where.home, rest: pattern.slice(2), anchored: true }
  if (pattern.startsWith('/')) return { base: root, rest: pattern.slice(1), anchored: true }
  let base = where.cwd
  let rest = pattern.replace(/^(?:\.\/+)+/, '')
  while (/^\.\.(?:\/|$)/.test(rest)) {
    base = resolve(base, '..')
    rest = rest.replace(/^\.\.\/*/, '')
  }
  return { base, rest, anchored: base !== where.cwd }
}

/** `a/../b` is `b`; gitignore would match nothing by it, and a rule that forbids nothing is a trap. */
function withoutParents(names: readonly string[]): string[] {
  const kept: string[] = []
  for (const name of names) {
    if (name === '..') kept.pop()
    else if (name !== '' && name !== '.') kept.push(name)
  }
  return kept
}

function below(path: string, folder: string): string[] | undefined {
  if (path === folder) return []
  const prefix = folder.endsWith('/') ? folder : `${folder}/`
  return path.startsWith(prefix) ? path.slice(prefix.length).split('/') : undefined
}

/** Which of the names in a folder match by themselves. The folder is gone through once, however many names it has. */
export function matcherForNamesInFolder(
  { base, matchers, deep }: FilePattern,
  folder: string,
): (name: string) => boolean {
  const above = below(folder, base)
  if (!above) return () => false
  const reached = after(matchers, above, deep)
  if (reached === 'match') return () => true
  return (name) => isMatch(matchers, advance(matchers, reached, name))
}

/** True when the pattern matches the path or, if `deep`, one of the folders that hold it. */
function matchSegments(segments: readonly SegmentMatcher[], names: readonly string[], deep: boolean): boolean {
  const reached = after(segments, names, deep)
  return reached === 'match' || (names.length > 0 && isMatch(segments, reached))
}

/** States: at `i` it says whether the first `i` segments match the names so far. */
type States = readonly boolean[]

function isMatch(segments: readonly SegmentMatcher[], reached: States): boolean {
  return reached[segments.length] === true
}

function after(segments: readonly SegmentMatcher[], names: readonly string[], deep: boolean): States | 'match' {
  let reached = close(segments, [true])
  for (const name of names) {
    reached = advance(segments, reached, name)
    if (deep && isMatch(segments, reached)) return 'match'
  }
  return reached
}

function advance(segments: readonly SegmentMatcher[], reached: States, name: string): States {
  const next: boolean[] = []
  segments.forEach((segment, i) => {
    if (!reached[i]) return
    if (segment === '**') {
      next[i] = true
      if (i === segments.length - 1) next[i + 1] = true
    } else if (segment(name)) next[i + 1] = true
  })
  return close(segments, next)
}

/** A `**` may stand for no folder, but not at the end. */
function close(segments: readonly SegmentMatcher[], states: boolean[]): States {
  segments.forEach((segment, i) => {
    if (segment === '**' && i < segments.length - 1 && states[i]) states[i + 1] = true
  })
  return states
}

/** One segment: `*`, `?`, `[a-z]`, `[!x]`, `[[:alpha:]]`, and `\` before a character that means itself. */
function compileSegment(segment: string): (name: string) => boolean {
  if (!isOpen(segment)) return (name) => name === segment
  if (!/[?[\\]/.test(segment)) {
    const wildcard = compileWildcard(segment)
    return (name) => matchesWildcard(wildcard, name)
  }
  const tokens = tokensOf(segment)
  return (name) => matchTokens(tokens, name)
}

/** A character at a time: no pattern can be made slow by the name it is held against. */
function matchTokens(tokens: readonly Token[], name: string): boolean {
  const close = (states: boolean[]) => {
    tokens.forEach((token, i) => {
      if (token === '*' && states[i]) states[i + 1] = true
    })
  }
  let reached = [true]
  close(reached)
  for (const char of name) {
    const next: boolean[] = []
    tokens.forEach((token, i) => {
      if (!reached[i]) return
      if (token === '*') next[i] = true
      else if (token(char)) next[i + 1] = true
    })
    close(next)
    reached = next
  }
  return reached[tokens.length] === true
}

type Token = '*' | ((char: string) => boolean)

/** An escaped character; a class, in which a `]` at its start is one of its characters; stars; `?`; any other character. */
const TOKEN = /\\(.)|\[([!^]?)(\](?:\[:\w+:\]|[^\]])*|(?:\[:\w+:\]|[^\]])+)\]|(\*+)|(\?)|(.)/gsu
/** What stands in a class: a named class, a range, a character. */
const MEMBER = /\[:(\w+):\]|(.)-(.)|(.)/gsu

function tokensOf(pattern: string): Token[] {
  return [...pattern.matchAll(TOKEN)].map(([, escaped, negation, members, stars, any, literal]) => {
    if (stars !== undefined) return '*'
    if (any !== undefined) return () => true
    if (members !== undefined) return classOf(members, negation !== '')
    return (char) => char === (escaped ?? literal)
  })
}

const NAMED_CLASSES = new Map([
  ['alnum', /[\p{L}\p{N}]/u],
  ['alpha', /\p{L}/u],
  ['digit', /\d/],
  ['lower', /\p{Ll}/u],
  ['punct', /[!-/:-@[-`{-~]/],
  ['space', /\s/],
  ['upper', /\p{Lu}/u],
  ['xdigit', /[\da-f]/i],
])

function classOf(members: string, negated: boolean): (char: string) => boolean {
  const tests = [...members.matchAll(MEMBER)].map(([, named, from, to, single]) => (char: string) => {
    if (named !== undefined) return NAMED_CLASSES.get(named)?.test(char) === true
    return from !== undefined && to !== undefined ? char >= from && char <= to : char === single
  })
  return (char) => tests.some((test) => test(char)) !== negated
}
