/** Finds text that was copied from Read's output, where Kedge's tags start with `&lt;`, in the file's own form. */
import { escapeOwnTags, findOwnTags } from '../../protocol/shown/own-tags.js'
import { withPlainLineEnds } from '../files/text-encoding.js'
import { findAllOccurrences, type ReplacementRequest, replaceText } from './replace-text.js'

/** The number of characters that a tag grows by when shown. */
const LONGER = '&lt;'.length - '<'.length
const UNLIKE =
  'Some of these places have < and others &lt; in the file, although all are shown with &lt;. Change them one at a time, each with lines around it.'

/** Returns the replacement in the file's own form, or a string with the reason why that isn't possible. */
export function restoreTagsInReplacement(text: string, wanted: ReplacementRequest): ReplacementRequest | string {
  if (!findOwnTags(wanted.oldString).some(({ isShown }) => isShown)) return wanted
  const plain = withPlainLineEnds(text)
  const shown = escapeOwnTags(plain)
  const oldString = escapeOwnTags(withPlainLineEnds(wanted.oldString))
  const toPlain = placeReader(plain)
  const own = new Set(
    findAllOccurrences(shown, oldString).map((place) => plain.slice(toPlain(place), toPlain(place + oldString.length))),
  )
  const [first, second] = own
  if (first === undefined) return wanted
  if (second === undefined) return { ...wanted, oldString: first, newString: inFormOf(first, wanted.newString) }
  const problem = wanted.replaceAll ? UNLIKE : replaceText(shown, { ...wanted, oldString })
  return typeof problem === 'string' ? problem : wanted
}

/** Converts a position in the shown text to the plain text. */
function placeReader(plain: string): (place: number) => number {
  const tags = findOwnTags(plain).flatMap(({ at, isShown }) => (isShown ? [] : [at]))
  return (place) => {
    const before = tags.filter((at, index) => at + index * LONGER < place).length
    return Math.max(place - before * LONGER, before > 0 ? (tags[before - 1] ?? 0) : 0)
  }
}

/** Gives each tag of the new text the form of the old text's tag with the same index; later tags get the last form. */
function inFormOf(old: string, text: string): string {
  const forms = findOwnTags(old).map(({ isShown }) => isShown)
  const parts: string[] = []
  let done = 0
  for (const [index, { at, isShown }] of findOwnTags(text).entries()) {
    if (!isShown || (forms[index] ?? forms.at(-1))) continue
    parts.push(text.slice(done, at), '<')
    done = at + '&lt;'.length
  }
  return parts.join('') + text.slice(done)
}
