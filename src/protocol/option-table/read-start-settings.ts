/** The settings a session starts with, as far as each is made of one flag. */

import type { Flag, PathBase } from './flag-row.js'
import { FLAGS, type FlagSetting } from './flags.js'
import type { FlagReader } from './parse-argv.js'
import type { StartSettings } from './start-settings.js'

export function readStartSettings(
  values: Pick<FlagReader, 'value'>,
  place: PathBase,
  flags: readonly Flag[] = FLAGS,
): Pick<StartSettings, FlagSetting> {
  const settings = flags.flatMap((flag) =>
    flag.setting === undefined ? [] : [[flag.setting, settingOf(flag, values.value(flag), place)]],
  )
  // The types of the rows see to it that each gives what its setting holds, and `FlagSetting` is their sum.
  return Object.fromEntries(settings) as Pick<StartSettings, FlagSetting>
}

function settingOf({ decode, absent }: Flag, given: unknown, place: PathBase): unknown {
  if (given === undefined) return absent
  // A row's `decode` takes what its kind of flag gives: see `GivenOf`.
  return decode ? decode(given as never, place) : given
}
