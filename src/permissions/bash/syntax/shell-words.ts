/** Words that are known, and parts of words. */
import type { ShellWord } from './syntax.js'

/** A word without anything to expand. */
export function createLiteralWord(value: string, source = value): ShellWord {
  return {
    value,
    source,
    dynamic: false,
    plain: true,
    single: true,
    glob: false,
    tilde: source.startsWith('~'),
    pipe: false,
    head: value,
    tail: value,
  }
}

/** The word at that place, or an empty one. */
export function shellWordAt(words: readonly ShellWord[], at: number): ShellWord {
  return words[at] ?? createLiteralWord('')
}

/** What is left of a word after its first characters: the value of an option, the part after a `=`. */
export function sliceWord(word: ShellWord, from: number): ShellWord {
  const value = word.value.slice(from)
  return { ...word, value, head: word.head.slice(from), tilde: value.startsWith('~') }
}

/** Numbers and operators only: a name would be evaluated, and its value could hold code. */
const PLAIN_ARITHMETIC = /^[\d\s+\-*/%()<>=!&|^~?:,$[\]]*$/

export function isPlainArithmetic(text: string): boolean {
  return PLAIN_ARITHMETIC.test(text)
}
