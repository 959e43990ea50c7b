/** `Bash(…)` patterns against the text of a command. */
import type { ScopedRule } from '../rule-set.js'
import { compileWildcard, matchesWildcard, type Wildcard } from '../wildcard.js'
import { gitVerbWords } from './git.js'
import { programOf, type SimpleCommand, type Word } from './syntax.js'

export type CommandPattern = {
  readonly rule: ScopedRule
  /** Without a wildcard it names one command line exactly. */
  readonly exact: boolean
  matches(text: string): boolean
}

/** A final ` *` (or `:*`) also matches nothing, but never half a word; a `*` elsewhere is any text. */
export function compileCommandRule(rule: ScopedRule): CommandPattern {
  const text = rule.content.endsWith(':*') ? `${rule.content.slice(0, -2)} *` : rule.content
  const patterns: Wildcard[] = [compileWildcard(text)]
  if (text.endsWith(' *')) patterns.push(compileWildcard(text.slice(0, -2)))
  return {
    rule,
    exact: patterns.length === 1 && patterns[0]?.length === 1,
    matches: (candidate) => patterns.some((pattern) => matchesWildcard(pattern, candidate)),
  }
}

/** The spellings of a command a deny or ask rule is held against: as written, and as the shell will run it. */
export function spellings(command: SimpleCommand, foldCase: boolean): string[] {
  const { words } = command
  const program = programOf(words)
  if (program === undefined) return command.text === '' ? [] : [command.text]
  const rest = words.slice(1)
  const found = [command.text, joined(words), [program, ...rest.map(value)].join(' ')]
  const git = program === 'git' ? gitVerbWords(words) : undefined
  if (git) found.push(['git', ...git.slice(1).map(value)].join(' '))
  if (foldCase) found.push([program.toLowerCase(), ...rest.map(value)].join(' '))
  return found
}

function joined(words: readonly Word[]): string {
  return words.map(value).join(' ')
}

function value(word: Word): string {
  return word.value
}
