/** `xxd`: it prints one file; with a second one, it writes that. */
import { createLiteralWord } from '../../syntax/shell-words.js'
import { type ShellWord, wordValueAt } from '../../syntax/syntax.js'
import { areWordValuesKnown } from '../arguments.js'
import type { OptionDanger } from '../option-words.js'
import type { KnownPrograms } from '../program-knowledge.js'
import { operandWords } from '../word-files.js'

export const XXD_PROGRAM: KnownPrograms = {
  xxd: {
    looks: { form: printedFile },
    files: (words) => {
      const operands = operandWords(words.slice(1))
      return { reads: operands.slice(0, 1), writes: operands.slice(1), known: true, recursive: false }
    },
    risks: { danger: outputDanger },
  },
}

/** With one operand it prints; what follows that would be written, even `-p`. It takes `-c 8`, `-c8` and a few long names with one dash. */
function printedFile(words: readonly ShellWord[]): readonly ShellWord[] | undefined {
  if (!areWordValuesKnown(words)) return undefined
  const files: ShellWord[] = []
  for (let i = 1; i < words.length; i++) {
    const value = wordValueAt(words, i)
    if (files.length > 0) return undefined
    if (/^-[cglso]$/.test(value)) {
      if (!/^[-+]?(?:0x[\da-f]+|\d+)$/i.test(wordValueAt(words, ++i))) return undefined
    } else if (value.startsWith('-') && value !== '-') {
      if (!/^-(?:[abeEuirpdCv]|ps|[cglso](?:0x[\da-f]+|\d+))$/i.test(value)) return undefined
    } else files.push(words[i] ?? createLiteralWord(''))
  }
  return files.filter(({ value }) => value !== '-')
}

/** It takes no options behind a file: all that follows one is the file to write. */
function outputDanger(words: readonly ShellWord[]): OptionDanger | undefined {
  const file = words.findIndex((word, i) => i > 0 && (word.value === '-' || !word.value.startsWith('-')))
  return file > 0 && file < words.length - 1 ? 'writes' : undefined
}
