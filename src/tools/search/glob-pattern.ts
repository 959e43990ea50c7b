/** Globs as ripgrep and .gitignore read them, as regular expressions over relative paths with forward slashes. */

export type GlobRule = {
  matches(path: string, isFolder: boolean): boolean
  /** The pattern began with `!`. */
  negated: boolean
}

/** Undefined for an empty line or a comment. Throws a `SyntaxError` for a broken pattern. */
export function parseGlob(line: string): GlobRule | undefined {
  if (line.startsWith('#')) return undefined
  let pattern = /(?:^|[^\\])(?:\\\\)*\\ $/.test(line) ? line : line.trimEnd()
  if (pattern === '') return undefined
  const negated = pattern.startsWith('!')
  if (negated) pattern = pattern.slice(1)
  else if (/^\\[!#]/.test(pattern)) pattern = pattern.slice(1)
  const anchored = pattern.startsWith('/')
  if (anchored) pattern = pattern.slice(1)
  const foldersOnly = pattern.endsWith('/')
  if (foldersOnly) pattern = pattern.slice(0, -1)
  // Without a slash it means a name at any depth; a trailing /** means what is inside, not the folder itself.
  if (!anchored && !pattern.includes('/')) pattern = `**/${pattern}`
  if (pattern.endsWith('/**')) pattern += '/*'
  const expression = new RegExp(`^${translate(pattern)}$`, 'su')
  return { negated, matches: (path, isFolder) => (isFolder || !foldersOnly) && expression.test(path) }
}

function translate(pattern: string): string {
  let out = ''
  let depth = 0
  for (let i = 0; i < pattern.length; i += 1) {
    const stars = i === 0 || pattern[i - 1] === '/' ? /^\*\*(\/|$)/.exec(pattern.slice(i)) : null
    if (stars) {
      out += stars[1] ? '(?:.*/)?' : '.*'
      i += stars[0].length - 1
      continue
    }
    const char = pattern[i] ?? ''
    if (char === '*') out += '[^/]*'
    else if (char === '?') out += '[^/]'
    else if (char === '[') {
      const [text, source] = characterClass(pattern.slice(i))
      out += source
      i += text.length - 1
    } else if (char === '{') {
      out += '(?:'
      depth += 1
    } else if (char === '}' && depth > 0) {
      out += ')'
      depth -= 1
    } else if (char === ',' && depth > 0) out += '|'
    else if (char === '\\') {
      i += 1
      if (i === pattern.length) throw new SyntaxError('a backslash at the end escapes nothing')
      out += literal(pattern[i] ?? '')
    } else out += literal(char)
  }
  if (depth > 0) throw new SyntaxError("unclosed alternate group; missing '}'")
  return out
}

function characterClass(text: string): [string, string] {
  const match = /^\[([!^]?)(\]?[^\]]*)\]/s.exec(text)
  if (!match) throw new SyntaxError("unclosed character class; missing ']'")
  const [whole, negation, members] = match
  const source = (members ?? '').replace(/[\\[\]^]/g, '\\$&').replace(/^-|-$/g, '\\-')
  return [whole, `[${negation ? '^' : ''}${source}]`]
}

function literal(char: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(char) ? `\\${char}` : char
}
