/** Which files programs for archives read and write. */
import type { ShellWord } from '../../syntax/syntax.js'
import { wordValueAt } from '../../syntax/syntax.js'
import { hasOption, type OptionNames } from '../option-words.js'
import type { FileUseFinder } from '../program-knowledge.js'
import { fileWords, operandWords, outputFileWords } from '../word-files.js'

type ArchiveProgram = {
  /** It takes whole folders. */
  readonly recursive: boolean
  /** The files beside the values of options that it writes. */
  readonly changes: 'all' | 'first' | 'none'
  /** The first word may be options without a dash. */
  readonly bareFirst?: true
  /** Options with which it follows links, or reads what a list names. */
  readonly follows?: OptionNames
}

/** An archive is the value of -f, or the first file; what is in it goes where -C or -d says. */
export function createArchiverFileUse({ recursive, changes, bareFirst, follows }: ArchiveProgram): FileUseFinder {
  return (words) => {
    const args = words.slice(1)
    const values = args.filter((_, i) => {
      const before = wordValueAt(args, i - 1)
      if (/^(?:-C|-d|--directory|--file|-o)$/.test(before)) return true
      return i === 1 && bareFirst ? /^-?[a-zA-Z]*f$/.test(before) : /^-[a-zA-Z]*f$/.test(before)
    })
    const operands = operandWords(args)
    const changed: readonly ShellWord[] = changes === 'all' ? operands : changes === 'first' ? operands.slice(0, 1) : []
    const isFollowing = args.some(({ value }, i) =>
      hasOption(i === 0 && !value.startsWith('-') ? `-${value}` : value, follows),
    )
    const writes = [...values, ...changed, ...outputFileWords(args)]
    return { reads: fileWords(args), writes, known: true, recursive, follows: isFollowing }
  }
}

/** The file itself, or where there is none, one with an ending. */
export function withPossibleEndings(file: ShellWord, endings: readonly string[]): ShellWord[] {
  return endings.map((ending) => ({ ...file, value: `${file.value}${ending}`, head: `${file.value}${ending}` }))
}
