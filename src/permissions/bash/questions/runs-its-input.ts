/** Programs that run their input: a shell without a script, a job queue, xargs that uses its input as the program. */

import { knowledgeOf } from '../programs/program-table.js'
import { orEmpty, type ShellWord } from '../syntax/syntax.js'
import { listWrappedCommands } from './wrappers.js'

export function isShell(program: string): boolean {
  return knowledgeOf(program)?.runs?.language === 'shell'
}

/** Whether it is a builtin that runs text or a file in the shell itself. */
export function runsInCurrentShell(program: string): boolean {
  return knowledgeOf(program)?.runs?.language === 'source'
}

/** Whether it runs whatever it receives. */
export function runsStandardInput(program: string, words: readonly ShellWord[]): boolean {
  return knowledgeOf(program)?.runs?.input?.(words) === true
}

/** `xargs -I{} {} x`, `xargs -I% sh -c %`, `find -exec {} ;`: the program, or its script, is what is read or found. */
export function runsProgramFromInput(program: string, words: readonly ShellWord[]): boolean {
  if (program.includes('{}')) return true
  const mark = knowledgeOf(program)?.runs?.mark?.(words)
  if (mark === undefined) return false
  return listWrappedCommands(words).some(
    ([first, ...rest]) =>
      first?.value.includes(mark) ||
      (isShell(orEmpty(first?.value)) && rest.some((word) => word.value.includes(mark) || word.value.includes('{}'))),
  )
}
