/** What is known about file names that a program prints, and the word that stands for them where another program takes them. */
import { createLiteralWord } from '../syntax/shell-words.js'
import type { ShellWord } from '../syntax/syntax.js'

/** Stands for them: any number of words that name files below, and none that begins with a dash. */
export const PIPED_FILE_NAMES_WORD: ShellWord = {
  ...createLiteralWord('./*', '…'),
  single: false,
  glob: true,
  head: './',
  tail: '',
}

export type PipedNames = {
  /** Where they begin. */
  roots: readonly ShellWord[]
  /** One by one, whatever is in them; otherwise in lines. */
  exact: boolean
  /** None is a link. */
  regular?: boolean
  /** Those that git has in its index. */
  tracked?: boolean
  /** Names without their folder; only for plain xargs: with options, xargs is judged as another command. */
  bare?: boolean
  /** Folders that hold none of them. */
  without?: ReadonlySet<string>
  /** How far below the roots they are, at most. */
  depth?: number
}

/** A `{}` becomes what was found; a part of a word is only known at run time then. */
export function replaceBracesWithPipedNames(word: ShellWord): ShellWord {
  const at = word.value.indexOf('{}')
  if (word.value === '{}') return PIPED_FILE_NAMES_WORD
  return at < 0 ? word : { ...word, dynamic: true, head: word.value.slice(0, at), tail: '' }
}
