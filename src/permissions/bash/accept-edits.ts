/** The commands acceptEdits covers besides the edit tools, in the forms that do nothing but change the files they name. */
import { readSed } from './sed.js'
import type { Word } from './syntax.js'

const OPTIONS: Record<string, RegExp> = {
  mkdir: /^(?:-[pv]+|--parents|--verbose)$/,
  touch: /^(?:-[acm]+|--no-create)$/,
  rm: /^(?:-[rRfivdI]+|--recursive|--force|--verbose|--dir|--interactive=\w+)$/,
  rmdir: /^(?:-[pv]+|--parents|--verbose|--ignore-fail-on-non-empty)$/,
  mv: /^(?:-[finuvT]+|--force|--no-clobber|--update|--verbose|--no-target-directory)$/,
  cp: /^(?:-[rRapfinuvTd]+|--recursive|--archive|--force|--no-clobber|--update|--verbose|--no-target-directory)$/,
}

export function isAcceptedEdit(words: readonly Word[]): boolean {
  const name = words[0]?.value ?? ''
  if (words.some((word) => word.dynamic)) return false
  if (name === 'sed') return readSed(words)?.inPlace === true
  const options = Object.hasOwn(OPTIONS, name) ? OPTIONS[name] : undefined
  if (!options) return false
  const end = words.findIndex((word) => word.value === '--')
  const before = words.slice(1, end < 0 ? undefined : end)
  // A glob may turn into an option.
  return before.every((word) =>
    word.glob && word.head === '' ? false : !word.value.startsWith('-') || options.test(word.value),
  )
}
