/** What programs do with the files they are given, where one sentence says it for many of them. */
import { createLiteralWord } from '../syntax/shell-words.js'
import type { ShellWord } from '../syntax/syntax.js'
import { hasOption } from './option-words.js'
import type { FileUse } from './program-knowledge.js'
import { fileWords, outputFileWords } from './word-files.js'

const NO_FILES: FileUse = { reads: [], writes: [], known: true, recursive: false }

/** Returns the file use of a program whose words are no files. Its words are text, whatever they look like. */
export function noFileUse(): FileUse {
  return NO_FILES
}

/**
 * Returns the file use of a program that reads its operands. It reads what it is given, and writes where an option
 * says so.
 */
export function fileUseOfReader(words: readonly ShellWord[]): FileUse {
  const args = words.slice(1)
  return { ...NO_FILES, reads: fileWords(args), writes: outputFileWords(args) }
}

/** Returns the file use of a program that changes its operands. It changes what it is given. */
export function fileUseOfChanger(words: readonly ShellWord[]): FileUse {
  const args = words.slice(1)
  const recursive = args.some((word) => hasOption(word.value, { short: 'rR', long: ['recursive'] }))
  return { ...NO_FILES, writes: fileWords(args), recursive }
}

/**
 * Returns the file use of a program that changes the modes of files. The same for `chmod` and its kin, whose first
 * operand is not a file.
 */
export function fileUseOfModeChanger(words: readonly ShellWord[]): FileUse {
  const use = fileUseOfChanger(words)
  return { ...use, writes: use.writes.slice(1) }
}

/**
 * Returns the file use of a program that searches its operands. It reads what it is given, behind a pattern or a
 * program in its own language.
 */
export function fileUseOfSearcher(words: readonly ShellWord[]): FileUse {
  const args = words.slice(1)
  return searchedFiles(
    args,
    args.some((word) => /^-[a-zA-Z]*[rR]/.test(word.value)),
  )
}

/** Returns the file use of a program that searches folders. The same for a program that always goes through folders. */
export function fileUseOfFolderSearcher(words: readonly ShellWord[]): FileUse {
  return searchedFiles(words.slice(1), true)
}

function searchedFiles(args: readonly ShellWord[], recursive: boolean): FileUse {
  const given = args.some((word) => /^(?:-[a-zA-Z]*[ef]|--regexp|--file|--from-file)/.test(word.value))
  const reads = fileWords(args, !given)
  return { ...NO_FILES, reads: recursive && reads.length === 0 ? [createLiteralWord('.')] : reads, recursive }
}
