/** Programs that run their input: a shell without a script, a job queue, xargs that uses its input as the program. */
import { wordList } from '../../word-list.js'
import { orEmpty, type ShellWord, valueAt } from '../syntax/syntax.js'
import { innerCommands } from './wrappers.js'

const SHELLS = new Set(
  wordList(`
    sh bash dash zsh ksh ksh93 mksh ash fish rbash posh yash csh tcsh osh ysh pwsh powershell nu elvish xonsh
  `),
)
/** Builtins that run text or a file in the shell itself. */
const SOURCES = new Set(['.', 'source'])

export function isShell(program: string): boolean {
  return SHELLS.has(program)
}

export function isSource(program: string): boolean {
  return SOURCES.has(program)
}

/** A shell without a script, or one that reads its script from a pipe, runs whatever it receives. */
export function isFed(program: string, words: readonly ShellWord[]): boolean {
  const args = words.slice(1)
  if (program === 'at' || program === 'batch') return true
  if (program === 'crontab') return !args.some((word) => /^-[ler]/.test(word.value))
  if (/^g?make$/.test(program)) return readsPipedMakefile(args)
  const operands = args.filter((word) => !/^[-+]./.test(word.value))
  const special = operands.some(
    (word) => word.pipe || word.dynamic || word.value === '-' || /^\/(?:dev|proc)\//.test(word.value),
  )
  if (SOURCES.has(program)) return operands.length === 0 || special
  if (!SHELLS.has(program)) return false
  const options = args.map((word) => word.value)
  if (options.some((value) => /^--(?:version|help)$/.test(value))) return false
  // What they run first is in the next word.
  if (options.some((value) => /^--(?:rcfile|init-file)/.test(value))) return true
  // Behind xargs the script comes from its input.
  if (options.some((value) => /^-[a-zA-Z]*c|^-Command$/.test(value))) return operands.length === 0
  return operands.length === 0 || special || options.some((value) => /^-[a-zA-Z]*s/.test(value))
}

/** `make -f -`, `-f/dev/stdin`, `--file=<(…)`: its rules are what it is fed. */
function readsPipedMakefile(args: readonly ShellWord[]): boolean {
  const isPiped = (value: string, { pipe, dynamic }: ShellWord) =>
    value === '-' || pipe || dynamic || /^\/(?:dev|proc)\//.test(value)
  return args.some((word, i) => {
    const given = /^(?:-[a-zA-Z]*f|--[a-z]+=)(.+)$/s.exec(word.value)?.[1]
    if (given !== undefined && isPiped(given, word)) return true
    return /^-[a-zA-Z]*f$|^--(?:f|m[a-z]*)/.test(valueAt(args, i - 1)) && isPiped(word.value, word)
  })
}

/** `xargs -I{} {} x`, `xargs -I% sh -c %`, `find -exec {} ;`: the program, or its script, is what is read or found. */
export function runsItsInput(program: string, words: readonly ShellWord[]): boolean {
  if (program.includes('{}')) return true
  if (program !== 'xargs' && program !== 'parallel') return false
  const at = words.findIndex((word) => /^-[a-zA-Z0-9]*[Ii]|^--replace/.test(word.value))
  const mark =
    program === 'parallel'
      ? '{}'
      : words[at]?.value.replace(/^-[a-zA-Z0-9]*[Ii]|^--replace=?/, '') || words[at + 1]?.value
  if (mark === undefined || (at < 0 && program === 'xargs')) return false
  return innerCommands(words).some(
    ([first, ...rest]) =>
      first?.value.includes(mark) ||
      (SHELLS.has(orEmpty(first?.value)) &&
        rest.some((word) => word.value.includes(mark) || word.value.includes('{}'))),
  )
}
