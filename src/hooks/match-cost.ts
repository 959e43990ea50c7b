/** How long a regular expression could take in the worst case, without running it. */

/**
 * An upper bound of the ways a backtracking engine can read a subject of this length: alternatives add up, what follows
 * each other multiplies, a repetition may stop after every character, and a repetition of something that can itself
 * be read in several ways has no bound worth knowing. The expression must be a valid one.
 */
export function countRegexBacktrackPaths(expression: string, length: number): number {
  let at = 0

  const alternatives = (): number => {
    let paths = sequence()
    while (expression[at] === '|') {
      at += 1
      paths += sequence()
    }
    return paths
  }

  const sequence = (): number => {
    let paths = 1
    while (at < expression.length && expression[at] !== '|' && expression[at] !== ')') {
      const once = atom()
      paths *= repeated(once, quantifier())
    }
    return paths
  }

  const atom = (): number => {
    const first = expression[at]
    at += 1
    if (first === '\\') at += 1
    if (first === '[') skipClass()
    if (first !== '(') return 1
    // (?:…), (?=…), (?<!…), (?<name>…): what stands before the content can't be read in several ways.
    const opening = /^\?(?:[:=!]|<[=!]|<[^>]*>)/.exec(expression.slice(at, at + 100))
    at += opening?.[0].length ?? 0
    const paths = alternatives()
    at += 1
    return paths
  }

  const skipClass = () => {
    while (at < expression.length && expression[at] !== ']') at += expression[at] === '\\' ? 2 : 1
    at += 1
  }

  const quantifier = (): { least: number; most: number } | undefined => {
    const found = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/.exec(expression.slice(at, at + 30))?.[0]
    if (found === undefined) return undefined
    at += found.length
    if (found.startsWith('*')) return { least: 0, most: length }
    if (found.startsWith('+')) return { least: 1, most: length }
    if (found.startsWith('?')) return { least: 0, most: 1 }
    const [, least = '0', comma, most] = /^\{(\d+)(,?)(\d*)/.exec(found) ?? []
    return { least: Number(least), most: comma === '' ? Number(least) : most === '' ? length : Number(most) }
  }

  const repeated = (once: number, times: { least: number; most: number } | undefined): number => {
    if (!times) return once
    const most = Math.min(times.most, length + 1)
    const least = Math.min(times.least, most)
    return once === 1 ? most - least + 1 : once ** (most + 1)
  }

  return alternatives()
}
