/**
 * Small files in the user's own settings folder that remember what the user decided about folders and files elsewhere.
 * What somebody else may have written there is nobody's word.
 */
import type { BasicFiles, FileStat } from '../platform/files/files.js'
import { type ProcessLockPorts, whileLocked } from '../platform/files/process-lock.js'
import { isAbsolute } from '../platform/paths.js'
import { describeWriteFailure, readSettingsText, type SettingsFileAccess } from './read-file-text.js'

export type UserRecordLocation = {
  /** The user's own settings folder. */
  configDir: string
  files: SettingsFileAccess
  /** Null where there are no user ids. */
  uid: number | null
}

export type UserRecordPorts = UserRecordLocation &
  ProcessLockPorts & { files: Pick<BasicFiles, 'makeDirectory' | 'replace' | 'create'> }

/** How long to wait for other writers of the file. */
const LOCK_MS = 5000
const OTHERS_MAY_WRITE = 0o022

/**
 * Reads a JSON record of the user's. `real`: where the file really is, for who must know that it is not in the folder
 * it speaks for.
 */
export async function readUserRecord(
  path: string,
  places: UserRecordLocation,
  maxBytes?: number,
): Promise<{ real: string; value: unknown } | undefined> {
  if (!isAbsolute(places.configDir)) return undefined
  const found = await readSettingsText(path, places.files, maxBytes)
  return found.kind === 'text' ? { real: found.real, value: decided(found, places) } : undefined
}

/**
 * Writes what `change` makes of the value, which is undefined where there is no file. Returns why it could not, if it
 * could not; also when `change` answers undefined, because what stands there is not in its own form.
 */
export async function updateUserRecord(
  path: string,
  ports: UserRecordPorts,
  change: (value: unknown) => object | undefined,
): Promise<string | undefined> {
  const { configDir, files } = ports
  try {
    if (!isAbsolute(configDir)) return `${configDir} is not an absolute path`
    await files.makeDirectory(configDir, 0o700)
    const write = async () => {
      const found = await readSettingsText(path, files)
      if (found.kind === 'unreadable') return `${path} ${found.reason}`
      const old = found.kind === 'text' ? decided(found, ports) : undefined
      // What somebody else may have put there must not become the user's word.
      const value = found.kind === 'text' && old === undefined ? undefined : change(old)
      if (!value) return `${path} is not in its own form, or others can write it. Repair or remove it`
      const content = new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`)
      if (found.kind === 'text') await files.replace(found.real, content, 0o600, found.stat)
      else await files.create(path, content, 0o600)
      return undefined
    }
    return await whileLocked(path, ports, write, { patienceMs: LOCK_MS, otherwise: write })
  } catch (error) {
    return `${path} can't be written, ${describeWriteFailure(error)}`
  }
}

/** Undefined when it isn't JSON, or may be somebody else's. */
function decided({ stat, text }: { stat: FileStat; text: string }, { uid }: UserRecordLocation): unknown {
  if ((stat.mode & OTHERS_MAY_WRITE) !== 0 || (uid !== null && stat.uid !== uid)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
