/** The shape of a row of the option table, as hosts need it: how an option becomes a flag, and what may be wrong with it. */
import type { Options } from '../options.js'

/** `list`: one value, comma separated. `repeat`: the flag once for each value. */
export type FlagKind = 'switch' | 'text' | 'number' | 'list' | 'repeat'

/** Throws a ConfigurationError when the option can't mean anything. It may look at other options as well. */
type Check = (options: Options, option: keyof Options, choices: readonly string[]) => void

type RowParts = {
  /** What goes behind the flag, where that is not simply the option: `true` for the bare flag, undefined for nothing. */
  encode?: (options: Options) => unknown
  check?: Check
  /** Allowed values, for checks. */
  choices?: readonly string[]
  /** It may hold credentials: see secrets.ts. */
  secret?: true
}

export type OptionRow =
  | readonly [option: keyof Options, flag: string, kind: FlagKind, parts?: RowParts]
  /** Words for the command line as they are. */
  | readonly [
      option: keyof Options,
      flag: null,
      kind: 'words',
      parts: { encode: (options: Options) => string[]; secret?: true },
    ]
  /** Not on the command line, but checked. */
  | readonly [option: keyof Options, flag: null, kind: 'none', parts: Pick<RowParts, 'check' | 'choices'>]
