/** Patterns with `*` for any text, matched without backtracking, so that no rule can be made slow by what it is held against. */

/** The literal texts between the stars; one element means there is no star. */
export type Wildcard = readonly string[]

/** `\*` is a star that means itself; any other backslash is an ordinary character. */
export function compileWildcard(pattern: string): Wildcard {
  const parts: string[] = []
  let literal = ''
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern[i]
    if (char === '\\' && pattern[i + 1] === '*') {
      literal += '*'
      i += 1
    } else if (char === '*') {
      parts.push(literal)
      literal = ''
    } else literal += char
  }
  return [...parts, literal]
}

export function matchesWildcard(wildcard: Wildcard, text: string): boolean {
  const [first = '', ...inner] = wildcard
  const last = inner.pop()
  if (last === undefined) return text === first
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false
  const end = text.length - last.length
  let from = first.length
  for (const literal of inner) {
    const at = text.indexOf(literal, from)
    if (at < 0 || at + literal.length > end) return false
    from = at + literal.length
  }
  return true
}

/** Written so that the compiled pattern matches exactly this text. */
export function escapeWildcard(text: string): string {
  return text.replaceAll('*', '\\*')
}
