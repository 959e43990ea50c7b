/** Pieces that the knowledge of many programs is put together from. */
import { wordList } from '../../word-list.js'
import type { ShellWord } from '../syntax/syntax.js'
import { hasOption, type OptionNames } from './option-words.js'
import type {
  KnownPrograms,
  ProgramKnowledge,
  ProgramRisks,
  ReaderProgram,
  ReadOnlyForms,
} from './program-knowledge.js'

/** Options that most programs have. */
export const HELP_OPTIONS = '--help --version'

/** The same knowledge for several names. */
export function knowledgeForNames(names: string, knowledge: ProgramKnowledge): KnownPrograms {
  return Object.fromEntries(wordList(names).map((name) => [name, knowledge]))
}

/**
 * A program that only looks, with these options. A word that may follow an option on one system and not on another counts as an
 * operand: better to judge too many. Options that follow links below a folder are left out.
 */
export function createReaderForms(
  operands: ReaderProgram['operands'],
  options: string,
  more: Omit<ReaderProgram, 'operands' | 'options'> = {},
): ReadOnlyForms {
  return { reader: { operands, options, ...more } }
}

/** A program that unpacks, unless it is told to look or to make an archive by one of these options. */
export function unpacksUnless(looking: OptionNames): NonNullable<ProgramRisks['unpacks']> {
  return (words) => !words.slice(1).some((word) => !word.dynamic && hasOption(word.value, looking))
}

/** Text is all it takes; what its options do is to print it in another way. */
export function filesReadByTextPrinter(words: readonly ShellWord[]): readonly ShellWord[] | undefined {
  const args = words.slice(1)
  return args.every((word) => word.plain) ? args.filter((word) => word.glob) : undefined
}

/** The files of a form, if each of them is known, or a pipe. */
export function requireKnownFiles(files: readonly ShellWord[] | undefined): readonly ShellWord[] | undefined {
  return files?.every((word) => !word.dynamic || word.pipe) ? files : undefined
}
