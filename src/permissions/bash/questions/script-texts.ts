/** Texts in a command that some shell will run: `-c` strings, `eval`, traps, aliases, variables that hold commands. */

import { toScriptTexts } from '../programs/option-script-texts.js'
import type { ScriptText } from '../programs/program-knowledge.js'
import { knowledgeOf } from '../programs/program-table.js'
import type { ShellVariable, ShellWord, SimpleCommand } from '../syntax/syntax.js'

export function scriptTextsOf(program: string | undefined, command: SimpleCommand): ScriptText[] {
  const { words, assignments } = command
  const runs = program === undefined ? undefined : knowledgeOf(program)?.runs
  const variables = [...assignments, ...(runs?.assigns ? assigned(words) : [])]
  return [...variables.flatMap(variableTexts), ...(runs?.texts?.(words) ?? [])]
}

/** Variables whose value other programs, or the shell itself, run as a command. */
const RUN_VALUES =
  /^(?:PS[04]|PROMPT_COMMAND|.*PAGER|.*EDITOR|VISUAL|BROWSER|.*_COMMAND|.*ASKPASS|LESS(?:OPEN|CLOSE)|GIT_EXTERNAL_DIFF|GIT_SSH)$/
/** Variables that name a file the shell runs first, or what changes how it reads. */
const RUN_FILES =
  /^(?:BASH_ENV|ENV|SHELLOPTS|BASH_FUNC_.*|PERL5OPT|RUBYOPT|PYTHONSTARTUP|LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES)$/

function variableTexts({ name, value }: ShellVariable): ScriptText[] {
  if (RUN_FILES.test(name)) return [undefined]
  if (!RUN_VALUES.test(name)) return []
  if (!value) return [undefined]
  // A prompt is a text in which substitutions run; the others are commands.
  return /^PS/.test(name) ? toScriptTexts(value, `: "${value.value.replaceAll('"', '')}"`) : toScriptTexts(value)
}

function assigned(words: readonly ShellWord[]): ShellVariable[] {
  return words.slice(1).flatMap((word) => {
    const [name, ...rest] = word.value.split('=')
    return rest.length === 0 || !name ? [] : [{ name, value: { ...word, value: rest.join('=') } }]
  })
}
