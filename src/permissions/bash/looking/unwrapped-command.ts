/** A command without the documented wrappers around it, and the wrappers by name: they are programs, too. */
import { knowledgeOf } from '../programs/program-table.js'
import { countWrapperWords } from '../questions/wrappers.js'
import { createLiteralWord } from '../syntax/shell-words.js'
import { type ShellWord, type SimpleCommand, wordValueAt } from '../syntax/syntax.js'

export type UnwrappedCommand = {
  readonly words: readonly ShellWord[]
  readonly text: string
  /** `xargs` adds words to it that can't be examined. */
  readonly xargs: boolean
  readonly wrappers: readonly string[]
}

/** Stands for the words that `xargs` adds. */
const FROM_DATA: ShellWord = { ...createLiteralWord('$@', '…'), dynamic: true, plain: false, single: false }

export function stripCommandWrappers(command: SimpleCommand): UnwrappedCommand {
  const wrappers: string[] = []
  let from = 0
  for (;;) {
    const words = command.words.slice(from)
    const skip = countWrapperWords(words)
    // A word out of braces has no place of its own.
    if (skip === undefined || command.starts[from + skip] === -1) {
      const xargs = wrappers.some((name) => knowledgeOf(name)?.runs?.adds === 'read')
      const text = command.text.slice(command.starts[from] ?? 0)
      return { words: xargs ? [...words, FROM_DATA] : words, text, xargs, wrappers }
    }
    wrappers.push(wordValueAt(words, 0))
    from += skip
  }
}
