/** Reads a command line by the command table. What a command doesn't take is an error that names it, never ignored. */
import {
  allFlagsOf,
  type Command,
  type CommandFlag,
  type CommandFlagValues,
  HELP_FLAG,
  lastWordOfCommand,
} from '../../protocol/command-table/command-row.js'
import { nearestName } from '../../protocol/command-table/nearest-name.js'
import { type FlagValues, flagsBySpelling, parseArgv } from '../../protocol/option-table/parse-argv.js'
import { terminalSafeText } from '../visible-text.js'
import { commandHelp } from './help-page.js'

/** What to print instead of running the command: its help, or what is wrong with the command line. */
export type HelpOrUsageError = { text: string; isHelp: boolean }

export type ParsedCommandLine<C extends Command> = { values: CommandFlagValues<C>; words: readonly string[] }
export type ChosenCommand = { command: Command; args: readonly string[] }

/** For a command without commands below it. */
export function readCommandLine<const C extends Command>(
  command: C,
  args: readonly string[],
): ParsedCommandLine<C> | HelpOrUsageError {
  const flags: readonly CommandFlag[] = [...(command.flags ?? []), HELP_FLAG]
  const parsed = parseArgv(args, flagsBySpelling(flags), command.mostWords)
  if (parsed.ok ? parsed.values.switches.has('help') : asksForHelp(args)) return helpOf(command)
  if (!parsed.ok) {
    const hint = command.hint === undefined ? '' : `\n(${command.hint})`
    return createUsageError(command, `${parsed.message.replace(/^error: /, '')}${hint}`)
  }
  const problem = wordProblem(command, parsed.values.rest) ?? rangeProblem(flags, parsed.values)
  if (problem !== undefined) return createUsageError(command, problem)
  return { values: valuesOf(flags, parsed.values) as CommandFlagValues<C>, words: parsed.values.rest } // by its own rows
}

/** For a command with commands below it: returns the one that is named, and its arguments. Flags can stand before its name. */
export function chooseCommand(group: Command, args: readonly string[]): ChosenCommand | HelpOrUsageError {
  const at = firstWord(group, args)
  const word = at === undefined ? group.fallback : args[at]
  const rest = at === undefined ? args : args.toSpliced(at, 1)
  if (at === undefined && asksForHelp(args)) return helpOf(group)
  if (word === undefined) return { text: commandHelp(group), isHelp: false }
  if (word === 'help') return helpFor(group, rest)
  const command = group.commands?.find((one) => lastWordOfCommand(one) === word)
  if (!command) return createUsageError(group, unknownCommand(group, word))
  return command.commands ? chooseCommand(command, rest) : { command, args: rest }
}

/** `kedge help X Y`: the help of the command that these words name, below `group`. */
export function helpFor(group: Command, [word, ...more]: readonly string[]): HelpOrUsageError {
  if (word === undefined || word.startsWith('-')) return helpOf(group)
  const command = group.commands?.find((one) => lastWordOfCommand(one) === word)
  return command ? helpFor(command, more) : createUsageError(group, unknownCommand(group, word))
}

export function createUsageError({ name }: Command, problem: string): HelpOrUsageError {
  const help = ['kedge', ...(name === '' ? [] : [name]), '--help'].join(' ')
  return { text: `error: ${terminalSafeText(problem)}\nRun \`${help}\` for details.\n`, isHelp: false }
}

function helpOf(command: Command): HelpOrUsageError {
  return { text: commandHelp(command), isHelp: true }
}

function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return args.slice(0, end < 0 ? args.length : end).some((word) => word === '--help' || word === '-h')
}

/** Undefined: there are flags only. */
function firstWord(group: Command, args: readonly string[]): number | undefined {
  const spellings = flagsBySpelling([...allFlagsOf(group), HELP_FLAG])
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? ''
    if (!word.startsWith('-')) return at
    const flag = spellings.get(word)
    if (flag && flag.kind !== 'switch') at += 1
  }
  return undefined
}

function unknownCommand(group: Command, word: string): string {
  const names = (group.commands ?? []).map(lastWordOfCommand)
  const parent = ['kedge', ...(group.name === '' ? [] : [group.name])].join(' ')
  const near = nearestName(word, names, 2)
  const choices = group.name === '' ? '' : ` Commands: ${names.join(', ')}.`
  return `unknown command '${parent} ${word.slice(0, 50)}'.${near === undefined ? choices : `\n(Did you mean ${parent} ${near}?)`}`
}

function wordProblem(command: Command, words: readonly string[]): string | undefined {
  const known = command.arguments ?? []
  const missing = known.slice(words.length).find(({ isOptional }) => !isOptional)
  if (missing) return `kedge ${command.name} needs ${missing.name}: ${missing.help}.`
  const extra = known.at(-1)?.isRepeated ? undefined : words[known.length]
  const hint = command.hint === undefined ? '' : ` ${command.hint}`
  if (extra !== undefined) return `kedge ${command.name} doesn't take '${extra.slice(0, 50)}'.${hint}`
  const wrong = known.findIndex(({ choices }, at) => {
    const word = words[at]
    return choices !== undefined && word !== undefined && !choices.includes(word)
  })
  const { name, choices = [] } = known[wrong] ?? {}
  return name === undefined ? undefined : `${name} must be ${listOf(choices)}, got '${words[wrong]?.slice(0, 50)}'.`
}

function listOf(choices: readonly string[]): string {
  return [choices.slice(0, -1).join(', '), ...choices.slice(-1)].join(' or ')
}

function rangeProblem(flags: readonly CommandFlag[], values: FlagValues): string | undefined {
  for (const { name, range } of flags) {
    const text = values.text.get(name)
    if (range === undefined || text === undefined) continue
    const [least, most] = range
    if (!/^\d{1,12}$/.test(text) || Number(text) < least || Number(text) > most)
      return `--${name} must be between ${least} and ${most}, got ${text.trim() === '' ? 'an empty value' : text.slice(0, 50)}.`
  }
  return undefined
}

function valuesOf(flags: readonly CommandFlag[], { switches, text, repeated }: FlagValues): Record<string, unknown> {
  const entries = flags.map(({ name, kind, range }) => {
    if (kind === 'switch') return [name, switches.has(name)]
    if (kind === 'repeat') return [name, [...(repeated.get(name) ?? [])]]
    const value = text.get(name)
    const isNumber = range !== undefined || kind === 'number'
    return [name, isNumber && value !== undefined ? Number(value) : value]
  })
  return Object.fromEntries(entries)
}
