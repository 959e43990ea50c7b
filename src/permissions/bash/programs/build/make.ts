/** Make: its variables and its rules can run anything. */
import { type ShellWord, wordValueAt } from '../../syntax/syntax.js'
import type { OptionDanger } from '../option-words.js'
import type { KnownPrograms, ProgramKnowledge } from '../program-knowledge.js'

const MAKE: ProgramKnowledge = {
  risks: {
    options: { runs: '-E --eval', named: '-f- --file=- --makefile=-' },
    danger: variableDanger,
  },
  obeys: { enters: /^(?:-C|--directory)(?:=|$)/ },
}

export const MAKE_PROGRAMS: KnownPrograms = {
  make: {
    ...MAKE,
    looks: { version: /^(?:--version|-v)$/ },
    runs: { nothing: true, input: readsPipedMakefile },
  },
  gmake: { ...MAKE, runs: { input: readsPipedMakefile } },
}

/**
 * Variables of make that decide what runs the recipes, and values that run or write something themselves: make calls functions by
 * `$(…)`, `!=` runs a command, and a recipe hands the rest to a shell.
 */
function variableDanger(words: readonly ShellWord[]): OptionDanger | undefined {
  const runs = ({ value, dynamic }: ShellWord) => {
    const [, name = '', operator = '', given = ''] = /^([^=:+?!]*)([:+?!]*=)([\s\S]*)$/.exec(value) ?? []
    if (operator === '' || value.startsWith('-')) return false
    return (
      dynamic ||
      operator.includes('!') ||
      /[$`;&|<>(){}\\\n]/.test(given) ||
      /^(?:\.?SHELL\w*|(?:GNU)?MAKE\w*)$/.test(name)
    )
  }
  return words.slice(1).some(runs) ? 'runs' : undefined
}

/** `make -f -`, `-f/dev/stdin`, `--file=<(…)`: its rules are what it is fed. */
function readsPipedMakefile(words: readonly ShellWord[]): boolean {
  const args = words.slice(1)
  const isPiped = (value: string, { pipe, dynamic }: ShellWord) =>
    value === '-' || pipe || dynamic || /^\/(?:dev|proc)\//.test(value)
  return args.some((word, i) => {
    const given = /^(?:-[a-zA-Z]*f|--[a-z]+=)(.+)$/s.exec(word.value)?.[1]
    if (given !== undefined && isPiped(given, word)) return true
    return /^-[a-zA-Z]*f$|^--(?:f|m[a-z]*)/.test(wordValueAt(args, i - 1)) && isPiped(word.value, word)
  })
}
