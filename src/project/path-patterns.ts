/** Patterns of paths such as `src/**\/*.{ts,tsx}`, matched without going back and forth: they come from strangers. */

const MAX_LENGTH = 500
const MAX_CHOICES = 64

/** `path` is relative, divided by `/`. A pattern that is too long or has too many choices matches nothing. */
export function matchesGlob(path: string, pattern: string): boolean {
  if (pattern.length > MAX_LENGTH) return false
  const segments = path.split('/')
  return (expandBraces(pattern) ?? []).some((one) => matchSegments(segments, one.replace(/^\.?\//, '').split('/')))
}

/** `{a,b}` as two patterns; undefined when there are too many. */
function expandBraces(pattern: string): string[] | undefined {
  let done: string[] = ['']
  let rest = pattern
  for (let found = /\{([^{}]*)\}/.exec(rest); found; found = /\{([^{}]*)\}/.exec(rest)) {
    const before = rest.slice(0, found.index)
    const choices = (found[1] ?? '').split(',')
    done = done.flatMap((start) => choices.map((choice) => start + before + choice))
    if (done.length > MAX_CHOICES) return undefined
    rest = rest.slice(found.index + found[0].length)
  }
  return done.map((start) => start + rest)
}

/** Which prefixes of the path the pattern has matched so far; `**` stands for any number of folders. */
function matchSegments(path: readonly string[], pattern: readonly string[]): boolean {
  let reached = new Set([0])
  for (const part of pattern) {
    const next = new Set<number>()
    if (part === '**') {
      const first = Math.min(...reached)
      for (let at = first; at <= path.length; at += 1) next.add(at)
    } else {
      for (const at of reached) {
        const segment = path[at]
        if (segment !== undefined && matchSegment(segment, part)) next.add(at + 1)
      }
    }
    if (next.size === 0) return false
    reached = next
  }
  // `src/**` means what is below src, not src itself, which isn't a file anyway.
  return reached.has(path.length)
}

/** `*` and `?` within one name: on a mismatch only the last `*` takes one character more. */
function matchSegment(text: string, pattern: string): boolean {
  let at = 0
  let star = -1
  let resume = 0
  let index = 0
  while (at < text.length) {
    if (pattern[index] === '*') {
      star = index
      resume = at
      index += 1
    } else if (index < pattern.length && (pattern[index] === '?' || pattern[index] === text[at])) {
      index += 1
      at += 1
    } else if (star !== -1) {
      resume += 1
      at = resume
      index = star + 1
    } else return false
  }
  while (pattern[index] === '*') index += 1
  return index === pattern.length
}
