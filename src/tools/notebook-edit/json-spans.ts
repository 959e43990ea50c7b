/**
 * Where the parts of a JSON text stand, so that one can be replaced while all others keep every byte: numbers like 1.0,
 * escapes, the order and the indentation. The text must be valid JSON.
 */

export type JsonSpan = { start: number; end: number }

/** The members of the object that starts at `at`, by key; as for JSON.parse, the last of several wins. */
export function memberSpans(text: string, at: number): Map<string, JsonSpan> {
  const members = new Map<string, JsonSpan>()
  for (let next = firstInside(text, at); text[next] !== '}'; next = afterComma(text, next)) {
    const keyEnd = valueEnd(text, next)
    const start = skipBlanks(text, skipBlanks(text, keyEnd) + 1)
    const end = valueEnd(text, start)
    // A key is a JSON string.
    members.set(JSON.parse(text.slice(next, keyEnd)) as string, { start, end })
    next = end
  }
  return members
}

/** The elements of the array that starts at `at`. */
export function elementSpans(text: string, at: number): JsonSpan[] {
  const elements: JsonSpan[] = []
  for (let next = firstInside(text, at); text[next] !== ']'; next = afterComma(text, next)) {
    const end = valueEnd(text, next)
    elements.push({ start: next, end })
    next = end
  }
  return elements
}

export function skipBlanks(text: string, at: number): number {
  let next = at
  while (next < text.length && ' \t\r\n'.includes(text.charAt(next))) next += 1
  return next
}

function firstInside(text: string, at: number): number {
  return skipBlanks(text, at + 1)
}

function afterComma(text: string, at: number): number {
  const next = skipBlanks(text, at)
  return text[next] === ',' ? skipBlanks(text, next + 1) : next
}

function valueEnd(text: string, start: number): number {
  const first = text.charAt(start)
  if (first === '"') return stringEnd(text, start)
  if (first === '{' || first === '[') return nestedEnd(text, start)
  let next = start
  while (next < text.length && !' \t\r\n,]}'.includes(text.charAt(next))) next += 1
  return next
}

function nestedEnd(text: string, start: number): number {
  let depth = 0
  for (let next = start; next < text.length; next += 1) {
    const char = text.charAt(next)
    if (char === '"') next = stringEnd(text, next) - 1
    else if (char === '{' || char === '[') depth += 1
    else if (char === '}' || char === ']') depth -= 1
    if (depth === 0) return next + 1
  }
  return text.length
}

function stringEnd(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let slashes = 0
    while (text[quote - 1 - slashes] === '\\') slashes += 1
    if (slashes % 2 === 0) return quote + 1
  }
  return text.length
}
