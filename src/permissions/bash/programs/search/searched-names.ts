/** File names that a searching program prints, one for each file that has what it looks for. */
import { createLiteralWord } from '../../syntax/shell-words.js'
import type { ShellWord } from '../../syntax/syntax.js'
import { readOperands } from '../arguments.js'
import type { PipedNames } from '../piped-names.js'

type Searcher = {
  /** The options with which it prints names only, as `readOperands` takes them. */
  readonly options: string
  /** Without operands it searches the folder it stands in only with one of these options, and otherwise what it reads. */
  readonly goesDownWith?: readonly string[]
}

export function createPrintedNamesReader({ options: syntax, goesDownWith }: Searcher) {
  return (words: readonly ShellWord[]): PipedNames | undefined => {
    const { certain, loose, operands, options, reads } = readOperands(words, syntax)
    const has = (...names: readonly string[]) => names.some((name) => options.has(name))
    const listsNames = has('-l', '-L', '--files', '--files-with-matches', '--files-without-match')
    if (!certain || loose || reads.length > 0 || !listsNames) return undefined
    const roots = operands.slice(has('-e', '--files') ? 0 : 1)
    if (roots.some((word) => word.dynamic || word.glob || word.value === '-')) return undefined
    if (roots.length === 0 && goesDownWith && !has(...goesDownWith)) return undefined
    return { roots: roots.length > 0 ? roots : [createLiteralWord('.')], exact: has('-Z', '-0', '--null') }
  }
}
