/** The part of TOML that configurations of MCP servers use: tables, texts, numbers, switches, lists, and inline tables. */
import type { JsonObject } from '../../../protocol/json.js'

const BARE = /^[A-Za-z0-9_-]+/
const NUMBER = /^[+-]?\d[\d_]*(?:\.\d+)?/
const ESCAPES: Readonly<Record<string, string>> = { b: '\b', t: '\t', n: '\n', f: '\f', r: '\r', '"': '"', '\\': '\\' }
const MOST_DEPTH = 50

/** Throws with the line, if the text isn't TOML or uses another part of it. */
export function readTomlTables(text: string): JsonObject {
  return new TomlReader(text).read()
}

class TomlReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text.replace(/^\uFEFF/, '')
  }

  read(): JsonObject {
    const root: JsonObject = Object.create(null)
    let table = root
    for (;;) {
      this.#skip(true)
      if (this.#at >= this.#text.length) return root
      if (this.#take('[[')) {
        // Lists of tables hold nothing of servers: what is in one is read and left.
        this.#keys()
        this.#expect(']]')
        table = Object.create(null)
      } else if (this.#take('[')) {
        table = this.#tableAt(root, this.#keys())
        this.#expect(']')
      } else this.#pair(table)
      this.#skip(false)
      if (this.#at < this.#text.length && !/[\r\n]/.test(this.#peek())) this.#fail('expected the end of the line')
    }
  }

  #pair(table: JsonObject, depth = 0): void {
    const keys = this.#keys()
    this.#expect('=')
    this.#skip(false)
    const last = keys.pop() ?? ''
    const target = this.#tableAt(table, keys)
    if (last in target) this.#fail(`${last} is set twice`)
    target[last] = this.#value(depth)
  }

  #tableAt(from: JsonObject, keys: readonly string[]): JsonObject {
    let table = from
    for (const key of keys) {
      const inner = table[key] ?? Object.create(null)
      if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) this.#fail(`${key} isn't a table`)
      table[key] = inner
      table = inner as JsonObject // checked above
    }
    return table
  }

  #keys(): string[] {
    const keys: string[] = []
    do {
      this.#skip(false)
      const quote = this.#peek()
      if (quote === '"' || quote === "'") keys.push(this.#string())
      else {
        const [bare] = BARE.exec(this.#text.slice(this.#at, this.#at + 200)) ?? []
        if (bare === undefined) this.#fail('expected a key')
        keys.push(bare)
        this.#at += bare.length
      }
      this.#skip(false)
    } while (this.#take('.'))
    return keys
  }

  #value(depth: number): unknown {
    if (depth > MOST_DEPTH) this.#fail('it is nested too deeply')
    const first = this.#peek()
    if (first === '"' || first === "'") return this.#string()
    if (this.#take('[')) return this.#list(depth)
    if (this.#take('{')) return this.#inlineTable(depth)
    if (this.#take('true')) return true
    if (this.#take('false')) return false
    const [number] = NUMBER.exec(this.#text.slice(this.#at, this.#at + 50)) ?? []
    if (number === undefined) this.#fail('expected a value')
    this.#at += number.length
    return Number(number.replaceAll('_', ''))
  }

  #list(depth: number): unknown[] {
    const items: unknown[] = []
    for (;;) {
      this.#skip(true)
      if (this.#take(']')) return items
      items.push(this.#value(depth + 1))
      this.#skip(true)
      if (!this.#take(',')) {
        this.#expect(']')
        return items
      }
    }
  }

  #inlineTable(depth: number): JsonObject {
    const table: JsonObject = Object.create(null)
    this.#skip(false)
    if (this.#take('}')) return table
    for (;;) {
      this.#pair(table, depth + 1)
      this.#skip(false)
      if (!this.#take(',')) break
    }
    this.#expect('}')
    return table
  }

  #string(): string {
    const quote = this.#peek()
    const long = quote.repeat(3)
    const isLong = this.#take(long)
    if (!isLong) this.#at += 1
    const end = isLong ? long : quote
    if (isLong) this.#take('\r\n') || this.#take('\n')
    let text = ''
    while (!this.#take(end)) {
      const next = this.#peek()
      if (next === '' || (!isLong && /[\r\n]/.test(next))) this.#fail('a text has no end')
      this.#at += 1
      text += next === '\\' && quote === '"' ? this.#escape() : next
    }
    return text
  }

  #escape(): string {
    const letter = this.#peek()
    this.#at += 1
    const known = ESCAPES[letter]
    if (known !== undefined) return known
    const length = letter === 'u' ? 4 : letter === 'U' ? 8 : this.#fail(`\\${letter} isn't an escape`)
    const code = this.#text.slice(this.#at, this.#at + length)
    const point = Number.parseInt(code, 16)
    if (!/^[0-9a-f]+$/i.test(code) || point > 0x10ffff) this.#fail('an escape is wrong')
    this.#at += length
    return String.fromCodePoint(point)
  }

  #skip(lines: boolean): void {
    const blank = lines ? /\s/ : /[ \t]/
    for (;;) {
      while (blank.test(this.#peek())) this.#at += 1
      if (this.#peek() !== '#') return
      while (this.#at < this.#text.length && this.#peek() !== '\n') this.#at += 1
    }
  }

  #peek(): string {
    return this.#text.charAt(this.#at)
  }

  #take(word: string): boolean {
    if (!this.#text.startsWith(word, this.#at)) return false
    this.#at += word.length
    return true
  }

  #expect(word: string): void {
    this.#skip(false)
    if (!this.#take(word)) this.#fail(`expected ${word}`)
  }

  #fail(problem: string): never {
    const line = this.#text.slice(0, this.#at).split('\n').length
    throw new Error(`line ${line}: ${problem}`)
  }
}
