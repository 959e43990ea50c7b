/** Adding to the end of a text as an edit: which unique piece at the end is replaced by what. */

/**
 * Returns the Edit input that adds text at the end of a file. `undefined` for an empty text: there is nothing to hold
 * on to.
 */
export function toAppendingEdit(text: string, added: string): { old_string: string; new_string: string } | undefined {
  if (text === '') return undefined
  const end = uniqueEnd(text)
  // A text that ends with a newline still does so afterwards.
  const tail = text.endsWith('\n') ? `${added}\n` : `\n${added}`
  return { old_string: end, new_string: `${end}${tail}` }
}

/** The fewest lines at the end that occur nowhere else. */
function uniqueEnd(text: string): string {
  const lines = text.split('\n')
  for (let count = 1; count < lines.length; count += 1) {
    const end = lines.slice(-count).join('\n')
    if (end !== '' && text.indexOf(end) === text.length - end.length) return end
  }
  return text
}
