/** Text that other people wrote, made safe to show: nothing in it moves a cursor, reverses a line or can't be seen. */
import { UNSEEN_CHARACTERS_PATTERN } from '../protocol/shown/unseen-text.js'

/** Not line ends and tabs, nor what stands inside words of many scripts and inside emoji (U+200C, U+200D). */
const INVISIBLE = new RegExp(String.raw`(?![\t\n\r\u200c\u200d])(?:${UNSEEN_CHARACTERS_PATTERN})`, 'gu')

/** What a person does not see, the model is not given either. */
export function withoutInvisible(text: string): { text: string; removed: number } {
  let removed = 0
  const visible = text.replace(INVISIBLE, () => {
    removed += 1
    return ''
  })
  return { text: visible, removed }
}

/** One line of at most `max` characters. */
export function oneLine(text: string, max: number): string {
  const line = withoutInvisible(text.slice(0, max * 4))
    .text.replace(/\s+/g, ' ')
    .trim()
  const characters = [...line]
  return characters.length > max
    ? `${characters
        .slice(0, max - 1)
        .join('')
        .trimEnd()}…`
    : line
}

const ANY_UNSEEN = new RegExp(UNSEEN_CHARACTERS_PATTERN, 'gu')

/** For messages: paths and words as they are, except for what would garble a terminal. */
export function printableText(text: string, max = 4096): string {
  const cut = text.length > max ? `${text.slice(0, max)}…` : text
  return cut.replace(ANY_UNSEEN, '\ufffd')
}

/**
 * Any text for a terminal: lines and tabs stay, and so does what joins letters and emoji; every other control, and every
 * mark that takes no place or changes the direction of writing, becomes something that can be seen.
 */
export function terminalSafeText(text: string, mark: (character: string) => string = () => '\ufffd'): string {
  const unix = text.replaceAll('\r\n', '\n')
  return unix.replace(ANY_UNSEEN, (found) => (HARMLESS.includes(found) ? found : mark(found)))
}

const HARMLESS = ['\n', '\t', '\u00ad', '\u200c', '\u200d']
