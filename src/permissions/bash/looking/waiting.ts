/**
 * Command lines that wait before they use a file. Meanwhile another command might move folders, so a path that leads through a link, or
 * up by `..`, may lead elsewhere by then. A plain path stays inside: no command that runs unasked puts a link there that leads out.
 */
import { join } from '../../../platform/posix-paths.js'
import type { PathFinder, PathLocation } from '../../path-finder.js'
import { knowledgeOf } from '../programs/program-table.js'
import { isCoveredByAcceptEdits } from '../questions/accept-edits.js'
import { fileWordsOfReadOnlyCommand, isReaderProgram } from '../questions/read-only.js'
import { createLiteralWord } from '../syntax/shell-words.js'
import { type ShellScript, type ShellWord, type SimpleCommand, wordValueAt } from '../syntax/syntax.js'
import { stripCommandWrappers } from './unwrapped-command.js'

/** A loop over what `read` gives it ends with that; another loop may go round until a file is there. */
const READING_LOOP = /\bwhile\s+(?:IFS=\S*\s+)?read\b/g
const WAITING_LOOP = /\b(?:while|until|select)\b/

/** The commands that may start some time after the command line does, because another one before them waits. */
export function findCommandsAfterWait({ text, commands }: ShellScript): ReadonlySet<SimpleCommand> {
  const others = text.replace(READING_LOOP, '')
  if (WAITING_LOOP.test(others)) return new Set(commands)
  const first = commands.findIndex((command) => mayWait(command, others !== text))
  return new Set(first < 0 ? [] : commands.slice(first + 1))
}

function mayWait(command: SimpleCommand, isReadInLoop: boolean): boolean {
  const inner = stripCommandWrappers(command)
  // What it reads changes nothing about how long it takes.
  const words = inner.xargs ? [...inner.words.slice(0, -1), createLiteralWord('./x')] : inner.words
  const name = wordValueAt(words, 0)
  if (words.length === 0) return false
  const waits = knowledgeOf(name)?.waits
  if (waits === 'always' || (name === 'read' && !isReadInLoop)) return true
  if (typeof waits === 'function' && waits(words)) return true
  // What else a rule covers may take any time. With variables among the words, what a program does that never waits is unknown.
  return (
    waits !== 'never' && !isReaderProgram(name) && !fileWordsOfReadOnlyCommand(words) && !isCoveredByAcceptEdits(words)
  )
}

/** Whether the place that a word means depends on links or on where a folder stands, so that it may change. */
export async function mayPathTargetChange(
  word: ShellWord,
  { lexical, real }: PathLocation,
  { finder, directories }: { finder: PathFinder; directories: readonly string[] },
): Promise<boolean> {
  if (word.value.split('/').includes('..')) return true
  for (const directory of directories) {
    const top = await finder.place(directory)
    for (const start of [top.lexical, top.real ?? top.lexical])
      if (lexical === start || lexical.startsWith(`${start}/`))
        return real !== join(top.real ?? top.lexical, lexical.slice(start.length))
  }
  return lexical !== real
}
