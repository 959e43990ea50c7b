/** Makes the output of a command fit to be read: no escape sequences, no control characters, no blank edges. */

/**
 * CSI, OSC, other strings up to their terminator, and the two-character sequences; 7-bit and 8-bit forms. A string ends
 * before the next control of its kind, so that no text makes the search go over it again and again.
 */
const ESCAPES =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b\]|\x9d)[^\x07\x1b\x90-\x9f]*(?:\x07|\x1b\\|\x9c)|(?:\x1b[PX^_]|[\x90\x98\x9e\x9f])[^\x1b\x90-\x9f]*(?:\x1b\\|\x9c)|\x1b[ -/]*[0-~]/g
const UNFINISHED_ESCAPE = /\x1b(?:\[[0-?]*[ -/]*|\][^\x07\x1b]*\x1b?|[PX^_][^\x1b]*\x1b?|[ -/]*)$/
const CONTROLS = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g
/** An escape that has not ended after so many characters is none. */
const MAX_ESCAPE = 4096

export function stripEscapes(text: string): string {
  // Most text has none of them, and one search is cheaper than two replacements.
  return text.search(CONTROLS) === -1 ? text : text.replace(ESCAPES, '').replace(CONTROLS, '')
}

export type SafeTextDecoder = {
  /** What can be shown of the bytes so far and was not shown before. */
  take(bytes: Uint8Array): string
  /** What was held back. */
  rest(): string
}

/** Bytes in pieces to text that is safe to show: invalid UTF-8 replaced, escapes stripped also where a piece ends in one. */
export function createSafeTextDecoder(): SafeTextDecoder {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let held = ''
  return {
    take(bytes) {
      const text = held + decoder.decode(bytes, { stream: true })
      const start = text.search(UNFINISHED_ESCAPE)
      const end = start === -1 || text.length - start > MAX_ESCAPE ? text.length : start
      held = text.slice(end)
      return stripEscapes(text.slice(0, end))
    },
    rest() {
      const text = held + decoder.decode()
      held = ''
      return stripEscapes(text)
    },
  }
}

/** Returns a command's output without leading empty lines and trailing blanks. */
export function trimOutput(text: string): string {
  return text.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd()
}
