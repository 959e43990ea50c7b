/**
 * Reads JSON into a tree that knows where everything stands, so that a problem can name its line and an edit can touch
 * just its own bytes. Understands comments, trailing commas and a byte order mark too, and reports each as slack.
 */

export type Range = { start: number; end: number }

export type JsonNode = JsonObject | JsonArray | JsonScalar
/** `commas[i]` is where the comma after element i stands; as many commas as elements: the last one trails. */
export type JsonObject = Range & { kind: 'object'; members: JsonMember[]; commas: number[] }
export type JsonArray = Range & { kind: 'array'; items: JsonNode[]; commas: number[] }
export type JsonScalar = Range & { kind: 'scalar'; value: string | number | boolean | null }
/** From the key to the end of the value. */
export type JsonMember = { start: number; key: string; value: JsonNode }

export type Flaw = { offset: number; reason: string }

export type JsonScan = {
  /** All of it, or, when there is an `error`, what stands before that. Undefined when there is nothing. */
  root: JsonNode | undefined
  /** The text can't be read from here on. */
  error?: Flaw
  /** What JSON does not have, but was understood. */
  slack: Flaw[]
  comments: Range[]
}

const MAX_DEPTH = 100
const WORDS = [
  ['true', true],
  ['false', false],
  ['null', null],
] as const

class Broken {
  readonly flaw: Flaw
  constructor(flaw: Flaw) {
    this.flaw = flaw
  }
}

export function scanJson(text: string): JsonScan {
  const scan: JsonScan = { root: undefined, slack: [], comments: [] }
  const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
  let at = 0

  const fail = (reason: string, offset = at): never => {
    throw new Broken({ offset, reason })
  }

  const skipBlanks = () => {
    for (; at < text.length; at += 1) {
      if (isBlank(text, at)) continue
      if (text[at] !== '/') return
      skipComment()
    }
  }

  /** Leaves `at` on the last character of the comment. */
  const skipComment = () => {
    const start = at
    if (text.startsWith('//', at)) {
      while (at + 1 < text.length && text[at + 1] !== '\n' && text[at + 1] !== '\r') at += 1
    } else if (text.startsWith('/*', at)) {
      const close = text.indexOf('*/', at + 2)
      if (close < 0) fail('a comment is not closed')
      at = close + 1
    } else {
      fail('a / has no place here')
    }
    scan.comments.push({ start, end: at + 1 })
    scan.slack.push({ offset: start, reason: 'JSON has no comments' })
  }

  const readText = (): string => {
    const start = at
    for (at += 1; text[at] !== '"'; at += 1) {
      if (at >= text.length) fail('the quote is not closed', start)
      if (text.charCodeAt(at) < 0x20) fail('a line break or control character stands inside quotes')
      if (text[at] !== '\\') continue
      at += 1
      if (text[at] === 'u' && /^[0-9a-fA-F]{4}$/.test(text.slice(at + 1, at + 5))) at += 4
      else if (!'"\\/bfnrt'.includes(text[at] ?? ' '))
        fail('a backslash is followed by what JSON does not know', at - 1)
    }
    at += 1
    // The loop above lets through just what JSON calls a string.
    return JSON.parse(text.slice(start, at)) as string
  }

  const readScalar = (): JsonScalar['value'] => {
    if (text[at] === '"') return readText()
    for (const [word, value] of WORDS) {
      if (!text.startsWith(word, at)) continue
      at += word.length
      return value
    }
    number.lastIndex = at
    const found = number.exec(text)?.[0]
    if (found === undefined) return fail(at < text.length ? 'this is no JSON value' : 'the text ends too early')
    at += found.length
    return Number(found)
  }

  /** Attached before it is filled: after an error the part that was read is still there. */
  const readValue = (depth: number, attach: (node: JsonNode) => void): void => {
    if (depth > MAX_DEPTH) fail(`nested more than ${MAX_DEPTH} deep`)
    const start = at
    if (text[at] === '{') {
      const node: JsonObject = { kind: 'object', start, end: start, members: [], commas: [] }
      attach(node)
      readElements(node, '}', () => {
        if (text[at] !== '"') fail(at < text.length ? 'a key in quotes must stand here' : 'the text ends too early')
        const member = { start: at, key: readText() }
        skipBlanks()
        if (text[at] !== ':') fail('a colon must stand here')
        at += 1
        skipBlanks()
        readValue(depth + 1, (value) => node.members.push({ ...member, value }))
        return node.members.length
      })
    } else if (text[at] === '[') {
      const node: JsonArray = { kind: 'array', start, end: start, items: [], commas: [] }
      attach(node)
      readElements(node, ']', () => {
        readValue(depth + 1, (item) => node.items.push(item))
        return node.items.length
      })
    } else {
      const value = readScalar()
      attach({ kind: 'scalar', start, end: at, value })
    }
  }

  const readElements = (node: JsonObject | JsonArray, close: string, readOne: () => number) => {
    let count = 0
    for (at += 1; ; ) {
      skipBlanks()
      if (text[at] === close) break
      if (count > node.commas.length) fail(at < text.length ? 'a comma is missing' : 'the text ends too early')
      count = readOne()
      skipBlanks()
      if (text[at] !== ',') continue
      node.commas.push(at)
      at += 1
    }
    const trailing = count > 0 && node.commas.length === count ? node.commas.at(-1) : undefined
    if (trailing !== undefined) scan.slack.push({ offset: trailing, reason: `a comma stands before the ${close}` })
    at += 1
    node.end = at
  }

  try {
    if (text.startsWith('\ufeff')) {
      scan.slack.push({ offset: 0, reason: 'it starts with a byte order mark' })
      at = 1
    }
    skipBlanks()
    if (at === text.length) return scan
    readValue(0, (node) => {
      scan.root = node
    })
    skipBlanks()
    if (at < text.length) fail('something stands after the end')
  } catch (error) {
    if (!(error instanceof Broken)) throw error
    scan.error = error.flaw
  }
  return scan
}

export function isBlank(text: string, offset: number): boolean {
  const character = text[offset]
  return character === ' ' || character === '\n' || character === '\t' || character === '\r'
}

/** As `JSON.parse` gives it: of a key that is there twice the last, and `__proto__` is a key like others. */
export function plainValue(node: JsonNode): unknown {
  if (node.kind === 'scalar') return node.value
  if (node.kind === 'array') return node.items.map(plainValue)
  return Object.fromEntries(node.members.map(({ key, value }) => [key, plainValue(value)]))
}

/** Counted from 1, as editors do. */
export function positionOf(text: string, offset: number): { line: number; column: number } {
  const lineStart = offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1
  const mark = lineStart === 0 && text.startsWith('\ufeff') && offset > 0 ? 1 : 0
  return { line: text.slice(0, lineStart).split('\n').length, column: offset - lineStart - mark + 1 }
}
