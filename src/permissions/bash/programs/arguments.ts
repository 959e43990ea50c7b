/** Reads the arguments of a program as the program will: options, their values, and what is left. */
import { wordList } from '../../word-list.js'
import { shellWordAt, sliceWord } from '../syntax/shell-words.js'
import { orEmpty, type ShellWord } from '../syntax/syntax.js'

/** What an option takes: nothing, text (needed, or only when attached), a file it reads, or one it writes. */
type Takes = 'nothing' | 'text' | 'attached' | 'reads' | 'writes'

type Grammar = {
  readonly short: ReadonlyMap<string, Takes>
  readonly long: ReadonlyMap<string, Takes>
  /** `-5` is a number. */
  readonly digits: boolean
}

export type ProgramOperands = {
  /** Every option is known, and no word can turn out to be another one. */
  readonly certain: boolean
  /** A glob may find a file that is named like an option. */
  readonly loose: boolean
  /** As `-x` and `--long`. */
  readonly options: ReadonlySet<string>
  readonly operands: readonly ShellWord[]
  /** Files that options name. */
  readonly reads: readonly ShellWord[]
  readonly writes: readonly ShellWord[]
}

/** No program has more options of one letter. */
const LONGEST_CLUSTER = 64

const MARKS: Record<string, Takes> = { '': 'nothing', '=': 'text', '?': 'attached', '<': 'reads', '>': 'writes' }

/**
 * The options of a program: `-abc` take nothing, `-x=` and `--xx=` a text, `-x?` and `--xx?` one that is attached if there is any,
 * `<` a file that is read, `>` one that is written; `-#` stands for numbers.
 */
function grammar(text: string): Grammar {
  const short = new Map<string, Takes>()
  const long = new Map<string, Takes>()
  for (const token of wordList(text)) {
    const takes = MARKS[token.slice(-1)] ?? 'nothing'
    const name = takes === 'nothing' ? token : token.slice(0, -1)
    if (name.startsWith('--')) long.set(name, takes)
    else for (const letter of name.slice(1)) short.set(letter, takes)
  }
  return { short, long, digits: short.has('#') }
}

/** Read when it is needed: most sessions never meet most programs. What is kept is the same for all of them. */
const grammars = new Map<string, Grammar>()

/** `syntax` as in `grammar`, from one of our tables. `permutes`: options may stand behind operands on every system. */
export function readOperands(words: readonly ShellWord[], syntax: string, permutes = false): ProgramOperands {
  const known = grammars.get(syntax) ?? grammar(syntax)
  grammars.set(syntax, known)
  const { short, long, digits } = known
  const options = new Set<string>()
  const operands: ShellWord[] = []
  const reads: ShellWord[] = []
  const writes: ShellWord[] = []
  let certain = true
  let loose = false
  let ended = false
  let i = 1

  const take = (option: string, takes: Takes, attached: ShellWord | undefined) => {
    options.add(option)
    if (takes === 'attached') return
    const value = attached ?? words[++i]
    // What may turn into several words, or none, shifts the meaning of all that follow.
    if (!attached && !value?.single) certain = false
    if (!value) return
    // Some systems end the options at the first operand: then this is one too.
    if (takes === 'reads' || (!permutes && !attached && operands.length > 0)) reads.push(value)
    if (takes === 'writes') writes.push(value)
  }
  const takeLong = (word: ShellWord) => {
    const equals = word.head.indexOf('=')
    const name = equals < 0 ? word.value : word.value.slice(0, equals)
    const takes = long.get(name)
    if (takes === undefined || (takes === 'nothing' && equals >= 0)) certain = false
    else if (takes === 'nothing') options.add(name)
    else take(name, takes, equals < 0 ? undefined : sliceWord(word, equals + 1))
  }
  const takeShort = (word: ShellWord) => {
    for (let at = 1; at < Math.min(word.head.length, LONGEST_CLUSTER); at++) {
      const takes = short.get(orEmpty(word.head[at]))
      const option = `-${word.head[at]}`
      if (takes === undefined) break
      if (takes !== 'nothing')
        return take(option, takes, at + 1 < word.value.length ? sliceWord(word, at + 1) : undefined)
      options.add(option)
      if (at + 1 === word.value.length) return
    }
    // A letter is not known, or only at run time, or there are more than anyone reads.
    certain = false
  }

  for (; i < words.length; i++) {
    const word = shellWordAt(words, i)
    const { value } = word
    if (ended || value === '-' || !value.startsWith('-')) {
      // A glob finds names that begin like itself; a variable may hold anything, several words even.
      if (!ended && word.glob && word.head === '') loose = true
      if (!ended && word.dynamic && !(word.pipe || (word.single && word.head !== ''))) certain = false
      operands.push(word)
      continue
    }
    if (word.dynamic && !word.single) certain = false
    if (value === '--') ended = true
    else if (value.startsWith('--')) takeLong(word)
    else if (!(digits && /^-\d+$/.test(value))) takeShort(word)
  }
  return { certain, loose, options, operands, reads, writes }
}

/** Every word is known, and none can turn out to be another. */
export function areWordValuesKnown(words: readonly ShellWord[]): boolean {
  return words.every((word) => !word.dynamic && !word.glob)
}

/** With these, a searching program takes no pattern from its operands. */
export const PATTERN_GIVING_OPTIONS = ['-e', '-f', '--regexp', '--file', '--files', '--type-list']
