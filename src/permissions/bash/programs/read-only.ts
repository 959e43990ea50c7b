/** The commands that only look: which forms of them do, and which files they look at. */
import { wordList } from '../../word-list.js'
import { knownWord } from '../syntax/shell-words.js'
import { type ShellWord, valueAt } from '../syntax/syntax.js'
import { readOperands } from './arguments.js'
import { FORMAT_FORMS } from './file-formats.js'
import { readFind } from './find.js'
import { readsInstalled } from './npm.js'
import { knowledgeOf } from './program-table.js'
import { READER_PROGRAMS } from './reader-programs.js'
import { isPlainName } from './safe-variables.js'
import { readJq } from './scripts/jq-filter.js'
import { readAwk, readSed } from './sed.js'
import { tellsFacts } from './system-facts.js'
import { isVersionQuestion } from './version-flags.js'

type Form = (words: readonly ShellWord[]) => readonly ShellWord[] | undefined

/** Undefined: not read-only. Otherwise the words that name the files it reads. */
export function readOnlyFiles(words: readonly ShellWord[]): readonly ShellWord[] | undefined {
  const first = words[0]
  // Only the bare name: another path to a program is another program.
  if (!first || first.dynamic || first.glob) return undefined
  if (isVersionQuestion(words)) return []
  const facts = tellsFacts(words)
  if (facts !== undefined) return facts ? [] : undefined
  const form =
    knowledgeOf(first.value)?.looks?.form ?? (Object.hasOwn(FORMS, first.value) ? FORMS[first.value] : undefined)
  return form ? form(words) : readerFiles(words, first.value)
}

/** Whether the program changes nothing in any form, except a file that its arguments name. */
export function isReader(name: string): boolean {
  return Object.hasOwn(READER_PROGRAMS, name)
}

function readerFiles(words: readonly ShellWord[], name: string): readonly ShellWord[] | undefined {
  const program = Object.hasOwn(READER_PROGRAMS, name) ? READER_PROGRAMS[name] : undefined
  if (!program) return undefined
  const { certain, loose, options, operands, reads, writes } = readOperands(words, program.options)
  if (!certain || writes.length > 0 || (loose && program.strict)) return undefined
  if (program.operands === 'none')
    return operands.every((word) => name === 'date' && word.value.startsWith('+') && word.single) ? reads : undefined
  if (program.operands === 'text') return operands.filter((word) => word.glob)
  // The second of them is written to, and a glob may be two.
  if (program.operands === 'output' && (operands.length > 1 || operands.some((word) => word.glob))) return undefined
  const pattern = program.operands === 'pattern' && !PATTERN_GIVEN.some((option) => options.has(option)) ? 1 : 0
  const files = operands.slice(pattern)
  if (files.some((word) => word.dynamic && !word.pipe)) return undefined
  // Not told where, these look at the folder they stand in.
  const around =
    files.length === 0 &&
    (AROUND.has(name) || (program.operands === 'pattern' && GOING_DOWN.some((option) => options.has(option))))
  return [...reads, ...(around ? [knownWord('.')] : files), ...operands.slice(0, pattern).filter((word) => word.glob)]
}

const GOING_DOWN = ['-r', '--recursive', '-d', '--directories']
const AROUND = new Set(['ls', 'du', 'tree', 'rg'])

/** With these, a searching program takes no pattern from its operands. */
export const PATTERN_GIVEN = ['-e', '-f', '--regexp', '--file', '--files', '--type-list']

/** Text is all they take; what their options do is to print it in another way. */
function textForm(words: readonly ShellWord[]): readonly ShellWord[] | undefined {
  const args = words.slice(1)
  return args.every((word) => word.plain) ? args.filter((word) => word.glob) : undefined
}

const FORMS: Record<string, Form> = {
  ...Object.fromEntries(
    wordList(`
      echo true false : sleep basename dirname seq expr tr which type id groups uname break continue return shift
    `).map((name) => [name, textForm]),
  ),
  printf: (words) => {
    const format = words[1]
    return format && !format.dynamic && !format.glob && isPrintedFormat(format.value) ? textForm(words) : undefined
  },
  test: testForm,
  '[': testForm,
  cd: (words) => {
    const targets = words.slice(1).filter((word) => !/^-[LPe@]+$/.test(word.value) && word.value !== '--')
    const target = targets[0]
    return targets.length === 1 && target && !target.dynamic && !target.glob && target.value !== '-'
      ? targets
      : undefined
  },
  read: (words) => {
    const names = words.slice(1).filter((word) => !/^-[rse]+$/.test(word.value))
    return names.every((word) => !word.dynamic && isPlainName(word.value)) ? [] : undefined
  },
  command: (words) => (/^-[vV]$/.test(valueAt(words, 1)) ? textForm(words) : undefined),
  find: readFind,
  sed: (words) => {
    const form = readSed(words)
    return form && !form.inPlace && !form.files.some((word) => word.glob && word.head === '') ? form.files : undefined
  },
  ...Object.fromEntries(['awk', 'gawk', 'mawk', 'nawk'].map((name) => [name, (words) => knownFiles(readAwk(words))])),
  jq: (words) => knownFiles(readJq(words)),
  ...FORMAT_FORMS,
  npm: (words) => (readsInstalled(words) ? [knownWord('.')] : undefined),
  docker: (words) => {
    const args = words.slice(2).map((word) => word.value)
    return /^(?:ps|images)$/.test(valueAt(words, 1)) &&
      args.every((value) => /^-[aqlns]+$|^--(?:all|quiet|latest|no-trunc|size)$/.test(value))
      ? []
      : undefined
  },
  set: (words) => (/^set(?: [-+][eux]+| [-+][eux]*o pipefail)+$/.test(valuesOf(words)) ? [] : undefined),
}

/** Its words with a blank in between; an operand of `set` would be an argument of the shell. */
function valuesOf(words: readonly ShellWord[]): string {
  return words.map(({ value, dynamic, glob }) => (dynamic || glob ? '?' : value)).join(' ')
}

/** Where each of them is known, or a pipe. */
function knownFiles(files: readonly ShellWord[] | undefined): readonly ShellWord[] | undefined {
  return files?.every((word) => !word.dynamic || word.pipe) ? files : undefined
}

/** Builtins that print or wait, and in some forms set a variable that is not theirs. */
export function setsVariable(words: readonly ShellWord[]): boolean {
  const [program, first] = words
  if (program?.value === 'wait') return words.slice(1).some(({ value, dynamic }) => dynamic || /^-\w*p/.test(value))
  return program?.value === 'printf' && (!first || first.dynamic || first.glob || !isPrintedFormat(first.value))
}

/** Nothing but text, escapes, and directives that print: `%n` sets a variable, and what is not here may do so elsewhere. */
function isPrintedFormat(format: string): boolean {
  return /^(?!-)(?:[^%]|%%|%[-+ #0']*(?:[1-9]\d*|\*)?(?:\.(?:\d+|\*)?)?[diouxXeEfFgGaAcsbqQ])*$/s.test(format)
}

const UNARY = /^-[a-uw-zA-QS-Z]$/
const BINARY = /^(?:=|==|!=|<|>|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef))$/

/** `-v` looks a name up and evaluates its subscript, and any word that is only known at run time may be it. */
function testForm(words: readonly ShellWord[]): readonly ShellWord[] | undefined {
  const args = words.slice(1, words[0]?.value === '[' ? -1 : undefined)
  if (!args.every((word) => word.plain && !/^-[vR]$/.test(word.value))) return undefined
  const files = args.filter((word) => word.glob)
  if (args.every((word) => word.single && !word.dynamic)) return files
  // With an operator in its place, the others are no operators.
  const [first, second, third] = args[0]?.value === '!' ? args.slice(1) : args
  const known = (word: ShellWord | undefined, operator: RegExp) =>
    word !== undefined && !word.dynamic && operator.test(word.value)
  if (!args.every((word) => word.single) || args.length > 4) return undefined
  if (first && !second) return files
  if (third) return known(second, BINARY) ? files : undefined
  return known(first, UNARY) ? files : undefined
}
