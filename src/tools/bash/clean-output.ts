/** Makes the output of a command fit to be read: no escape sequences, no blank edges, not too long. */

/** CSI, OSC, other strings up to their terminator, and the two-character sequences; 7-bit and 8-bit forms. */
const ESCAPES =
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|(?:\x1b\]|\x9d)[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)|(?:\x1b[PX^_]|[\x90\x98\x9e\x9f])[^\x1b\x9c]*(?:\x1b\\|\x9c)|\x1b[ -/]*[0-~]/g
const UNFINISHED_ESCAPE = /\x1b(?:\[[0-?]*[ -/]*|\][^\x07\x1b]*\x1b?|[PX^_][^\x1b]*\x1b?|[ -/]*)$/
const CONTROLS = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g
/** An escape that has not ended after so many characters is none. */
const MAX_ESCAPE = 4096

export function stripEscapes(text: string): string {
  return text.replace(ESCAPES, '').replace(CONTROLS, '')
}

/** The same for text in pieces; a sequence that is split over two of them goes too. */
export function createEscapeFilter(): (chunk: string) => string {
  let held = ''
  return (chunk) => {
    const text = held + chunk
    const start = text.search(UNFINISHED_ESCAPE)
    const end = start === -1 || text.length - start > MAX_ESCAPE ? text.length : start
    held = text.slice(end)
    return stripEscapes(text.slice(0, end))
  }
}

/** Without leading empty lines and trailing blanks. */
export function trimOutput(text: string): string {
  return text.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd()
}

/** Keeps the beginning and the end. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text
  const head = Math.ceil(limit / 2)
  const tail = limit - head
  const left = text.length - limit
  return `${text.slice(0, head)}\n\n[… ${left} characters left out …]\n\n${text.slice(text.length - tail)}`
}
