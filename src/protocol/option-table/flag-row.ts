/**
 * The shape of a flag in the half of the option table that agents load: its spellings, the words about it, and which setting
 * it becomes. The types are made of OPTION_ROWS and StartSettings: a flag without a row, a setting that does not exist or
 * is of another type, and a setting left without a value are errors of the compiler.
 */
import type { FlagKind } from './option-row.js'
import type { OPTION_ROWS } from './option-rows.js'
import type { StartSettings } from './start-settings.js'

/** The first release of the original that has it, of those we compare with (0.2.25, 0.2.50, 0.3.325); `kedge`: it is ours. */
export type SupportedSince = '0.2.25' | '0.2.50' | 'newer' | 'kedge'

/** Where `--help` shows it. */
export type HelpGroup = 'ask' | 'permissions' | 'model' | 'sessions' | 'trouble'

export type CommonFlagFields = {
  short?: string
  aliases?: readonly string[]
  /** Values of the original that Kedge refuses by name. */
  unsupported?: readonly string[]
  /** What the value is called in `--help`. */
  value?: string
  /** All words up to the next flag are values of it. */
  several?: true
  /** It may stand without its value, and then counts as a switch. */
  optional?: true
  /** The form of a value. If the flag can stand without a value, a next word of another form is not its value. */
  pattern?: RegExp
  /** A notice for a flag that is accepted and does nothing; '' for no notice. */
  idle?: string
  /** It is refused by name; why. */
  refused?: string
  help: string
  /** For people; flags that only hosts use have none. */
  group?: HelpGroup
  /** Absent: 0.2.25. */
  since?: SupportedSince
}

/** What can't be made of one flag alone is read by hand: in runtime/configuration-from-flags.ts, or by the command before there is a session. */
type ByHand = {
  readBy: 'session' | 'command'
  choices?: readonly string[]
  setting?: never
  decode?: never
  absent?: never
}

/** What paths on a command line are relative to. */
export type PathBase = { resolve(path: string): string }

type Given = { switch: boolean; text: string; number: number; list: string[]; repeat: string[] }

/** What the flag gives is the setting, or is made into it. A text is also what a setting holds if only its `choices` are let through. */
type ValueOf<Kind extends FlagKind, Value> = Given[Kind] extends Value
  ? { decode?: Decode<Kind, Value>; choices?: readonly string[] }
  :
      | { decode: Decode<Kind, Value>; choices?: readonly string[] }
      | (Kind extends 'text' ? { decode?: never; choices: readonly (Value & string)[] } : never)

type Decode<Kind extends FlagKind, Value> = (given: Given[Kind], place: PathBase) => Value

/** `absent` is what the setting is without the flag. Switches are then off, and lists empty. */
type AbsentOf<Kind extends FlagKind, Value> = Kind extends 'text' | 'number'
  ? undefined extends Value
    ? { absent?: never }
    : { absent: Value }
  : { absent?: never }

type Becomes<Kind extends FlagKind> = {
  [Name in keyof StartSettings]-?: { setting: Name; readBy?: never } & ValueOf<Kind, StartSettings[Name]> &
    AbsentOf<Kind, StartSettings[Name]>
}[keyof StartSettings]

type FlagRow<Kind extends FlagKind> = CommonFlagFields & { kind: Kind } & (ByHand | Becomes<Kind>)

type FlaggedRow = Extract<(typeof OPTION_ROWS)[number], readonly [unknown, string, ...unknown[]]>

/** What both halves say has to be the same. */
type AsSent<Row extends FlaggedRow> = (Row extends readonly [...unknown[], { readonly choices: infer Choices }]
  ? { choices: Choices }
  : unknown) &
  (Row extends readonly [...unknown[], { readonly secret: true }] ? { secret: true } : { secret?: never })

/** Rows of the flags that carry an option. */
export type FlagRowsOfOptions = { [Row in FlaggedRow as Row[1]]: FlagRow<Row[2]> & AsSent<Row> }

/** Flags that no option stands for: people type them, or hosts send them by themselves. */
export type FlagWithoutOption = { [Kind in FlagKind]: FlagRow<Kind> }[FlagKind]

/** The flags of one theme. Rows of options are checked here, those of other flags where the themes are joined. */
export type FlagTheme = Partial<FlagRowsOfOptions> & Readonly<Record<string, LooseRow>>

type LooseRow = CommonFlagFields & {
  kind: FlagKind
  choices?: readonly string[]
  secret?: true
  readBy?: ByHand['readBy']
  setting?: keyof StartSettings
  decode?: unknown
  absent?: unknown
}

/** A flag, whatever it is, for those that go through all of them. */
export type Flag = Omit<LooseRow, 'setting' | 'decode'> & {
  name: string
  setting?: string
  decode?: (given: never, place: PathBase) => unknown
}
