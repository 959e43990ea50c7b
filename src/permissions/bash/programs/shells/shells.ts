/** Shells: they run texts, files, and what they read. */
import type { ShellWord } from '../../syntax/syntax.js'
import { knowledgeForNames } from '../knowledge-parts.js'
import { scriptTextsOfCommandOption } from '../option-script-texts.js'
import type { KnownPrograms, ProgramKnowledge } from '../program-knowledge.js'

const SHELL: ProgramKnowledge = { runs: { language: 'shell', texts: scriptTextsOfCommandOption, input: runsInput } }

export const SHELL_PROGRAMS: KnownPrograms = {
  ...knowledgeForNames(
    'sh dash ksh ksh93 mksh ash fish rbash posh yash csh tcsh osh ysh pwsh powershell nu elvish xonsh',
    SHELL,
  ),
  ...knowledgeForNames('bash zsh', { ...SHELL, looks: { version: /^--version$/ } }),
}

/** A shell without a script, or one that reads its script from a pipe, runs whatever it receives. */
function runsInput(words: readonly ShellWord[]): boolean {
  const args = words.slice(1)
  const options = args.map((word) => word.value)
  if (options.some((value) => /^--(?:version|help)$/.test(value))) return false
  // What they run first is in the next word.
  if (options.some((value) => /^--(?:rcfile|init-file)/.test(value))) return true
  const operands = operandsOfShell(args)
  // Behind xargs the script comes from its input.
  if (options.some((value) => /^-[a-zA-Z]*c|^-Command$/.test(value))) return operands.length === 0
  return operands.length === 0 || operands.some(isPiped) || options.some((value) => /^-[a-zA-Z]*s/.test(value))
}

/** The same for the builtins that run a file in the shell itself. */
export function runsInputInCurrentShell(words: readonly ShellWord[]): boolean {
  const operands = operandsOfShell(words.slice(1))
  return operands.length === 0 || operands.some(isPiped)
}

function operandsOfShell(args: readonly ShellWord[]): readonly ShellWord[] {
  return args.filter((word) => !/^[-+]./.test(word.value))
}

function isPiped({ pipe, dynamic, value }: ShellWord): boolean {
  return pipe || dynamic || value === '-' || /^\/(?:dev|proc)\//.test(value)
}
