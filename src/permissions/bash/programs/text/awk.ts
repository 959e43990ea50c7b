/** Awk: its programs can run others and write files. */
import { createLiteralWord, shellWordAt, sliceWord } from '../../syntax/shell-words.js'
import { orEmpty, type ShellWord, wordValueAt } from '../../syntax/syntax.js'
import { fileUseOfSearcher } from '../file-uses.js'
import { knowledgeForNames, requireKnownFiles } from '../knowledge-parts.js'
import type { KnownPrograms, ProgramKnowledge } from '../program-knowledge.js'
import { fileWords } from '../word-files.js'
import { isHarmlessAwkProgram, isPlainAwkVariable } from './awk-program.js'

const AWK: ProgramKnowledge = {
  looks: { form: (words) => requireKnownFiles(filesReadByAwk(words)) },
  files: (words) => ({ ...fileUseOfSearcher(words), writes: writtenByProgram(words.slice(1)) }),
  risks: { danger: (words) => (filesReadByAwk(words) ? undefined : 'runs'), hasScript: true },
  waits: 'never',
}

export const AWK_PROGRAMS: KnownPrograms = {
  ...knowledgeForNames('awk mawk nawk', AWK),
  gawk: { ...AWK, looks: { ...AWK.looks, version: /^--version$/ } },
}

/** No program of that kind names more. */
const MOST_FILES = 100

/** Files that the program or an option lets it write: all that are named, in the text of the program too. */
function writtenByProgram(args: readonly ShellWord[]): ShellWord[] {
  const changed = args.some((word) => /^(?:inplace|-iinplace|--include=inplace)$/.test(word.value))
    ? fileWords(args)
    : []
  const found = new Set(
    args.flatMap((word) =>
      word.value.includes('>') ? [...word.value.matchAll(/"([^"]+)"/g)].map((match) => orEmpty(match[1])) : [],
    ),
  )
  return [...changed, ...[...found].slice(0, MOST_FILES).map((name) => createLiteralWord(name))]
}

/** The files an awk command reads; undefined when its options or its program are not known to do no more than print. */
export function filesReadByAwk(words: readonly ShellWord[]): readonly ShellWord[] | undefined {
  let i = 1
  for (let option = optionAt(words, i); option; option = optionAt(words, ++i)) {
    const attached = sliceWord(shellWordAt(words, i), option.length)
    const value = attached.value === '' ? shellWordAt(words, ++i) : attached
    if (value.dynamic || value.glob) return undefined
    if (option === '-v' && !isPlainAwkVariable(value.value.slice(0, Math.max(value.value.indexOf('='), 0))))
      return undefined
  }
  if (wordValueAt(words, i) === '--') i += 1
  const program = words[i]
  if (!program || program.dynamic || program.glob || program.value.startsWith('-')) return undefined
  return isHarmlessAwkProgram(program.value) ? words.slice(i + 1) : undefined
}

/** A separator or a variable; behind the program there are none. */
function optionAt(words: readonly ShellWord[], at: number): string | undefined {
  return /^-[Fv]/.exec(wordValueAt(words, at))?.[0]
}
