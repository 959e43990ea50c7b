/** Brace expansion as the shell does it, for braces that hold nothing but plain text: lists, sequences, and both nested. */

const MOST_WORDS = 64
const DEEPEST = 8

/** The texts `{…}` stands for; undefined when there are too many, or when it holds more than plain text. */
export function expandBraces(text: string): string[] | undefined {
  if (/["'`$\\]/.test(text) || depthOf(text) > DEEPEST || commasIn(text) >= MOST_WORDS) return undefined
  // Between upper and lower case stand characters that mean something to the shell; such a sequence is left unknown.
  for (const [, inner = ''] of text.matchAll(/\{([^{},]*)\}/g))
    if (inner.includes('..') && !sequence(inner)) return undefined
  const found = expand(text)
  return found.length <= MOST_WORDS ? found : undefined
}

/** Each makes another word at least. */
function commasIn(text: string): number {
  return text.split(',', MOST_WORDS + 1).length - 1
}

/** How deep its groups are nested; endless when they do not end. */
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  for (const char of text) {
    if (char === '{') deepest = Math.max(deepest, ++depth)
    else if (char === '}') depth -= 1
  }
  return depth === 0 ? deepest : Number.POSITIVE_INFINITY
}

/** All that follows the first group is expanded once for each of its choices. */
function expand(text: string): string[] {
  for (let open = text.indexOf('{'); open >= 0; open = text.indexOf('{', open + 1)) {
    const close = closing(text, open)
    const choices = choicesOf(text.slice(open + 1, close))
    if (!choices) continue
    const ends = expand(text.slice(close + 1))
    const found: string[] = []
    for (const choice of choices) {
      for (const end of ends) {
        found.push(text.slice(0, open) + choice + end)
        // One more than allowed is enough to know.
        if (found.length > MOST_WORDS) return found
      }
    }
    return found
  }
  return [text]
}

/** Where the group ends that begins at `open`. */
function closing(text: string, open: number): number {
  let depth = 1
  let at = open
  while (depth > 0) {
    at += 1
    if (text[at] === '{') depth += 1
    else if (text[at] === '}') depth -= 1
  }
  return at
}

/** Undefined: not a group, the braces are ordinary characters. */
function choicesOf(inner: string): string[] | undefined {
  const parts = splitAtCommas(inner)
  return parts.length > 1 ? parts.flatMap(expand) : sequence(inner)
}

function splitAtCommas(text: string): string[] {
  const parts = ['']
  let depth = 0
  for (const char of text) {
    if (char === '{') depth += 1
    else if (char === '}') depth -= 1
    if (char === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += char
  }
  return parts
}

function sequence(text: string): string[] | undefined {
  const numbers = /^(-?\d{1,9})\.\.(-?\d{1,9})(?:\.\.(-?\d{1,9}))?$/.exec(text)
  const letters = /^(?=[a-z]\.\.[a-z]|[A-Z]\.\.[A-Z])(.)\.\.(.)(?:\.\.(-?\d{1,9}))?$/.exec(text)
  const [, from = '', to = '', by = '1'] = numbers ?? letters ?? []
  if (from === '') return undefined
  const value = (end: string) => (numbers ? Number(end) : end.charCodeAt(0))
  const step = (Math.abs(Number(by)) || 1) * (value(from) <= value(to) ? 1 : -1)
  // A leading zero asks for the same width everywhere.
  const width = [from, to].some((end) => /^-?0\d/.test(end)) ? Math.max(from.length, to.length) : 0
  const found: string[] = []
  for (let at = value(from); step > 0 ? at <= value(to) : at >= value(to); at += step) {
    found.push(numbers ? padded(at, width) : String.fromCodePoint(at))
    if (found.length > MOST_WORDS) break
  }
  return found
}

function padded(number: number, width: number): string {
  const sign = number < 0 ? '-' : ''
  return sign + String(Math.abs(number)).padStart(width - sign.length, '0')
}
