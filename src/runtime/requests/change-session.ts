/** What a host changes of a running session: its folders, and settings in a file. */
import { isAbsolute, isInside, resolve } from '../../platform/paths.js'
import type { SDKControlRegisterRepoRootRequest } from '../../protocol/requests/session-requests.js'
import { SETTINGS_SOURCE_OF_OPTION } from '../../settings/settings-paths.js'
import type { Conversation } from '../conversation.js'
import { permissionRulePort } from '../settings-files.js'

/** Adds a folder inside one that the session has. Returns its real path, or why it can't be. */
export async function addFolder(
  { permissions, shared }: Conversation,
  { directory }: Pick<SDKControlRegisterRepoRootRequest, 'directory'>,
): Promise<{ folder: string } | { problem: string }> {
  const { files } = shared.platform.workspace
  const { cwd, directories } = shared.settings
  const path = isAbsolute(directory) ? resolve(directory) : resolve(cwd, directory)
  const real = await files.realpath(path).catch(() => undefined)
  if (real === undefined || (await files.stat(real))?.kind !== 'directory')
    return { problem: `No such folder: ${path}` }
  const roots = await Promise.all([cwd, ...directories].map((root) => files.realpath(root).catch(() => root)))
  if (roots.includes(real) || permissions.directories().includes(real))
    return { problem: `${real} is a working directory already.` }
  if (!roots.some((root) => isInside(real, root)))
    return { problem: `${real} is not inside the working directory, nor inside a folder of additionalDirectories.` }
  const [problem] = await permissions.apply([{ type: 'addDirectories', directories: [real], destination: 'session' }])
  return problem === undefined ? { folder: real } : { problem }
}

const WRITABLE = { localSettings: 'outputStyle', userSettings: 'effortLevel' } as const
const LEVELS = ['low', 'medium', 'high']

/** Writes a setting that hosts may write. Returns why it can't be, if it can't. */
export async function writeSettings(
  { shared }: Conversation,
  source: keyof typeof WRITABLE,
  settings: Record<string, unknown>,
): Promise<string | undefined> {
  const allowed = WRITABLE[source]
  if (!shared.settings.sources.some((name) => SETTINGS_SOURCE_OF_OPTION[name] === source))
    return `This session doesn't read ${source}: settingSources leaves them out.`
  const other = Object.keys(settings).find((key) => key !== allowed)
  if (other !== undefined) return `${source}: '${other.slice(0, 100)}' can't be written this way, only ${allowed}.`
  const value = settings[allowed]
  if (typeof value !== 'string') return `${source}: ${allowed} must be a string.`
  if (allowed === 'effortLevel' && !LEVELS.includes(value)) return `effortLevel must be one of ${LEVELS.join(', ')}.`
  if (allowed === 'outputStyle' && !shared.project.lists.outputStyles.includes(value))
    return `There is no output style '${value.slice(0, 100)}'.`
  const { updateSettingsFile } = await import('../../settings/settings-parts.js')
  const { files, clock, identity } = shared.platform
  const { cwd, configDir, home } = shared.settings
  const saved = await updateSettingsFile(source, [{ type: 'setText', key: allowed, value }], {
    files,
    clock,
    rules: permissionRulePort,
    uid: identity.uid,
    folders: { cwd, configDir, home },
  })
  return saved.ok ? undefined : saved.message
}
