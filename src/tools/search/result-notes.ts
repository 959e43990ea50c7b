/** What is said below a result: that there is more, or that something could not be read. */
import type { UnreadFiles } from './search-request.js'

export function unreadFilesText({ shown, total }: UnreadFiles): string {
  if (total === 0) return ''
  const more = total > shown.length ? `; and ${total - shown.length} more` : ''
  return `[Not everything could be read: ${shown.join('; ')}${more}]`
}

/** The notes that are not empty, each after an empty line. */
export function appendNotes(text: string, ...notes: string[]): string {
  return [text, ...notes.filter((note) => note !== '')].join('\n\n')
}
