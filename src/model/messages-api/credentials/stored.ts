/** Credentials at rest: API keys in configuration files, and subscription logins, which are recognized but not used. */
import type { Clock } from '../../../platform/clock.js'
import type { FileSystem } from '../../../platform/files/files.js'
import { join } from '../../../platform/paths.js'
import { isObject, type JsonObject } from '../../../protocol/json.js'
import { parseJson } from '../../client/parse-json.js'
import { toSendableSecret } from './credential.js'

export type LoginLocations = {
  files: Pick<FileSystem, 'existsSync' | 'readTextSync'>
  home: string
  /** `CLAUDE_CONFIG_DIR`, when it is set. */
  configDir?: string
}

const KEY_FILES = ['.claude.json.api', '.claude.json']
const KEY_FIELDS = ['primaryApiKey', 'apiKey', 'anthropicApiKey', 'customApiKey']

export function findStoredKey(places: LoginLocations): string | undefined {
  for (const folder of foldersOf(places)) {
    for (const name of KEY_FILES) {
      const content = readObject(places, join(folder, name))
      for (const field of KEY_FIELDS) {
        const value = content?.[field]
        const secret = typeof value === 'string' ? toSendableSecret(value) : undefined
        if (secret?.startsWith('sk-ant-')) return secret
      }
    }
  }
  return undefined
}

/** One sentence per login found, for the error text. */
export function describeLogins(places: LoginLocations, clock: Pick<Clock, 'now'>): string[] {
  const folders = new Set([...foldersOf(places), join(places.home, '.claude')])
  const names = ['.credentials.json', '.claude-oauth-credentials.json']
  const paths = [...folders].flatMap((folder) => names.map((name) => join(folder, name)))
  return paths.flatMap((path) => {
    const login = readObject(places, path)?.['claudeAiOauth']
    if (!isObject(login) || typeof login['accessToken'] !== 'string' || login['accessToken'] === '') return []
    const expiresAt = login['expiresAt']
    const expired = typeof expiresAt === 'number' && expiresAt <= clock.now()
    return [
      `A subscription login was found in ${path}${expired ? ' (expired)' : ''}. ` +
        'Kedge does not use subscription logins: they are for the apps they were made for.',
    ]
  })
}

function foldersOf({ home, configDir }: LoginLocations): string[] {
  return configDir === undefined || configDir === home ? [home] : [home, configDir]
}

/** Undefined for a file that is absent, unreadable or no JSON object: it holds nothing for us. */
function readObject({ files }: LoginLocations, path: string): JsonObject | undefined {
  if (!files.existsSync(path)) return undefined
  try {
    const value = parseJson(files.readTextSync(path))
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
