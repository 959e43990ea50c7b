/** Finds the commands inside other commands, for deny and ask rules: behind wrappers, in `-c` strings, `eval`, `find -exec` and the like. */

import { isFed, isShell, isSource, runsItsInput } from './fed.js'
import { fileUseOf } from './file-use.js'
import type { ParseScript } from './parse.js'
import { textsOf } from './script-texts.js'
import { nameOf, programOf, type Redirect, type Script, type SimpleCommand, type Word } from './syntax.js'
import { innerCommands, mayRunItsWords } from './wrappers.js'

export type Everything = {
  /** Every command that runs, at any depth. */
  commands: SimpleCommand[]
  /** What a program that is not known may run: each of its words could be another program. */
  possible: SimpleCommand[]
  redirects: Redirect[]
  /** Something runs that can't be read here: a word known only at run time, a script fed to a shell, text that did not parse. */
  unseen: boolean
}

const DEEPEST_NESTING = 6
const MOST_COMMANDS = 20_000

export function everything(script: Script, parse: ParseScript): Everything {
  const found: Everything = { commands: [], possible: [], redirects: [], unseen: false }
  addScript(script, parse, found, 0)
  if (runsWhatItWrites(found)) found.unseen = true
  return found
}

/** A script that the same command line writes and then runs: a script fed to a shell by way of a file. */
function runsWhatItWrites({ commands, redirects }: Everything): boolean {
  const written = new Set([
    ...redirects.flatMap(({ kind, target }) => (kind === 'write' ? [baseName(target.value)] : [])),
    ...commands.flatMap(({ words }) => fileUseOf(words).writes.map((word) => baseName(word.value))),
  ])
  written.delete('null')
  return commands.some(({ words }) => {
    const program = nameOf(words)
    if (words[0]?.value.includes('/') && written.has(program)) return true
    return (isShell(program) || isSource(program)) && words.slice(1).some((word) => written.has(baseName(word.value)))
  })
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function addScript(script: Script, parse: ParseScript, found: Everything, depth: number): void {
  if (script.problems.length > 0 || script.hidden) found.unseen = true
  found.redirects.push(...script.redirects)
  for (const command of script.commands) {
    found.redirects.push(...command.redirects)
    addCommand(command, parse, found, depth)
  }
}

function addCommand(command: SimpleCommand, parse: ParseScript, found: Everything, depth: number): void {
  if (depth > DEEPEST_NESTING || found.commands.length > MOST_COMMANDS) {
    found.unseen = true
    return
  }
  found.commands.push(command)
  const { words } = command
  const program = programOf(words)
  for (const text of textsOf(program, command)) {
    if (text === undefined) found.unseen = true
    else addScript(parse(text), parse, found, depth + 1)
  }
  if (words.length === 0) return
  if (program === undefined) {
    found.unseen = true
    return
  }
  for (const inner of [...innerCommands(words), ...execOptions(program, words)])
    addCommand(innerCommand(command, inner, command.more ?? takesMore(program)), parse, found, depth + 1)
  if (mayRunItsWords(words)) {
    for (let i = 1; i < Math.min(words.length - 1, MOST_POSSIBLE); i++)
      found.possible.push(innerCommand(command, words.slice(i, i + MOST_POSSIBLE)))
  }
  if (isFed(program, words) || runsItsInput(program, words)) found.unseen = true
}

/** Beyond so many words the program has long been named. */
const MOST_POSSIBLE = 40

function takesMore(program: string): SimpleCommand['more'] {
  if (/^(?:xargs|parallel)$/.test(program)) return 'read'
  return /^(?:find|fd|fdfind)$/.test(program) ? 'found' : undefined
}

function innerCommand(outer: SimpleCommand, words: readonly Word[], more?: SimpleCommand['more']): SimpleCommand {
  return {
    get text() {
      return words.map((word) => word.source).join(' ')
    },
    ...{ words, starts: [], assignments: [], redirects: [], values: outer.values, more },
  }
}

/** `find … -exec program … ;` and `fd -x program`. */
function execOptions(program: string, words: readonly Word[]): (readonly Word[])[] {
  const options: Record<string, RegExp> = {
    find: /^-(?:exec|execdir|ok|okdir)$/,
    fd: /^(?:-[xX]|--exec|--exec-batch)$/,
    fdfind: /^(?:-[xX]|--exec|--exec-batch)$/,
    gdb: /^--?args$/,
  }
  const option = Object.hasOwn(options, program) ? options[program] : undefined
  if (!option) return []
  return words.flatMap((word, i) => {
    if (!option.test(word.value)) return []
    const rest = words.slice(i + 1)
    const end = rest.findIndex((w) => w.value === ';' || w.value === '+')
    return [end < 0 ? rest : rest.slice(0, end)]
  })
}
