/** The shape of a command in the command table, which help, completion, the manual, "did you mean" and the docs are made of. */
import type { Flag } from '../option-table/flag-row.js'

export type CommandFlag = Pick<Flag, 'name' | 'kind' | 'short' | 'value' | 'choices' | 'secret' | 'help'> & {
  /** The smallest and largest whole number. The flag's kind is `text`, and its value a number. */
  range?: readonly [least: number, most: number]
  /** What applies without the flag, as `--help` shows it. */
  default?: string
}

export type CommandArgument = {
  name: string
  isOptional?: true
  /** It takes all words that are left. */
  isRepeated?: true
  choices?: readonly string[]
  help: string
}

export type CommandExample = readonly [command: string, result: string]

/** A list of `--help` after the examples, such as exit codes. */
export type CommandSection = { title: string; rows: readonly (readonly [term: string, text: string])[] }

export type Command = {
  /** What follows `kedge`: `serve`, `mcp add`. */
  name: string
  /** For lists: imperative, lowercase, at most 60 characters. */
  help: string
  /** What it does for the reader, in full sentences. */
  about: string
  /** Replaces the usage that is made of arguments and flags. */
  usage?: readonly string[]
  arguments?: readonly CommandArgument[]
  flags?: readonly CommandFlag[]
  /** A command has either these, or arguments and flags. */
  commands?: readonly Command[]
  /** The last word of the command that runs if none of `commands` is named. */
  fallback?: string
  /** What follows this many words belongs to the program that they start. */
  mostWords?: number
  examples: readonly CommandExample[]
  sections?: readonly CommandSection[]
  /** What to do about a word or flag that the command doesn't take. */
  hint?: string
  /** The page of the docs. */
  page: string
}

type FlagsOf<C extends Command> = C extends { flags: readonly (infer Row)[] } ? Row : never

type ValueOf<Row> = Row extends { kind: 'switch' }
  ? boolean
  : Row extends { kind: 'repeat' }
    ? string[]
    : Row extends { range: object } | { kind: 'number' }
      ? number | undefined
      : Row extends { choices: readonly (infer Choice)[] }
        ? Choice | undefined
        : string | undefined

/** The values of a command's flags, by name: false and empty for switches and lists that aren't given. */
export type CommandFlagValues<C extends Command> = {
  [Row in FlagsOf<C> as Row extends { name: infer Name extends string } ? Name : never]: ValueOf<Row>
}

/** Returns the word by which a command is called below its parent. */
export function lastWordOfCommand({ name }: Command): string {
  return name.slice(name.lastIndexOf(' ') + 1)
}

/** Returns the command and all below it. */
export function withSubcommands(command: Command): readonly Command[] {
  return [command, ...(command.commands ?? []).flatMap(withSubcommands)]
}

/** Returns all flags of the command and of those below it, each name once. */
export function allFlagsOf(command: Command): readonly CommandFlag[] {
  const flags = withSubcommands(command).flatMap((one) => one.flags ?? [])
  return flags.filter(({ name }, at) => flags.findIndex((other) => other.name === name) === at)
}

/** Every command has it. */
export const HELP_FLAG = { name: 'help', kind: 'switch', short: 'h', help: 'show this help' } as const
