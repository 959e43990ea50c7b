/** The heart of Edit, as a pure function: finds the text, replaces it, and leaves every other character as it was. */

import { withoutByteOrderMark, withPlainLineEnds } from '../files/text-encoding.js'

export type TextReplacement = {
  /** The new content with the file's own line ends. */
  text: string
  /** Old and new content with plain line ends, for showing the change. */
  before: string
  after: string
}

export type ReplacementRequest = { oldString: string; newString: string; replaceAll: boolean }

export const STRING_NOT_FOUND_TEXT = 'String to replace not found in file.'
export const NO_CHANGES_TEXT = 'No changes to make: old_string and new_string are exactly the same.'

/** A string is the reason why nothing was replaced. */
export function replaceText(text: string, wanted: ReplacementRequest): TextReplacement | string {
  const before = withPlainLineEnds(text)
  // In a file with CRLF both spellings of a line break mean the same.
  const plain = before === text ? (s: string) => s : withPlainLineEnds
  const oldString = plain(wanted.oldString)
  const newString = plain(wanted.newString)
  if (oldString === newString) return NO_CHANGES_TEXT
  if (oldString === '') return fillEmpty(text, newString)

  const places = findAllOccurrences(before, oldString)
  if (places.length === 0) return `${STRING_NOT_FOUND_TEXT}\nString: ${wanted.oldString}`
  if (places.length > 1 && !wanted.replaceAll) {
    return `Found ${places.length} matches of the string to replace, but replace_all is false. Set it to true to change them all, or add surrounding lines to old_string so that it matches only one place.\nString: ${wanted.oldString}\n${placesOf(before, places)}`
  }
  return splice(text, before, places, oldString, newString)
}

const MAX_PLACES = 20

function placesOf(text: string, places: readonly number[]): string {
  const lines = [...new Set(places.map((place) => lineOf(text, place)))]
  const shown = lines.slice(0, MAX_PLACES).join(', ')
  const more = lines.length > MAX_PLACES ? ` and ${lines.length - MAX_PLACES} more` : ''
  return `Found at line${lines.length === 1 ? '' : 's'} ${shown}${more}.`
}

function lineOf(text: string, place: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < place; at = text.indexOf('\n', at + 1)) line += 1
  return line
}

function fillEmpty(text: string, newString: string): TextReplacement | string {
  if (withoutByteOrderMark(text) !== '') {
    return 'old_string is empty, but the file already has content. Name the text to replace, or use Write for a whole new content.'
  }
  return { text: text + newString, before: text, after: text + newString }
}

export function findAllOccurrences(text: string, wanted: string): number[] {
  const places: number[] = []
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) places.push(at)
  return places
}

/** Only the part in which old and new differ is touched, so that lines quoted for context keep their line ends. */
function splice(text: string, before: string, places: number[], oldString: string, newString: string): TextReplacement {
  const { head, tail } = sharedEnds(oldString, newString)
  const inserted = newString.slice(head, newString.length - tail)
  const native = before === text ? inserted : inserted.replaceAll('\n', mainLineEnd(text, before))
  const toRaw = placeReader(text)
  const raw: string[] = []
  const shown: string[] = []
  let doneRaw = 0
  let done = 0
  for (const place of places) {
    const [start, end] = [place + head, place + oldString.length - tail]
    raw.push(text.slice(doneRaw, toRaw(start)), native)
    shown.push(before.slice(done, start), inserted)
    doneRaw = toRaw(end)
    done = end
  }
  return { text: raw.join('') + text.slice(doneRaw), before, after: shown.join('') + before.slice(done) }
}

function sharedEnds(a: string, b: string): { head: number; tail: number } {
  const shared = Math.min(a.length, b.length)
  let head = 0
  while (head < shared && a[head] === b[head]) head += 1
  let tail = 0
  while (tail < shared - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1
  return { head, tail }
}

/** Where places of the plain text are in the text with its own line ends; asked in ascending order. */
function placeReader(text: string): (place: number) => number {
  let raw = 0
  let plain = 0
  let next = text.indexOf('\r\n')
  return (place) => {
    while (next >= 0 && plain + next - raw < place) {
      plain += next - raw + 1
      raw = next + 2
      next = text.indexOf('\r\n', raw)
    }
    return raw + place - plain
  }
}

function mainLineEnd(text: string, plain: string): string {
  const windows = text.length - plain.length
  let all = 0
  for (let at = plain.indexOf('\n'); at >= 0; at = plain.indexOf('\n', at + 1)) all += 1
  return windows * 2 > all ? '\r\n' : '\n'
}
