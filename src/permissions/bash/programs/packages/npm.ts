/** npm: which forms only look at what is installed. */
import { type ShellWord, valueAt } from '../syntax/syntax.js'
import { readOperands } from './arguments.js'

const LIST =
  '-aglp --all --global --long --parseable --json --depth= --omit= --include= --production --prod --dev --unicode'
const PLACE = '-g --global'

/** `npm ls`, `npm root` and the like. */
export function readsInstalled(words: readonly ShellWord[]): boolean {
  const verb = valueAt(words, 1)
  const isList = /^(?:ls|list|ll|la)$/.test(verb)
  if (!isList && !/^(?:root|prefix)$/.test(verb)) return false
  const { certain, operands } = readOperands(words.slice(1), isList ? LIST : PLACE)
  // Names of packages.
  return certain && operands.every((word) => isList && !word.dynamic && !word.glob && /^[\w@./-]+$/.test(word.value))
}
