/**
 * Builtins of the shell, as programs. What they change in the shell itself is the business of `syntax/` and of the judge: an
 * `export`, a `cd`, or a `read` changes what the words after it mean.
 */
import { createLiteralWord } from '../../syntax/shell-words.js'
import { type ShellWord, wordValueAt } from '../../syntax/syntax.js'
import { fileUseOfReader, noFileUse } from '../file-uses.js'
import { createReaderForms, filesReadByTextPrinter, knowledgeForNames } from '../knowledge-parts.js'
import { joinWordsAsScript, scriptTextsOfOption, toScriptTexts } from '../option-script-texts.js'
import type { FileUse, KnownPrograms, ProgramKnowledge, ScriptText } from '../program-knowledge.js'
import { isVariableWithoutEffect } from '../safe-variables.js'
import { operandWords } from '../word-files.js'
import { runsInputInCurrentShell } from './shells.js'

const TEST: ProgramKnowledge = {
  looks: { form: testForm },
  files: noFileUse,
  runs: { nothing: true },
  waits: 'never',
  ignoresInput: true,
}
const FOLDER_CHANGE: ProgramKnowledge = { files: enteredFolder, runs: { nothing: true } }
const READS_LINES: ProgramKnowledge = {
  runs: { texts: (words) => scriptTextsOfOption(words, /^-[a-zA-Z]*C$/, /^-[a-zA-Z]*C(.+)$/s) },
}

export const SHELL_BUILTIN_PROGRAMS: KnownPrograms = {
  echo: {
    looks: { form: filesReadByTextPrinter },
    files: noFileUse,
    runs: { nothing: true },
    waits: 'never',
    ignoresInput: true,
  },
  printf: {
    looks: { form: (words) => (isPrintedFormat(words[1]) ? filesReadByTextPrinter(words) : undefined) },
    files: noFileUse,
    runs: { nothing: true },
    waits: 'never',
    ignoresInput: true,
  },
  test: TEST,
  '[': TEST,
  ...knowledgeForNames('true false :', {
    looks: { form: filesReadByTextPrinter },
    files: noFileUse,
    ignoresInput: true,
  }),
  type: { looks: { form: filesReadByTextPrinter }, files: noFileUse },
  ...knowledgeForNames('break continue return shift', { looks: { form: filesReadByTextPrinter } }),
  exit: { files: noFileUse },
  wait: { looks: createReaderForms('text', '-fn'), files: noFileUse, waits: 'always' },
  cd: { ...FOLDER_CHANGE, looks: { form: targetOfChange }, waits: 'never' },
  pushd: FOLDER_CHANGE,
  read: {
    looks: {
      form: (words) => {
        const names = words.slice(1).filter((word) => !/^-[rse]+$/.test(word.value))
        return names.every((word) => !word.dynamic && isVariableWithoutEffect(word.value)) ? [] : undefined
      },
    },
    runs: { nothing: true },
    waits: 'never',
  },
  set: {
    looks: {
      form: (words) => (/^set(?: [-+][eux]+| [-+][eux]*o pipefail)+$/.test(wordsOfSet(words)) ? [] : undefined),
    },
    runs: { nothing: true },
  },
  export: { runs: { nothing: true, assigns: true }, waits: 'never' },
  ...knowledgeForNames('declare typeset local readonly', { runs: { nothing: true, assigns: true } }),
  ...knowledgeForNames('unset [[ let shopt bind history popd', { runs: { nothing: true } }),
  command: {
    looks: { form: (words) => (/^-[vV]$/.test(wordValueAt(words, 1)) ? filesReadByTextPrinter(words) : undefined) },
    files: noFileUse,
    runs: {
      transparent: { flags: 'p' },
      not: (words) => words.slice(1).some((word) => /^-[pvV]*[vV]/.test(word.value)),
    },
  },
  ...knowledgeForNames('builtin noglob', { runs: { transparent: {} } }),
  exec: { runs: { opaque: { values: 'a', flags: 'cl' } } },
  coproc: { runs: { opaque: {} } },
  jobs: {
    runs: {
      opaque: { flags: 'lnprsx' },
      not: (words) => !words.some((word, i) => i > 0 && /^-\w*x/.test(word.value)),
    },
  },
  ...knowledgeForNames('. source', {
    files: fileUseOfReader,
    runs: { language: 'source', input: runsInputInCurrentShell },
  }),
  eval: { runs: { texts: (words) => (behindDashes(words).length > 0 ? joinWordsAsScript(behindDashes(words)) : []) } },
  trap: { runs: { texts: trapTexts } },
  alias: {
    runs: {
      texts: (words) =>
        behindDashes(words)
          .filter(({ value }) => value.includes('='))
          .flatMap((word) => toScriptTexts(word, word.value.slice(word.value.indexOf('=') + 1))),
    },
  },
  ...knowledgeForNames('compgen complete mapfile readarray', READS_LINES),
  hash: { runs: { texts: (words) => scriptTextsOfOption(words, /^-[a-zA-Z]*p$/, /^-[a-zA-Z]*p(.+)$/s) } },
  enable: { runs: { texts: (words) => (words.some((word) => /^-[a-zA-Z]*f/.test(word.value)) ? [undefined] : []) } },
}

function behindDashes(words: readonly ShellWord[]): readonly ShellWord[] {
  return words.slice(1).filter((word, i) => !(i === 0 && word.value === '--'))
}

function trapTexts(words: readonly ShellWord[]): ScriptText[] {
  const [first] = behindDashes(words)
  return first && !/^-[lpP]*$/.test(first.value) ? joinWordsAsScript([first]) : []
}

/** Its words with a blank in between; an operand of `set` would be an argument of the shell. */
function wordsOfSet(words: readonly ShellWord[]): string {
  return words.map(({ value, dynamic, glob }) => (dynamic || glob ? '?' : value)).join(' ')
}

function targetOfChange(words: readonly ShellWord[]): readonly ShellWord[] | undefined {
  const targets = words.slice(1).filter((word) => !/^-[LPe@]+$/.test(word.value) && word.value !== '--')
  const target = targets[0]
  return targets.length === 1 && target && !target.dynamic && !target.glob && target.value !== '-' ? targets : undefined
}

/** Without an operand `cd` goes home; where `-` leads is not known here. */
function enteredFolder(words: readonly ShellWord[]): FileUse {
  const targets = operandWords(words.slice(1))
  const reads =
    targets.length === 0
      ? [createLiteralWord('~')]
      : targets.map((word) => (/^(?:-|[-+]\d+)$/.test(word.value) ? { ...word, dynamic: true } : word))
  return { reads, writes: [], known: true, recursive: false }
}

/**
 * Returns whether a printing builtin may set a variable. Builtins that print or wait, and in some forms set a
 * variable that is not theirs.
 */
export function mayPrintIntoVariable(words: readonly ShellWord[]): boolean {
  const program = wordValueAt(words, 0)
  if (program === 'wait') return words.slice(1).some(({ value, dynamic }) => dynamic || /^-\w*p/.test(value))
  return program === 'printf' && !isPrintedFormat(words[1])
}

/** Nothing but text, escapes, and directives that print: `%n` sets a variable, and what is not here may do so elsewhere. */
function isPrintedFormat(format: ShellWord | undefined): boolean {
  if (!format || format.dynamic || format.glob) return false
  return /^(?!-)(?:[^%]|%%|%[-+ #0']*(?:[1-9]\d*|\*)?(?:\.(?:\d+|\*)?)?[diouxXeEfFgGaAcsbqQ])*$/s.test(format.value)
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
