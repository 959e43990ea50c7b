/**
 * The folders a user trusts, kept in a file of the user's own, and what that covers: everything below such a folder,
 * except repositories that stand in it, which are somebody else's work and need a trust of their own.
 */
import type { BasicFiles, FileStat } from '../platform/files/files.js'
import { isAbsolute, isInside, join } from '../platform/paths.js'
import { foldersAbove, trustPath } from './places.js'
import { describeFailure, readTextFile } from './read-file-text.js'
import { type LockPorts, whileLocked } from './write-lock.js'

export type TrustPlaces = {
  /** The user's own settings folder. */
  configDir: string
  home: string
  files: Pick<BasicFiles, 'lstat' | 'realpath' | 'snapshot'>
  /** Null where there are no user ids. */
  uid: number | null
}

const REPOSITORY_MARKS = ['.git', '.hg', '.jj', '.svn']
const OTHERS_MAY_WRITE = 0o022
const EVERYBODY_MAY_WRITE = 0o002
const STICKY = 0o1000

/** Does the user's file say so? Anything odd means no. */
export async function isTrustedFolder(folder: string, places: TrustPlaces): Promise<boolean> {
  try {
    const trusted = await readTrusted(folder, places)
    if (trusted.length === 0) return false
    for (const place of foldersAbove(await places.files.realpath(folder))) {
      if (trusted.includes(place)) return true
      if (await isRepository(place, places.files)) return false
    }
  } catch {
    // Nothing that can be relied on.
  }
  return false
}

/** What a yes is about: the repository the folder belongs to, or the folder itself. `lasting`: it can be remembered. */
export async function trustRoot(folder: string, places: TrustPlaces): Promise<{ root: string; lasting: boolean }> {
  const { files } = places
  const real = await files.realpath(folder)
  const home = await files.realpath(places.home).catch(() => places.home)
  const root = (await repositoryOf(real, home, files)) ?? real
  return { root, lasting: !isInside(home, root) && !(await isOpenToAll(root, files)) }
}

/** Can anybody put something there, or something else in its place? */
async function isOpenToAll(folder: string, files: TrustPlaces['files']): Promise<boolean> {
  for (const place of foldersAbove(folder)) {
    const mode = (await files.lstat(place))?.mode ?? EVERYBODY_MAY_WRITE
    // In a folder like /tmp nobody can rename what others put there.
    const isSafe = place !== folder && (mode & STICKY) !== 0
    if ((mode & EVERYBODY_MAY_WRITE) !== 0 && !isSafe) return true
  }
  return false
}

export type RememberPorts = TrustPlaces &
  LockPorts & { files: Pick<BasicFiles, 'makeDirectory' | 'replace' | 'create' | 'lstat' | 'remove'> }

/** Adds a folder, as `trustRoot` gives it. Returns why it could not be remembered, if it could not. */
export async function rememberTrust(root: string, ports: RememberPorts): Promise<string | undefined> {
  const { configDir, files } = ports
  const path = trustPath(configDir)
  try {
    if (!isAbsolute(configDir)) return `${configDir} is not an absolute path`
    await files.makeDirectory(configDir, 0o700)
    return await whileLocked(path, ports, async () => {
      const found = await readTextFile(path, files)
      if (found.kind === 'unreadable') return `${path} ${found.reason}`
      const known = found.kind === 'text' ? foldersIn(found, ports) : []
      // What somebody else may have put there must not become the user's word.
      if (!known) return `${path} is not in its own form, or others can write it. Repair or remove it`
      const content = new TextEncoder().encode(`${JSON.stringify({ folders: [...known, root] }, null, 2)}\n`)
      if (found.kind === 'text') await files.replace(found.real, content, 0o600, found.stat)
      else await files.create(path, content, 0o600)
      return undefined
    })
  } catch (error) {
    return `${path} can't be written, ${describeFailure(error)}`
  }
}

/** A file in the folder it speaks for proves nothing. */
async function readTrusted(folder: string, places: TrustPlaces): Promise<readonly string[]> {
  const { configDir, files } = places
  if (!isAbsolute(configDir)) return []
  const found = await readTextFile(trustPath(configDir), files)
  if (found.kind !== 'text') return []
  const { root } = await trustRoot(folder, places)
  return isInside(found.real, root) ? [] : (foldersIn(found, places) ?? [])
}

/** Undefined when it is not what `rememberTrust` writes, or when it may be somebody else's. */
function foldersIn({ stat, text }: { stat: FileStat; text: string }, { uid }: TrustPlaces): string[] | undefined {
  if ((stat.mode & OTHERS_MAY_WRITE) !== 0 || (uid !== null && stat.uid !== uid)) return undefined
  try {
    const folders: unknown = JSON.parse(text)?.folders
    const isList = Array.isArray(folders) && folders.every((folder) => typeof folder === 'string')
    return isList ? folders : undefined
  } catch {
    return undefined
  }
}

/** The nearest one. Who keeps the home folder in a repository does not trust all of it together with one folder. */
export async function repositoryOf(
  start: string,
  home: string,
  files: Pick<BasicFiles, 'lstat'>,
): Promise<string | undefined> {
  for (const place of foldersAbove(start)) {
    if (isInside(home, place)) return undefined
    if (await isRepository(place, files)) return place
  }
  return undefined
}

async function isRepository(folder: string, files: Pick<BasicFiles, 'lstat'>): Promise<boolean> {
  for (const mark of REPOSITORY_MARKS) if (await files.lstat(join(folder, mark))) return true
  return false
}
