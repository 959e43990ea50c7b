/** `Bash(…)` patterns against the text of a command. */

import type { RuleWithContent } from '../rule-set.js'
import { compileWildcard, matchesWildcard, type Wildcard } from '../wildcard.js'
import { knowledgeOf } from './programs/program-table.js'
import { createLiteralWord } from './syntax/shell-words.js'
import { orEmpty, programOf, type ShellWord, type SimpleCommand } from './syntax/syntax.js'

export type CommandPattern = {
  readonly rule: RuleWithContent
  /** Without a wildcard it names one command line exactly. */
  readonly exact: boolean
  /** Anything may follow what it begins with. */
  readonly open: boolean
  matches(text: string): boolean
  /** May it match a text of which only the beginning is known? */
  mayMatch(beginning: string): boolean
}

/** A final ` *` (or `:*`) also matches nothing, but never half a word; a `*` elsewhere is any text. */
export function compileCommandRule(rule: RuleWithContent): CommandPattern {
  const text = rule.content.endsWith(':*') ? `${rule.content.slice(0, -2)} *` : rule.content
  const pattern = compileWildcard(text)
  const patterns: Wildcard[] = text.endsWith(' *') ? [pattern, compileWildcard(text.slice(0, -2))] : [pattern]
  const first = orEmpty(pattern[0])
  return {
    rule,
    exact: pattern.length === 1,
    open: pattern.length > 1 && pattern.at(-1) === '',
    matches: (candidate) => patterns.some((one) => matchesWildcard(one, candidate)),
    mayMatch: (beginning) => first.startsWith(beginning) || (pattern.length > 1 && beginning.startsWith(first)),
  }
}

/** The spellings of a command a deny or ask rule is held against: as written, and as the shell will run it. */
export function commandSpellings(command: SimpleCommand, foldCase: boolean): string[] {
  const { words } = command
  if (programOf(words) === undefined) return command.text === '' ? [] : [command.text]
  return [command.text, ...variants(words, foldCase).map((some) => some.map(({ value }) => value).join(' '))]
}

/** How the spellings begin, up to the first word that is only known at run time; none when all are known. */
export function findStaticCommandPrefixes(command: SimpleCommand, foldCase: boolean): string[] {
  const { words } = command
  if (programOf(words) === undefined || !words.some(isOpen)) return []
  return variants(words, foldCase).map((some) => {
    const at = some.findIndex(isOpen)
    const head = orEmpty(some[at]?.head)
    // A word that may vanish takes the blank before it along.
    const known = some.slice(0, at).map(({ value }) => value)
    return head === '' ? known.join(' ') : [...known, head].join(' ')
  })
}

function isOpen(word: Part): boolean {
  return word.dynamic || word.glob
}

type Part = Pick<ShellWord, 'value' | 'head' | 'dynamic' | 'glob'>

/** By path, by the name of the program, and by its verb. */
function variants(words: readonly ShellWord[], foldCase: boolean): (readonly Part[])[] {
  const [first = createLiteralWord(''), ...rest] = words
  const program = first.value.slice(first.value.lastIndexOf('/') + 1)
  const named = { ...first, value: program }
  const found = [words, [named, ...rest]]
  const verbWords = knowledgeOf(program.toLowerCase())?.verbWords?.(words)
  if (verbWords) found.push([named, ...verbWords.slice(1)])
  if (foldCase) found.push([{ ...named, value: program.toLowerCase() }, ...rest])
  return found
}
