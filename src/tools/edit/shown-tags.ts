/** Read shows the tags of Kedge in a file with `&lt;`. Finds a text that was copied from there as the file has it. */
import { findOwnTags, withoutOwnTags } from '../../protocol/shown/own-tags.js'
import { withPlainLineEnds } from '../files/text-encoding.js'
import { findAll, type Replacement, replaceText } from './replace-text.js'

/** By how much a tag is longer where it is shown. */
const LONGER = '&lt;'.length - '<'.length
const UNLIKE =
  'Some of these places have < and others &lt; in the file, although all are shown with &lt;. Change them one at a time, each with lines around it.'

/** The same replacement in the file's own form. A string: why that can't be told. */
export function asInFile(text: string, wanted: Replacement): Replacement | string {
  if (!findOwnTags(wanted.oldString).some(({ isShown }) => isShown)) return wanted
  const plain = withPlainLineEnds(text)
  const shown = withoutOwnTags(plain)
  const oldString = withoutOwnTags(withPlainLineEnds(wanted.oldString))
  const toPlain = placeReader(plain)
  const own = new Set(
    findAll(shown, oldString).map((place) => plain.slice(toPlain(place), toPlain(place + oldString.length))),
  )
  const [first, second] = own
  if (first === undefined) return wanted
  if (second === undefined) return { ...wanted, oldString: first, newString: inFormOf(first, wanted.newString) }
  const problem = wanted.replaceAll ? UNLIKE : replaceText(shown, { ...wanted, oldString })
  return typeof problem === 'string' ? problem : wanted
}

/** Where a place of the shown text is in the plain one. */
function placeReader(plain: string): (place: number) => number {
  const tags = findOwnTags(plain).flatMap(({ at, isShown }) => (isShown ? [] : [at]))
  return (place) => {
    const before = tags.filter((at, index) => at + index * LONGER < place).length
    return Math.max(place - before * LONGER, before > 0 ? (tags[before - 1] ?? 0) : 0)
  }
}

/** Each tag of a new text in the form that the tag at its turn has in the old one; the last form counts for those after it. */
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
