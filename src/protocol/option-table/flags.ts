/**
 * All flags: the half of the option table that agents load. It says what each takes, which setting it becomes, and the words
 * about it. Decoding a command line, the settings a session starts with, help, completion and docs read it.
 */
import { PRINT_AND_PROMPT_FLAGS } from './ask-flags.js'
import type { Flag, FlagRowsOfOptions, FlagWithoutOption } from './flag-row.js'
import { MODEL_FLAGS } from './model-flags.js'
import { IGNORED_AND_REFUSED_FLAGS } from './other-flags.js'
import { PERMISSION_FLAGS } from './permission-flags.js'
import { SESSION_FLAGS } from './session-flags.js'

const ROWS = {
  ...PRINT_AND_PROMPT_FLAGS,
  ...MODEL_FLAGS,
  ...PERMISSION_FLAGS,
  ...SESSION_FLAGS,
  ...IGNORED_AND_REFUSED_FLAGS,
}

export type FlagName = keyof typeof ROWS

/** The settings that are made of one flag each. */
export type FlagSetting = Extract<(typeof ROWS)[FlagName], { setting: string }>['setting']

/** Every flag of OPTION_ROWS has a row here, and every other flag is whole as well. */
type Complete = FlagRowsOfOptions & Record<Exclude<FlagName, keyof FlagRowsOfOptions>, FlagWithoutOption>

export const FLAGS: readonly Flag[] = listFlags(ROWS satisfies Complete)

export function listFlags(rows: Readonly<Record<string, Omit<Flag, 'name'>>>): Flag[] {
  return Object.entries(rows).map(([name, row]) => ({ name, ...row }))
}
