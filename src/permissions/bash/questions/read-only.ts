/** The commands that only look: which forms of them do, and which files they look at. */

import { areWordValuesKnown, PATTERN_GIVING_OPTIONS, readOperands } from '../programs/arguments.js'
import type { ReaderProgram, ReadOnlyForms } from '../programs/program-knowledge.js'
import { knowledgeOf } from '../programs/program-table.js'
import { createLiteralWord } from '../syntax/shell-words.js'
import { type ShellWord, wordValueAt } from '../syntax/syntax.js'

/** Undefined: not read-only. Otherwise the words that name the files it reads. */
export function fileWordsOfReadOnlyCommand(words: readonly ShellWord[]): readonly ShellWord[] | undefined {
  const first = words[0]
  // Only the bare name: another path to a program is another program.
  if (!first || first.dynamic || first.glob) return undefined
  const looks = knowledgeOf(first.value)?.looks
  if (!looks) return undefined
  if (isVersionQuery(words)) return []
  if (looks.facts) return asksFacts(words, looks.facts) ? [] : undefined
  if (looks.form) return looks.form(words)
  return looks.reader && readerFiles(words, looks.reader)
}

/** Returns whether a program only reads: no form of it changes anything, except a file that its arguments name. */
export function isReaderProgram(name: string): boolean {
  return knowledgeOf(name)?.looks?.reader !== undefined
}

/** Whether a program is asked for its version, by a word with which it prints that and ends. */
export function isVersionQuery(words: readonly ShellWord[]): boolean {
  const args = words.slice(1)
  const version = knowledgeOf(wordValueAt(words, 0))?.looks?.version
  return version !== undefined && areWordValuesKnown(args) && version.test(args.map((word) => word.value).join(' '))
}

/** Whether a program that tells facts is asked for some that hold no secret. Undefined: no program of this kind. */
export function isHarmlessInformationQuery(words: readonly ShellWord[]): boolean | undefined {
  const facts = knowledgeOf(wordValueAt(words, 0))?.looks?.facts
  return facts && asksFacts(words, facts)
}

function asksFacts(words: readonly ShellWord[], facts: NonNullable<ReadOnlyForms['facts']>): boolean {
  const args = words.slice(1)
  return areWordValuesKnown(args) && facts(args.map((word) => word.value))
}

function readerFiles(words: readonly ShellWord[], program: ReaderProgram): readonly ShellWord[] | undefined {
  const { certain, loose, options, operands, reads, writes } = readOperands(words, program.options)
  if (!certain || writes.length > 0 || (loose && program.strict)) return undefined
  if (program.operands === 'none')
    return operands.every((word) => program.operandForm?.(word) === true) ? reads : undefined
  if (program.operands === 'text') return operands.filter((word) => word.glob)
  // The second of them is written to, and a glob may be two.
  if (program.operands === 'output' && (operands.length > 1 || operands.some((word) => word.glob))) return undefined
  const pattern =
    program.operands === 'pattern' && !PATTERN_GIVING_OPTIONS.some((option) => options.has(option)) ? 1 : 0
  const files = operands.slice(pattern)
  if (files.some((word) => word.dynamic && !word.pipe)) return undefined
  // Not told where, these look at the folder they stand in.
  const around =
    files.length === 0 &&
    (program.around === true || (program.operands === 'pattern' && GOING_DOWN.some((option) => options.has(option))))
  return [
    ...reads,
    ...(around ? [createLiteralWord('.')] : files),
    ...operands.slice(0, pattern).filter((word) => word.glob),
  ]
}

const GOING_DOWN = ['-r', '--recursive', '-d', '--directories']
