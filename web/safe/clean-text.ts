/** What models, tools and strangers wrote, as text that can only be text: no controls, nothing that turns lines around. */
import {
  cutLineMiddle,
  showUnseen as exactly,
  UNSEEN_CHARACTERS_PATTERN,
} from '../../src/protocol/shown/unseen-text.js'

const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g
/** Can't be seen, or show a text in another order than it is in. Not what joins letters and emoji. */
const HIDDEN = new RegExp(String.raw`(?![\t\n\u00ad\u200c\u200d])(?:${UNSEEN_CHARACTERS_PATTERN})`, 'gu')
const ESCAPES =
  /\u001b(?:\[[0-9;?<>=!]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[PX^_][^\u001b]*(?:\u001b\\)?|[@-Z\\-_])/g

export function toDisplaySafeText(text: string): string {
  return showHiddenCharacters(withoutControls(text))
}

export function withoutControls(text: string): string {
  return text.replace(ESCAPES, '').replace(/\r\n?/g, '\n').replace(CONTROLS, '')
}

/** Something on one line: a name, a path, a title. */
export function toDisplaySafeLine(text: string, most = 300): string {
  const line = toDisplaySafeText(text).replace(/\s+/g, ' ').trim()
  return line.length > most ? `${line.slice(0, most)}…` : line
}

export function showHiddenCharacters(text: string): string {
  return text.replace(HIDDEN, (char) => `[U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`)
}

/** Text that a user decides about: nothing is left out, and every invisible character is marked. */
export { cutTextMiddle, showUnseen as exact } from '../../src/protocol/shown/unseen-text.js'

/** The same on one line; of a long one the beginning and the end. */
export function exactDisplayLine(text: string, most = 300): string {
  return cutLineMiddle(exactly(text), most)
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
export function toStringOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
