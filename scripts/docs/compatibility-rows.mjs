// What the pages on compatibility say of a name: whether it is as in the original, and if not, how it differs.
import { compatibilityText } from './compatibility-pages.mjs'

/** A function `(name, headings) → { state, note, heading } | undefined`. */
export function compatibilityOf(root) {
  const rows = new Map()
  let heading = ''
  for (const line of compatibilityText(root).split('\n')) {
    if (line.startsWith('## ')) heading = line.slice(3)
    const [, name, state, note] = /^\| `([^`]+)` \| (works|differs|refused|later) \| (.*?) \|/.exec(line) ?? []
    if (name !== undefined) rows.set(`${heading}/${name}`, { state, note, heading })
  }
  return (name, headings) => headings.map((each) => rows.get(`${each}/${name}`)).find((row) => row !== undefined)
}

/** In a few words. Ours alone where the row says so; nothing where it is as in the original. */
export function comparedWith(row) {
  if (row === undefined) return ''
  if (row.state === 'works') return /^Ours\b/.test(row.note) ? 'Not in the original.' : row.note
  return `${{ differs: 'Differs', refused: 'Refused', later: 'Later' }[row.state]}: ${row.note || 'see the table.'}`
}
