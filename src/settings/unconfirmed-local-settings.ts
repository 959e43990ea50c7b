/** What a local settings file sets that counts only in a file of the user's own, while nobody knows yet whose it is. */

import { ACCEPT_ANY_RULE } from './check-settings-rule.js'
import { parseSettings } from './parse-file.js'
import { readSettingsText } from './read-file-text.js'
import { printableValue } from './setting-problems.js'
import { readRememberedSettingsOwnership } from './settings-file-owner.js'
import { settingsPath } from './settings-paths.js'
import type { UserRecordLocation } from './user-record.js'

/** `keys` are safe to print. */
export type UnconfirmedLocalSettings = { path: string; text: string; keys: string[] }

/** Undefined when there is nothing to ask the user about. */
export async function findUnconfirmedLocalSettings(
  cwd: string,
  places: UserRecordLocation & { home: string },
): Promise<UnconfirmedLocalSettings | undefined> {
  const path = settingsPath('localSettings', { ...places, cwd })
  const read = await readSettingsText(path, places.files)
  if (read.kind !== 'text') return undefined
  const withheld = (own: boolean) => {
    const file = { source: 'localSettings', file: path, text: read.text, rules: ACCEPT_ANY_RULE } as const
    const { problems } = parseSettings({ ...file, repository: { trusted: true, own } })
    return problems.flatMap(({ withheld, key }) => (withheld && key !== undefined ? [key] : []))
  }
  const never = withheld(true)
  const keys = withheld(false).filter((key) => !never.includes(key))
  if (keys.length === 0 || (await readRememberedSettingsOwnership(path, read.text, places)) !== undefined)
    return undefined
  return { path, text: read.text, keys: keys.map((key) => printableValue(key, 100)) }
}
