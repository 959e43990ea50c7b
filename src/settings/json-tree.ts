/**
 * Reads JSON into a tree that knows where everything stands, so that a problem can name its line and an edit can touch
 * just its own bytes. Understands comments, trailing commas and a byte order mark too, and reports each as slack.
 */

export type TextRange = { start: number; end: number }

export type JsonNode = JsonObjectNode | JsonArray | JsonScalar
/** `commas[i]` is where the comma after element i stands; as many commas as elements: the last one trails. */
export type JsonObjectNode = TextRange & { kind: 'object'; members: JsonMember[]; commas: number[] }
export type JsonArray = TextRange & { kind: 'array'; items: JsonNode[]; commas: number[] }
export type JsonScalar = TextRange & { kind: 'scalar'; value: string | number | boolean | null }
/** From the key to the end of the value. */
export type JsonMember = { start: number; key: string; value: JsonNode }

export type JsonSyntaxProblem = { offset: number; reason: string }

export type JsonScan = {
  /** All of it, or, when there is an `error`, what stands before that. Undefined when there is nothing. */
  root: JsonNode | undefined
  /** The text can't be read from here on. */
  error?: JsonSyntaxProblem
  /** What JSON does not have, but was understood. */
  slack: JsonSyntaxProblem[]
  comments: TextRange[]
}

const MAX_DEPTH = 100
const LINE_ENDS: readonly (string | undefined)[] = ['\n', '\r', undefined]
const WORDS = [
  ['true', true],
  ['false', false],
  ['null', null],
] as const

class Broken {
  readonly flaw: JsonSyntaxProblem
  constructor(flaw: JsonSyntaxProblem) {
    this.flaw = flaw
  }
}

export function scanJson(text: string): JsonScan {
  const scanner = new Scanner(text)
  try {
    scanner.readAll()
  } catch (error) {
    if (!(error instanceof Broken)) throw error
    scanner.scan.error = error.flaw
  }
  return scanner.scan
}

class Scanner {
  readonly scan: JsonScan = { root: undefined, slack: [], comments: [] }
  readonly #text: string
  readonly #number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  readAll(): void {
    if (this.#text.startsWith('\ufeff')) {
      this.scan.slack.push({ offset: 0, reason: 'it starts with a byte order mark' })
      this.#at = 1
    }
    this.#skipBlanks()
    if (this.#isOver()) return
    this.#readValue(0, (node) => {
      this.scan.root = node
    })
    this.#skipBlanks()
    if (!this.#isOver()) this.#fail('something stands after the end')
  }

  #fail(reason: string, offset = this.#at): never {
    throw new Broken({ offset, reason })
  }

  /** The same where something else was needed, or the text is over. */
  #failHere(reason: string): never {
    this.#fail(this.#isOver() ? 'the text ends too early' : reason)
  }

  #isOver(): boolean {
    return this.#at >= this.#text.length
  }

  #next(): string | undefined {
    return this.#text[this.#at]
  }

  #skipBlanks(): void {
    for (; !this.#isOver(); this.#at += 1) {
      if (isWhitespaceAt(this.#text, this.#at)) continue
      if (this.#next() !== '/') return
      this.#skipComment()
    }
  }

  /** Leaves the position on the last character of the comment. */
  #skipComment(): void {
    const start = this.#at
    if (this.#text.startsWith('//', this.#at)) {
      while (!LINE_ENDS.includes(this.#text[this.#at + 1])) this.#at += 1
    } else if (this.#text.startsWith('/*', this.#at)) {
      const close = this.#text.indexOf('*/', this.#at + 2)
      if (close < 0) this.#fail('a comment is not closed')
      this.#at = close + 1
    } else {
      this.#fail('a / has no place here')
    }
    this.scan.comments.push({ start, end: this.#at + 1 })
    this.scan.slack.push({ offset: start, reason: 'JSON has no comments' })
  }

  #readText(): string {
    const start = this.#at
    for (this.#at += 1; this.#next() !== '"'; this.#at += 1) {
      if (this.#isOver()) this.#fail('the quote is not closed', start)
      if (this.#text.charCodeAt(this.#at) < 0x20) this.#fail('a line break or control character stands inside quotes')
      if (this.#next() !== '\\') continue
      this.#at += 1
      if (this.#next() === 'u' && /^[0-9a-fA-F]{4}$/.test(this.#text.slice(this.#at + 1, this.#at + 5))) this.#at += 4
      else if (!'"\\/bfnrt'.includes(this.#next() ?? ' '))
        this.#fail('a backslash is followed by what JSON does not know', this.#at - 1)
    }
    this.#at += 1
    // The loop above lets through just what JSON calls a string.
    return JSON.parse(this.#text.slice(start, this.#at)) as string
  }

  #readScalar(): JsonScalar['value'] {
    if (this.#next() === '"') return this.#readText()
    for (const [word, value] of WORDS) {
      if (!this.#text.startsWith(word, this.#at)) continue
      this.#at += word.length
      return value
    }
    this.#number.lastIndex = this.#at
    const found = this.#number.exec(this.#text)?.[0]
    if (found === undefined) return this.#failHere("this isn't a JSON value")
    this.#at += found.length
    return Number(found)
  }

  /** Attached before it is filled: after an error the part that was read is still there. */
  #readValue(depth: number, attach: (node: JsonNode) => void): void {
    if (depth > MAX_DEPTH) this.#fail(`nested more than ${MAX_DEPTH} deep`)
    const start = this.#at
    if (this.#next() === '{') {
      const node: JsonObjectNode = { kind: 'object', start, end: start, members: [], commas: [] }
      attach(node)
      this.#readElements(node, '}', () => {
        if (this.#next() !== '"') this.#failHere('a key in quotes must stand here')
        const member = { start: this.#at, key: this.#readText() }
        this.#skipBlanks()
        if (this.#next() !== ':') this.#fail('a colon must stand here')
        this.#at += 1
        this.#skipBlanks()
        this.#readValue(depth + 1, (value) => node.members.push({ ...member, value }))
        return node.members.length
      })
    } else if (this.#next() === '[') {
      const node: JsonArray = { kind: 'array', start, end: start, items: [], commas: [] }
      attach(node)
      this.#readElements(node, ']', () => {
        this.#readValue(depth + 1, (item) => node.items.push(item))
        return node.items.length
      })
    } else {
      const value = this.#readScalar()
      attach({ kind: 'scalar', start, end: this.#at, value })
    }
  }

  #readElements(node: JsonObjectNode | JsonArray, close: string, readOne: () => number): void {
    let count = 0
    for (this.#at += 1; ; ) {
      this.#skipBlanks()
      if (this.#next() === close) break
      if (count > node.commas.length) this.#failHere('a comma is missing')
      count = readOne()
      this.#skipBlanks()
      if (this.#next() !== ',') continue
      node.commas.push(this.#at)
      this.#at += 1
    }
    const trailing = count > 0 && node.commas.length === count ? node.commas.at(-1) : undefined
    if (trailing !== undefined) this.scan.slack.push({ offset: trailing, reason: `a comma stands before the ${close}` })
    this.#at += 1
    node.end = this.#at
  }
}

export function isWhitespaceAt(text: string, offset: number): boolean {
  const character = text[offset]
  return character === ' ' || character === '\n' || character === '\t' || character === '\r'
}

/** As `JSON.parse` gives it: of a key that is there twice the last, and `__proto__` is a key like others. */
export function jsonNodeToValue(node: JsonNode): unknown {
  if (node.kind === 'scalar') return node.value
  if (node.kind === 'array') return node.items.map(jsonNodeToValue)
  return Object.fromEntries(node.members.map(({ key, value }) => [key, jsonNodeToValue(value)]))
}

/** Counted from 1, as editors do. */
export function lineAndColumnAt(text: string, offset: number): { line: number; column: number } {
  const lineStart = offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1
  const mark = lineStart === 0 && text.startsWith('\ufeff') && offset > 0 ? 1 : 0
  return { line: text.slice(0, lineStart).split('\n').length, column: offset - lineStart - mark + 1 }
}
