/** Which credential a session would have, without starting one: the environment, the user's files, their helper. */

import { CLOUD_SWITCH_PATTERN } from '../model/clouds/load-cloud-factory.js'
import { createCredentialSource } from '../model/messages-api/credentials/resolve.js'
import { readUserSettings } from '../model/messages-api/credentials/user-settings.js'
import { nodeClock } from '../platform/clock.js'
import { nodeFiles } from '../platform/files/files.js'
import { homeFolder } from '../platform/home.js'
import { isObject } from '../protocol/json.js'
import type { AccountInfo } from '../protocol/options.js'
import { configFolder } from '../sessions/transcript-paths.js'

/**
 * Returns the account that the environment alone shows. Undefined where only a session can know: a cloud, an API of
 * another vendor, headers that may hold a key.
 */
export function readAccountFromEnvironment(
  given: Readonly<Record<string, string | undefined>>,
): AccountInfo | undefined {
  const home = homeFolder(given)
  const configDir = configFolder(given, home)
  const settings = readUserSettings({ files: nodeFiles }, configDir) ?? {}
  const own = isObject(settings['env']) ? settings['env'] : {}
  const texts = Object.entries(own).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  const env = { ...given, ...Object.fromEntries(texts) }
  const isElsewhere = Object.keys(env).some((name) => CLOUD_SWITCH_PATTERN.test(name) && env[name])
  if (isElsewhere || env['ANTHROPIC_CUSTOM_HEADERS'] || settings['modelProviders'] !== undefined) return undefined
  const source = createCredentialSource({ env, home, configDir, files: nodeFiles, clock: nodeClock })
  const { source: apiKeySource, tokenSource } = source.told()
  const hasHelper = apiKeySource === 'none' && typeof settings['apiKeyHelper'] === 'string'
  return { apiKeySource: hasHelper ? 'apiKeyHelper' : apiKeySource, tokenSource }
}
