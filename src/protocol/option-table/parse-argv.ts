/** Decodes command-line arguments by the option table. Bad input becomes one message that names the nearest flag. */
import { nearestName } from '../command-table/nearest-name.js'
import type { Flag } from './flag-row.js'
import { FLAGS, type FlagName } from './flags.js'

/** Values by flag name, as they were written; numbers checked. */
export type FlagValues = {
  switches: ReadonlySet<string>
  text: ReadonlyMap<string, string>
  repeated: ReadonlyMap<string, readonly string[]>
  /** Arguments that are not flags. */
  rest: readonly string[]
}

export type ParsedArgv = { ok: true; values: FlagValues } | { ok: false; message: string }

type Spellings = ReadonlyMap<string, Flag>

const OWN = flagsBySpelling(FLAGS)

/** Flags by everything they may be called on a command line. */
export function flagsBySpelling(flags: readonly Flag[]): Spellings {
  return new Map(
    flags.flatMap((flag) => {
      const names = [`--${flag.name}`, ...(flag.short ? [`-${flag.short}`] : [])]
      return [...names, ...(flag.aliases ?? []).map((alias) => `--${alias}`)].map((name) => [name, flag] as const)
    }),
  )
}

/** `mostWords`: what follows that many words belongs to the last of them, such as the arguments of a program. */
export function parseArgv(
  argv: readonly string[],
  byName: Spellings = OWN,
  mostWords = Number.POSITIVE_INFINITY,
): ParsedArgv {
  const switches = new Set<string>()
  const text = new Map<string, string>()
  const repeated = new Map<string, string[]>()
  const rest: string[] = []
  for (let i = 0; i < argv.length; i += 1) {
    const argument = argv[i] ?? ''
    if (argument === '--') {
      rest.push(...argv.slice(i + 1))
      break
    }
    if (rest.length >= mostWords) {
      rest.push(...argv.slice(i))
      break
    }
    if (isWord(argument)) {
      rest.push(argument)
      continue
    }
    const equals = argument.startsWith('--') ? argument.indexOf('=') : -1
    const name = equals < 0 ? argument : argument.slice(0, equals)
    const flag = byName.get(name)
    if (!flag) return { ok: false, message: unknownFlag(name, byName) }
    if (flag.refused !== undefined) {
      return { ok: false, message: `error: option '--${flag.name}' is not supported by Kedge: ${flag.refused}` }
    }
    if (flag.kind === 'switch') {
      if (equals >= 0) return { ok: false, message: `error: option '--${flag.name}' takes no value` }
      switches.add(flag.name)
      continue
    }
    const value = equals >= 0 ? argument.slice(equals + 1) : argv[i + 1]
    if (flag.optional && equals < 0 && (value === undefined || value.startsWith('-') || !fits(flag, value))) {
      switches.add(flag.name)
      continue
    }
    if (equals < 0) i += 1
    if (value === undefined || (equals < 0 && byName.has(value))) {
      return { ok: false, message: `error: option '--${flag.name} <${flag.value}>' argument missing` }
    }
    const given = [value]
    // As hosts know it: all words up to the next flag. A rule that became part of the prompt would not be a rule.
    while (flag.several && equals < 0 && isWord(argv[i + 1])) given.push(argv[++i] ?? '')
    for (const one of given) {
      const problem = checkValue(flag, one)
      if (problem) return { ok: false, message: problem }
      if (flag.kind === 'repeat') repeated.set(flag.name, [...(repeated.get(flag.name) ?? []), one])
      else if (flag.kind === 'list' && text.has(flag.name)) text.set(flag.name, `${text.get(flag.name)},${one}`)
      else text.set(flag.name, one)
    }
  }
  return { ok: true, values: { switches, text, repeated, rest } }
}

function isWord(argument: string | undefined): boolean {
  return argument !== undefined && (!argument.startsWith('-') || argument === '-')
}

function fits({ pattern }: Flag, value: string): boolean {
  return pattern === undefined || pattern.test(value)
}

function checkValue(flag: Flag, value: string): string | undefined {
  const shown = flag.secret ? '…' : value
  if (!fits(flag, value))
    return `error: option '--${flag.name} <${flag.value}>' argument '${shown}' is invalid. ${flag.help}`
  if (flag.kind === 'number' && !(Number.isFinite(Number(value)) && Number(value) >= 0 && value.trim() !== '')) {
    return `error: option '--${flag.name} <${flag.value}>' needs a number, not '${shown}'`
  }
  if (flag.choices && !flag.choices.includes(value)) {
    const why = flag.unsupported?.includes(value) ? 'is not supported by Kedge' : 'is invalid'
    return `error: option '--${flag.name} <${flag.value}>' argument '${shown}' ${why}. Allowed choices are ${flag.choices.join(', ')}.`
  }
  return undefined
}

function unknownFlag(name: string, byName: Spellings): string {
  const nearest = nearestName(
    name,
    [...byName.keys()].filter((known) => known.startsWith('--')),
  )
  return `error: unknown option '${name}'${nearest ? `\n(Did you mean ${nearest}?)` : ''}`
}

/** Typed access to the values of one command line. */
export function createFlagReader(values: FlagValues) {
  return {
    /** What the flag's kind makes of it: undefined for a text or number that is not there, otherwise off or empty. */
    value({ name, kind }: Pick<Flag, 'name' | 'kind'>): unknown {
      const text = values.text.get(name)
      switch (kind) {
        case 'switch':
          return values.switches.has(name)
        case 'number':
          return text === undefined ? undefined : Number(text)
        case 'list':
          return splitFlagList(text ?? '')
        case 'repeat':
          return values.repeated.get(name) ?? []
        case 'text':
          return text
      }
    },
    has: (name: FlagName) => values.switches.has(name),
    text: (name: FlagName) => values.text.get(name),
    number: (name: FlagName) => {
      const value = values.text.get(name)
      return value === undefined ? undefined : Number(value)
    },
    /** Undefined when the flag is absent, `[]` for an empty value. */
    list: (name: FlagName) => {
      const value = values.text.get(name)
      return value === undefined ? undefined : splitFlagList(value)
    },
    repeated: (name: FlagName) => values.repeated.get(name) ?? [],
    rest: values.rest,
    /** Those that are there and may have taken more words than was meant. */
    eaters: () =>
      FLAGS.filter(({ several, name }) => several && (values.text.has(name) || values.repeated.has(name))).map(
        ({ name }) => name,
      ),
    /** What to tell of flags that are there and do nothing. */
    idle: () =>
      FLAGS.filter(({ idle, name }) => idle && (values.switches.has(name) || values.text.has(name))).map(
        ({ name, idle }) => `--${name} has no effect: ${idle}`,
      ),
  }
}

export type FlagReader = ReturnType<typeof createFlagReader>

/** Splits at commas (and spaces) outside parentheses: `Bash(ls a,b),Read` is two rules. */
export function splitFlagList(value: string): string[] {
  const items: string[] = []
  let depth = 0
  let item = ''
  for (const char of value) {
    if (char === '(') depth += 1
    if (char === ')' && depth > 0) depth -= 1
    if (depth === 0 && (char === ',' || char === ' ')) {
      if (item) items.push(item)
      item = ''
    } else {
      item += char
    }
  }
  if (item) items.push(item)
  return items
}
