/** The commands acceptEdits covers besides the edit tools, in the forms that do nothing but change the files they name. */
import { readOperands } from '../programs/arguments.js'
import { knowledgeOf } from '../programs/program-table.js'
import { type ShellWord, wordValueAt } from '../syntax/syntax.js'

export function isCoveredByAcceptEdits(words: readonly ShellWord[]): boolean {
  const edits = knowledgeOf(wordValueAt(words, 0))?.edits
  if (!edits || words.some((word) => word.dynamic)) return false
  if (typeof edits === 'function') return edits(words)
  const { certain, loose } = readOperands(words, edits.options)
  // A file that is named like an option could send the others elsewhere.
  return certain && !(loose && edits.strict)
}
