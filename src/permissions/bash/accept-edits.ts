/** The commands acceptEdits covers besides the edit tools, in the forms that do nothing but change the files they name. */
import { readOperands } from './programs/arguments.js'
import { readSed } from './programs/sed.js'
import { type ShellWord, valueAt } from './syntax/syntax.js'

const OPTIONS: Record<string, string> = {
  mkdir: '-pv -m= --parents --verbose --mode=',
  touch: '-acmfh -d= -t= -r< --no-create --no-dereference --date= --reference< --time=',
  rm: '-rRfivdI --recursive --force --verbose --dir --interactive? --one-file-system --preserve-root?',
  rmdir: '-pv --parents --verbose --ignore-fail-on-non-empty',
  mv: '-finuvT -t> --force --interactive --no-clobber --update? --verbose --no-target-directory --target-directory>',
  cp: `-rRapfinuvTdP -t> --recursive --archive --force --interactive --no-clobber --update? --verbose --no-target-directory
    --target-directory> --no-dereference --preserve?`,
}

export function isAcceptedEdit(words: readonly ShellWord[]): boolean {
  const name = valueAt(words, 0)
  if (words.some((word) => word.dynamic)) return false
  if (name === 'sed') {
    const form = readSed(words)
    return form?.inPlace === true && !form.files.some((word) => word.glob && word.head === '')
  }
  const options = Object.hasOwn(OPTIONS, name) ? OPTIONS[name] : undefined
  if (options === undefined) return false
  const { certain, loose } = readOperands(words, options)
  // A file that is named like an option could send the others elsewhere.
  return certain && !(loose && (name === 'mv' || name === 'cp'))
}
