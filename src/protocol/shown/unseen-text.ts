/**
 * Characters that a reader doesn't see, and texts too long to be seen whole. One definition for rules, requests on every
 * interface and texts for the model: what a person approves is what they see. Pure; the web app uses it, too.
 */

/**
 * Controls, format characters, line separators and all that Unicode calls ignorable: variation selectors, fillers, tags,
 * joiners, marks of direction. Not U+FE0F where it only makes an emoji colorful: after a pictograph, or in a keycap.
 */
export const UNSEEN_CHARACTERS_PATTERN = [
  String.raw`(?!\ufe0f)[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u2800]`,
  String.raw`(?<!\p{Extended_Pictographic}|\p{Emoji_Modifier}|[0-9#*](?=\ufe0f\u20e3))\ufe0f`,
].join('|')

/** Look like a space, and no shell takes them for one. */
export const ODD_BLANKS = String.raw`[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]`

const MARKED = new RegExp(String.raw`(?![\t\n])(?:${UNSEEN_CHARACTERS_PATTERN}|${ODD_BLANKS})`, 'gu')

/** Returns the text with every unseen character as `[U+200B]`. Nothing is left out; tabs and newlines stay. */
export function showUnseen(text: string): string {
  return text.replace(MARKED, (char) => `[U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`)
}

export type HeadAndTail = { head: string; hidden: number; tail: string }

/** The beginning and the end of a text, with the count of characters in between; `hidden` 0: `head` is all of it. */
export function cutTextMiddle(text: string, most: { characters: number; lines: number }): HeadAndTail {
  const half = Math.floor(most.characters / 2)
  const isLong = text.length > most.characters
  const rows = text.split('\n')
  if (!isLong && rows.length <= most.lines) return { head: text, hidden: 0, tail: '' }
  const first = rows.slice(0, Math.ceil(most.lines / 2)).join('\n')
  const last = rows.slice(-Math.max(1, Math.floor(most.lines / 2))).join('\n')
  const head = whole(first.length > half ? first.slice(0, half) : first)
  const tail = (last.length > half ? last.slice(-half) : last).replace(/^[\udc00-\udfff]/, '')
  return { head, hidden: text.length - head.length - tail.length, tail }
}

/** The same for one line: newlines show as ⏎. */
export function cutLineMiddle(text: string, characters: number): string {
  const { head, hidden, tail } = cutTextMiddle(text.trim().replace(/\s*\n\s*/g, ' ⏎ '), { characters, lines: 1 })
  return hidden === 0 ? head : `${head}…[${hidden} more characters]…${tail}`
}

/** Half of a surrogate pair is not a character. */
function whole(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, '')
}
