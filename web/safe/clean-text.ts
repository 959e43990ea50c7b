/** What models, tools and strangers wrote, as text that can only be text: no controls, nothing that turns lines around. */

const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g
/** They would show a text in another order than it is in. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g
/** They can't be seen at all. */
const HIDDEN = /[\u200b\u2060\ufeff\u{e0000}-\u{e007f}]/gu
const ESCAPES =
  /\u001b(?:\[[0-9;?<>=!]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[PX^_][^\u001b]*(?:\u001b\\)?|[@-Z\\-_])/g

export function clean(text: string): string {
  return withMarks(text.replace(ESCAPES, '').replace(/\r\n?/g, '\n').replace(CONTROLS, ''))
}

/** Something on one line: a name, a path, a title. */
export function cleanLine(text: string, most = 300): string {
  const line = clean(text).replace(/\s+/g, ' ').trim()
  return line.length > most ? `${line.slice(0, most)}…` : line
}

export function withMarks(text: string): string {
  return text
    .replace(TURNING, (char) => `[U+${char.charCodeAt(0).toString(16).toUpperCase()}]`)
    .replace(HIDDEN, (char) => `[U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase()}]`)
}

/** An address a link may lead to, in full; undefined: it is shown as text. */
export function safeAddress(text: string): URL | undefined {
  try {
    const url = new URL(text)
    return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url : undefined
  } catch {
    return undefined
  }
}

/** A string as it is; of anything else, nothing. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
