/** Saves permission updates to a settings file: atomically, beside other writers, and never outside where it belongs. */
import { systemErrorCode } from '../platform/files/file-stat.js'
import type { BasicFiles } from '../platform/files/files.js'
import { type ProcessLockPorts, whileLocked } from '../platform/files/process-lock.js'
import { basename, dirname, isInside, join } from '../platform/paths.js'
import type { PermissionUpdate } from '../protocol/permission-types.js'
import type { PermissionRulePort } from './check-settings-rule.js'
import {
  describeWriteFailure,
  MAX_SETTINGS_BYTES,
  readSettingsText,
  type SettingsFileAccess,
} from './read-file-text.js'
import { printableValue } from './setting-problems.js'
import { isSettingsFileOfUser, rememberSettingsOwnership } from './settings-file-owner.js'
import { type SettingsFileSource, type SettingsFolders, settingsPath } from './settings-paths.js'
import { applyPermissionUpdatesToText, describeUnreadableJson, type SettingTextUpdate } from './update-text.js'

export type SettingsFileUpdatePorts = ProcessLockPorts & {
  files: SettingsFileAccess & Pick<BasicFiles, 'makeDirectory' | 'replace' | 'create'>
  rules: PermissionRulePort
  folders: SettingsFolders
  /** Null where there are no user ids. */
  uid: number | null
}

type SettingsFileUpdate = PermissionUpdate | SettingTextUpdate

/** Not changed: the file said so already. The texts are for people. */
export type SettingsFileUpdateOutcome =
  | { ok: true; changed: boolean; warning?: string }
  | { ok: false; message: string }

const ATTEMPTS = 5
/** How long to wait for other writers of the file, who can be slow on a busy machine. A lock whose holder is gone is taken at once. */
const LOCK_MS = 20_000

/** Saves all of the updates or none. A failure leaves the file as it was. */
export async function updateSettingsFile(
  source: SettingsFileSource,
  updates: readonly SettingsFileUpdate[],
  ports: SettingsFileUpdatePorts,
): Promise<SettingsFileUpdateOutcome> {
  const path = settingsPath(source, ports.folders)
  const isAbout = (kind: RegExp) => updates.some((update) => kind.test(String(update?.type)))
  const what = isAbout(/Rules$/) ? 'permission rule' : isAbout(/^setText$/) ? 'setting' : 'permission update'
  const fail = (why: string): SettingsFileUpdateOutcome => {
    const message = `The ${what} was not saved to ${printableValue(path, 4096)}: ${printableValue(why, 500)}.`
    return { ok: false, message: what === 'setting' ? message : `${message} It holds for this session only.` }
  }
  try {
    // Nothing to add to a file that is not there: then it need not be made either.
    const trial = applyPermissionUpdatesToText('', updates, ports)
    const exists = (await ports.files.lstat(path)) !== undefined
    if (!exists && !trial.ok) return fail(trial.reason)
    if (!exists && trial.ok && trial.text === '') return { ok: true, changed: false }
    const real = await findPlace(source, path, ports)
    if (!real) return fail('it is a link that leads elsewhere')
    const save = async () => {
      for (let attempt = 1; ; attempt += 1) {
        const outcome = await saveOnce(real, source, updates, ports)
        if (outcome !== 'changed meanwhile') return typeof outcome === 'string' ? fail(outcome) : outcome
        if (attempt === ATTEMPTS) return fail('other programs keep changing it')
      }
    }
    // Without the lock, the look before the write still finds what others wrote.
    return await whileLocked(real, ports, save, { patienceMs: LOCK_MS, otherwise: save })
  } catch (error) {
    return fail(describeWriteFailure(error))
  }
}

/** Reads, changes, writes. A text says why not. */
async function saveOnce(
  real: string,
  source: SettingsFileSource,
  updates: readonly SettingsFileUpdate[],
  ports: SettingsFileUpdatePorts,
): Promise<SettingsFileUpdateOutcome | string> {
  const found = await readSettingsText(real, ports.files)
  if (found.kind === 'unreadable') return `it ${found.reason}`
  const old = found.kind === 'text' ? found.text : ''
  const updated = applyPermissionUpdatesToText(old, updates, ports)
  if (!updated.ok) return `the file can't be changed as it is, ${updated.reason}`
  const local = source === 'localSettings' && { ...ports, configDir: ports.folders.configDir }
  // What came with the folder does not become the user's own because a rule was added to it.
  const own = local && (found.kind === 'absent' || (await isSettingsFileOfUser(real, old, local)))
  const warning = notUsed({ real, source, own }, updates, updated.text)
  if (updated.text === old) return { ok: true, changed: false, ...warning }
  const bytes = new TextEncoder().encode(updated.text)
  if (bytes.length > MAX_SETTINGS_BYTES) return `the file would be larger than ${MAX_SETTINGS_BYTES} bytes`
  try {
    // Also when a link took its place since, it is not the file that was read.
    if (found.kind === 'text') await ports.files.replace(real, bytes, found.stat.mode, found.stat)
    else await ports.files.create(real, bytes, source === 'userSettings' ? 0o600 : undefined)
  } catch (error) {
    if (systemErrorCode(error) === 'ESTALE' || systemErrorCode(error) === 'EEXIST') return 'changed meanwhile'
    throw error
  }
  const problem = own ? await rememberSettingsOwnership({ path: real, text: updated.text, own }, local) : undefined
  const matters = problem !== undefined && updates.some(isMode)
  return { ok: true, changed: true, ...warning, ...(matters && { warning: forgotten(real, problem) }) }
}

/** Saved, but not read like that later. */
function notUsed(
  { real, source, own }: { real: string; source: SettingsFileSource; own: boolean },
  updates: readonly SettingsFileUpdate[],
  text: string,
) {
  const slack = describeUnreadableJson(text)
  if (slack) return { warning: `${printableValue(real, 4096)} is not used as long as it is not JSON: ${slack}.` }
  if (source === 'userSettings' || own || !updates.some(isMode)) return undefined
  if (source === 'projectSettings') {
    return { warning: 'Project settings can not set the permission mode. Save it to local or user settings.' }
  }
  const why = 'may have come with the folder, so it can not set the permission mode. Save it to user settings'
  return { warning: `${printableValue(real, 4096)} ${why}.` }
}

function isMode({ type }: SettingsFileUpdate): boolean {
  return type === 'setMode'
}

function forgotten(real: string, problem: string): string {
  const what = 'is not remembered as your own, so a permission mode in it is not used'
  return `${printableValue(real, 4096)} ${what}: ${printableValue(problem, 500)}.`
}

/** Where the file really is or will be; undefined when links lead out of where it belongs. Makes its folder. */
async function findPlace(
  source: SettingsFileSource,
  path: string,
  ports: SettingsFileUpdatePorts,
): Promise<string | undefined> {
  const { files, folders } = ports
  const mine = source === 'userSettings'
  const folder = dirname(path)
  if (mine) await files.makeDirectory(folder, 0o700)
  else if (!(await files.lstat(folder))) await files.makeDirectory(folder)
  // Users may keep their own settings elsewhere below home, as with dotfiles.
  const bounds = await Promise.all(
    (mine ? [folders.configDir, folders.home] : [folders.cwd]).map((bound) => files.realpath(bound).catch(() => bound)),
  )
  const exists = (await files.lstat(path)) !== undefined
  const real = exists ? await files.realpath(path) : join(await files.realpath(folder), basename(path))
  return bounds.some((bound) => isInside(real, bound)) ? real : undefined
}
