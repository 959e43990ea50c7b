/** Finds the commands inside other commands, for deny and ask rules: behind wrappers, in `-c` strings, `eval`, `find -exec` and the like. */

import { knowledgeOf } from './programs/program-table.js'
import { endOfExecCommand } from './programs/search/find.js'
import { fileUseOf } from './questions/file-use.js'
import { isShell, runsInCurrentShell, runsProgramFromInput, runsStandardInput } from './questions/runs-its-input.js'
import { scriptTextsOf } from './questions/script-texts.js'
import { listWrappedCommands, mayRunItsWords } from './questions/wrappers.js'
import type { ParseScript } from './syntax/parse-command.js'
import {
  programNameOrEmpty,
  programOf,
  type Redirect,
  type ShellScript,
  type ShellWord,
  type SimpleCommand,
} from './syntax/syntax.js'

/** Everything that a script may run. */
export type AllCommands = {
  /** Every command that runs, at any depth. */
  commands: SimpleCommand[]
  /** What a program that is not known may run: each of its words could be another program. */
  possible: SimpleCommand[]
  redirects: Redirect[]
  /** Something runs that can't be read here: a word known only at run time, a script fed to a shell, text that did not parse. */
  unseen: boolean
  /** There is more than is looked at. */
  incomplete: boolean
}

const DEEPEST_NESTING = 6
/**
 * Limits on the words examined behind wrappers and in texts, and on those that might be programs: each might contain
 * all the rest again.
 */
const MOST_INNER_WORDS = 4_000
const MOST_POSSIBLE_WORDS = 20_000

type Search = AllCommands & { parse: ParseScript; innerWords: number; possibleWords: number }

export function collectAllCommands(script: ShellScript, parse: ParseScript): AllCommands {
  const found: Search = {
    commands: [],
    possible: [],
    redirects: [],
    unseen: false,
    incomplete: false,
    parse,
    innerWords: 0,
    possibleWords: 0,
  }
  addScript(script, found, 0)
  const { commands, possible, redirects, unseen, incomplete } = found
  return { commands, possible, redirects, unseen: unseen || incomplete || runsWhatItWrites(found), incomplete }
}

/** A script that the same command line writes and then runs: a script fed to a shell by way of a file. */
function runsWhatItWrites({ commands, redirects }: AllCommands): boolean {
  const written = new Set([
    ...redirects.flatMap(({ kind, target }) => (kind === 'write' ? [baseName(target.value)] : [])),
    ...commands.flatMap(({ words }) => fileUseOf(words).writes.map((word) => baseName(word.value))),
  ])
  written.delete('null')
  return commands.some(({ words }) => {
    const program = programNameOrEmpty(words)
    if (words[0]?.value.includes('/') && written.has(program)) return true
    return (
      (isShell(program) || runsInCurrentShell(program)) &&
      words.slice(1).some((word) => written.has(baseName(word.value)))
    )
  })
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function addScript(script: ShellScript, found: Search, depth: number): void {
  if (script.problems.length > 0 || script.hidden) found.unseen = true
  // Beyond a limit, so nothing was read of it.
  if (script.problems.length > 0 && script.commands.length === 0) found.incomplete = true
  found.redirects.push(...script.redirects)
  for (const command of script.commands) {
    found.redirects.push(...command.redirects)
    addCommand(command, found, depth)
  }
}

/** Reading a text takes as long as looking at some words; those in it count besides. */
function addText(text: string, found: Search, depth: number): void {
  found.innerWords += 30 + text.length / 20
  if (found.innerWords > MOST_INNER_WORDS) found.incomplete = true
  else addScript(found.parse(text), found, depth)
}

function addCommand(command: SimpleCommand, found: Search, depth: number): void {
  // Those of the command line itself were counted when it was parsed.
  if (depth > 0) found.innerWords += command.words.length
  if (depth > DEEPEST_NESTING || found.innerWords > MOST_INNER_WORDS) {
    found.incomplete = true
    return
  }
  found.commands.push(command)
  const { words } = command
  const program = programOf(words)
  for (const text of scriptTextsOf(program, command)) {
    if (text === undefined) found.unseen = true
    else addText(text, found, depth + 1)
  }
  if (words.length === 0) return
  if (program === undefined) {
    found.unseen = true
    return
  }
  for (const inner of [...listWrappedCommands(words), ...execOptions(program, words)])
    addCommand(innerCommand(command, inner, command.more ?? knowledgeOf(program)?.runs?.adds), found, depth + 1)
  if (mayRunItsWords(words)) {
    for (let i = 1; i < Math.min(words.length - 1, MOST_POSSIBLE); i++) addPossible(command, i, found)
  }
  if (runsStandardInput(program, words) || runsProgramFromInput(program, words)) found.unseen = true
}

/** After this many words, the program has been named. */
const MOST_POSSIBLE = 40

function addPossible(command: SimpleCommand, from: number, found: Search): void {
  const words = command.words.slice(from, from + MOST_POSSIBLE)
  found.possibleWords += words.length
  if (found.possibleWords > MOST_POSSIBLE_WORDS) found.unseen = true
  else found.possible.push(innerCommand(command, words))
}

function innerCommand(outer: SimpleCommand, words: readonly ShellWord[], more?: SimpleCommand['more']): SimpleCommand {
  return {
    get text() {
      return words.map((word) => word.source).join(' ')
    },
    words,
    starts: [],
    assignments: [],
    redirects: [],
    values: outer.values,
    more,
  }
}

/** `find … -exec program … ;` and `fd -x program`. */
function execOptions(program: string, words: readonly ShellWord[]): (readonly ShellWord[])[] {
  const option = knowledgeOf(program)?.runs?.behind
  if (!option) return []
  return words.flatMap((word, i) => {
    if (!option.test(word.value)) return []
    const rest = words.slice(i + 1)
    // Some versions of find and fd take any `+` for the end, so both commands count.
    const ends = [endOfExecCommand(rest, 0)?.at, rest.findIndex(({ value }) => value === ';' || value === '+')]
    return [...new Set(ends)].map((end) => (end === undefined || end < 0 ? rest : rest.slice(0, end)))
  })
}
