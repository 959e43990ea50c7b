/** Whether the user trusts what a folder brings along: what was said on a terminal or in another program counts here, too. */
import type { FolderTrust, TrustOptions } from '../protocol/folder-settings-types.js'

/** What the folder brings that can run commands or steer the agent, and whether its user has said yes to it. */
export async function folderTrust(cwd: string, { env }: TrustOptions = {}): Promise<FolderTrust> {
  const { parts, places } = await trustPlaces(env)
  const sources = ['project', 'local'] as const
  const { listFolderConfiguration } = await import('../runtime/list-folder-configuration.js')
  const brought = await listFolderConfiguration({ cwd, ...places, sources })
  if (!(await parts.isTrustedFolder(cwd, places))) return { isTrusted: false, ...brought, changed: [] }
  const changed = await parts.findContentChanges(cwd, places)
  const isTrusted = changed.length === 0
  return { ...brought, isTrusted, ...(isTrusted ? { withheld: [] } : {}), changed: changed.map(({ name }) => name) }
}

/** Remembers that its user trusts it, as it is now. Says why where that can't be remembered. */
export async function trustFolder(
  cwd: string,
  { env }: TrustOptions = {},
): Promise<{ isRemembered: boolean; reason?: string }> {
  const { parts, places } = await trustPlaces(env)
  const { root, lasting } = await parts.findTrustRoot(cwd, places)
  const reason = lasting ? await parts.rememberTrustedFolder(root, places) : NOT_LASTING
  if (reason !== undefined) return { isRemembered: false, reason }
  await parts.recordRunnableContent(cwd, true, places)
  return { isRemembered: true }
}

const NOT_LASTING = 'A home folder, one above it, and one where everybody may write is asked about each time.'

/** Loaded here, so that importing the library stays cheap. */
async function trustPlaces(env: NonNullable<TrustOptions['env']> = process.env) {
  const [parts, { nodeFiles }, { homeFolder }, { configFolder }, { createPlatformIdentity }, { nodeClock }] =
    await Promise.all([
      import('../settings/settings-parts.js'),
      import('../platform/files/files.js'),
      import('../platform/home.js'),
      import('../sessions/transcript-paths.js'),
      import('../platform/identity.js'),
      import('../platform/clock.js'),
    ])
  const home = homeFolder(env)
  const configDir = configFolder(env, home)
  return { parts, places: { configDir, home, files: nodeFiles, uid: createPlatformIdentity().uid, clock: nodeClock } }
}
