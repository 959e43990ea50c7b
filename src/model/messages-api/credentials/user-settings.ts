/** The user's own settings, for the commands in them that fetch credentials: a project must not be able to name one. */
import { join } from '../../../platform/paths.js'
import type { Platform } from '../../../platform/platform.js'
import { isObject, type JsonObject } from '../../../protocol/json.js'
import { parseJson } from '../../client/parse-json.js'

export function readUserSettings({ files }: Pick<Platform, 'files'>, configDir: string): JsonObject | undefined {
  try {
    const value = parseJson(files.readTextSync(join(configDir, 'settings.json')))
    return isObject(value) ? value : undefined
  } catch {
    // None: they name no command.
    return undefined
  }
}
