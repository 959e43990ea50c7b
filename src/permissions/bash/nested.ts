/** Finds the commands inside other commands, for deny and ask rules: behind wrappers, in `-c` strings, `eval`, `find -exec` and the like. */
import type { ParseScript } from './parse.js'
import { programOf, type Redirect, type Script, type SimpleCommand, type Word } from './syntax.js'
import { innerCommands } from './wrappers.js'

export type Everything = {
  /** Every command that may run, at any depth. */
  commands: SimpleCommand[]
  redirects: Redirect[]
  /** Something runs that can't be read here: a word known only at run time, a script fed to a shell, text that did not parse. */
  unseen: boolean
}

const DEEPEST_NESTING = 6
const MOST_COMMANDS = 20_000
const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'mksh', 'ash', 'fish', 'rbash'])
/** Builtins that run text or a file in the shell itself. */
const SOURCES = new Set(['.', 'source'])

export function everything(script: Script, parse: ParseScript): Everything {
  const found: Everything = { commands: [], redirects: [], unseen: false }
  addScript(script, parse, found, 0)
  return found
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
  if (words.length === 0) return
  const program = programOf(words)
  if (program === undefined) {
    found.unseen = true
    return
  }
  for (const inner of innerCommands(words)) addCommand(innerCommand(command, inner), parse, found, depth + 1)
  for (const inner of execOptions(program, words)) addCommand(innerCommand(command, inner), parse, found, depth + 1)
  for (const text of scriptsOf(program, words)) {
    if (text === undefined) found.unseen = true
    else addScript(parse(text), parse, found, depth + 1)
  }
  if (isFed(program, command) || runsItsInput(program, words)) found.unseen = true
}

function innerCommand(outer: SimpleCommand, words: readonly Word[]): SimpleCommand {
  const text = words.map((word) => word.source).join(' ')
  return { text, words, starts: words.map(() => -1), assignments: [], redirects: [], fed: outer.fed }
}

/** `find … -exec program … ;` and `fd -x program`. */
function execOptions(program: string, words: readonly Word[]): (readonly Word[])[] {
  const options: Record<string, RegExp> = {
    find: /^-(?:exec|execdir|ok|okdir)$/,
    fd: /^(?:-[xX]|--exec|--exec-batch)$/,
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

/** Texts the program runs as shell code; undefined when such a text is only known at run time. */
function scriptsOf(program: string, words: readonly Word[]): (string | undefined)[] {
  const rest = words.slice(1)
  if (program === 'eval') return rest.length > 0 ? [joined(rest[0]?.value === '--' ? rest.slice(1) : rest)] : []
  if (program === 'watch') return [joined(rest.filter((word) => !word.value.startsWith('-')))]
  if (program === 'trap') return rest[0] && !rest[0].value.startsWith('-') ? [joined(rest.slice(0, 1))] : []
  if (program === 'alias')
    return rest.filter((w) => w.value.includes('=')).map((w) => (w.dynamic ? undefined : afterEquals(w)))
  if (program === 'env')
    return optionValues(words, /^-[a-zA-Z0-9]*S$|^--split-string$/, /^-[a-zA-Z0-9]*S(.+)$|^--split-string=(.*)$/s)
  if (program === 'git') return gitScripts(words)
  if (SHELLS.has(program) || ['su', 'script', 'flock', 'runuser', 'nix-shell', 'nix', 'busybox'].includes(program)) {
    return optionValues(
      words,
      /^-[a-zA-Z]*c$|^--(?:command|session-command|run)$|^-[a-zA-Z]*c[a-zA-Z]+$/,
      /^--(?:command|session-command|run)=(.*)$/s,
    )
  }
  return []
}

/** Git runs `!text` of an alias, and the text of a few options. */
function gitScripts(words: readonly Word[]): (string | undefined)[] {
  const aliases = words.flatMap((word) => {
    const code = /^(?:--config-env=)?alias\.[^=]*=!?(.*)$/s.exec(word.value)?.[1]
    return code === undefined ? [] : [word.dynamic ? undefined : code]
  })
  return [
    ...aliases,
    ...optionValues(
      words,
      /^(?:-x|--exec|--extcmd|--upload-pack|--receive-pack)$/,
      /^--(?:exec|extcmd|upload-pack|receive-pack)=(.*)$/s,
    ),
  ]
}

/** The word after an option (skipping further options), or the part after its `=`. */
function optionValues(words: readonly Word[], option: RegExp, attached: RegExp): (string | undefined)[] {
  const found: (string | undefined)[] = []
  words.forEach((word, i) => {
    const match = attached.exec(word.value)
    const direct = match?.slice(1).find((group) => group !== undefined)
    if (direct !== undefined) found.push(word.dynamic ? undefined : direct)
    else if (i > 0 && option.test(word.value)) {
      const value = words.slice(i + 1).find((w) => !/^[-+][A-Za-z]/.test(w.value))
      if (value) found.push(value.dynamic ? undefined : value.value)
    }
  })
  return found
}

function joined(words: readonly Word[]): string | undefined {
  return words.some((word) => word.dynamic) ? undefined : words.map((word) => word.value).join(' ')
}

function afterEquals(word: Word): string {
  return word.value.slice(word.value.indexOf('=') + 1)
}

/** `xargs -I{} {} x`, `find -exec {} ;`: the program is what is read or found. */
function runsItsInput(program: string, words: readonly Word[]): boolean {
  if (program.includes('{}')) return true
  if (program !== 'xargs') return false
  const at = words.findIndex((word) => /^-[a-zA-Z0-9]*I|^--replace/.test(word.value))
  const mark = words[at]?.value.replace(/^-[a-zA-Z0-9]*I|^--replace=?/, '') || words[at + 1]?.value
  return at >= 0 && mark !== undefined && innerCommands(words).some((inner) => inner[0]?.value.includes(mark))
}

/** A shell without a script of its own, or told to read one from a pipe, runs whatever it is fed. */
function isFed(program: string, command: SimpleCommand): boolean {
  const operands = command.words.slice(1).filter((word) => !/^[-+]./.test(word.value))
  const special = operands.some(
    (word) => word.pipe || word.dynamic || word.value === '-' || /^\/(?:dev|proc)\//.test(word.value),
  )
  if (SOURCES.has(program)) return operands.length === 0 || special
  if (!SHELLS.has(program)) return false
  const options = command.words.slice(1).map((word) => word.value)
  if (options.some((value) => /^-[a-zA-Z]*c/.test(value) || /^--(?:version|help)$/.test(value))) return false
  return operands.length === 0 || special || options.some((value) => /^-[a-zA-Z]*s/.test(value))
}
