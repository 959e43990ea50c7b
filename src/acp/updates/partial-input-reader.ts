/** The input of a call while the model writes it: says which fields are finished, without reading anything twice. */

/** Longest input, in characters, whose fields are shown before the input is complete. */
const MAX_LENGTH = 64_000

export class PartialInputReader {
  #text = ''
  #depth = 0
  #inString = false
  #isEscaped = false
  /** Where the last field that is finished ends. */
  #end = 0
  #shown = 0

  /** The finished fields, when there are more of them than before. */
  add(piece: string): Record<string, unknown> | undefined {
    if (this.#text.length > MAX_LENGTH) return undefined
    const from = this.#text.length
    this.#text += piece
    for (let at = from; at < this.#text.length; at += 1) this.#read(this.#text.charAt(at), at)
    if (this.#end === this.#shown) return undefined
    this.#shown = this.#end
    return parse(`${this.#text.slice(0, this.#end)}}`)
  }

  #read(character: string, at: number): void {
    if (this.#inString) {
      if (this.#isEscaped) this.#isEscaped = false
      else if (character === '\\') this.#isEscaped = true
      else if (character === '"') this.#inString = false
      return
    }
    if (character === '"') this.#inString = true
    else if (character === '{' || character === '[') this.#depth += 1
    else if (character === '}' || character === ']') this.#depth -= 1
    else if (character === ',' && this.#depth === 1) this.#end = at
  }
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
