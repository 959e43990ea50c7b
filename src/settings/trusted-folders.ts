/**
 * The folders a user trusts, kept in a file of the user's own, and what that covers: everything below such a folder,
 * except repositories that stand in it, which are somebody else's work and need a trust of their own.
 */
import type { BasicFiles } from '../platform/files/files.js'
import { isInside, join } from '../platform/paths.js'
import { isObject } from '../protocol/json.js'
import { claudeCodeRecordPath, folderAndItsParents, trustRecordPath } from './settings-paths.js'
import { readUserRecord, type UserRecordLocation, type UserRecordPorts, updateUserRecord } from './user-record.js'

export type TrustedFoldersLocation = UserRecordLocation & { home: string }

const REPOSITORY_MARKS = ['.git', '.hg', '.jj', '.svn']
const EVERYBODY_MAY_WRITE = 0o002
const STICKY = 0o1000

/** Does a file of the user's say so, ours or Claude Code's? Anything odd means no. */
export async function isTrustedFolder(folder: string, places: TrustedFoldersLocation): Promise<boolean> {
  try {
    const { root } = await findTrustRoot(folder, places)
    const above = folderAndItsParents(await places.files.realpath(folder))
    const trusted = [...(await readTrusted(root, places)), ...(await readAccepted(above, root, places))]
    if (trusted.length === 0) return false
    for (const place of above) {
      if (trusted.includes(place)) return true
      if (await isRepository(place, places.files)) return false
    }
  } catch {
    // Nothing that can be relied on.
  }
  return false
}

/** What a yes is about: the repository the folder belongs to, or the folder itself. `lasting`: it can be remembered. */
export async function findTrustRoot(
  folder: string,
  places: TrustedFoldersLocation,
): Promise<{ root: string; lasting: boolean }> {
  const { files } = places
  const real = await files.realpath(folder)
  const home = await files.realpath(places.home).catch(() => places.home)
  const root = (await findRepositoryRoot(real, home, files)) ?? real
  return { root, lasting: !isInside(home, root) && !(await isOpenToAll(root, files)) }
}

/** Can anybody put something there, or something else in its place? */
async function isOpenToAll(folder: string, files: TrustedFoldersLocation['files']): Promise<boolean> {
  for (const place of folderAndItsParents(folder)) {
    const mode = (await files.lstat(place))?.mode ?? EVERYBODY_MAY_WRITE
    // In a folder like /tmp nobody can rename what others put there.
    const isSafe = place !== folder && (mode & STICKY) !== 0
    if ((mode & EVERYBODY_MAY_WRITE) !== 0 && !isSafe) return true
  }
  return false
}

/** Adds a folder, as `findTrustRoot` gives it. Returns why it could not be remembered, if it could not. */
export async function rememberTrustedFolder(root: string, ports: UserRecordPorts): Promise<string | undefined> {
  return updateUserRecord(trustRecordPath(ports.configDir), ports, (value) => {
    const known = value === undefined ? [] : foldersIn(value)
    return known && { ...Object(value), folders: [...new Set([...known, root])] }
  })
}

/** A file in the folder it speaks for proves nothing. */
async function readTrusted(root: string, places: TrustedFoldersLocation): Promise<readonly string[]> {
  const found = await readUserRecord(trustRecordPath(places.configDir), places)
  return !found || isInside(found.real, root) ? [] : (foldersIn(found.value) ?? [])
}

/** Those of `folders` whose trust dialog the user accepted in Claude Code. What Kedge would not remember doesn't count. */
async function readAccepted(
  folders: readonly string[],
  root: string,
  places: TrustedFoldersLocation,
): Promise<readonly string[]> {
  const found = await readUserRecord(claudeCodeRecordPath(places), places, MAX_CLAUDE_BYTES)
  const projects = isObject(found?.value) ? found.value['projects'] : undefined
  if (!found || isInside(found.real, root) || !isObject(projects)) return []
  const home = await places.files.realpath(places.home).catch(() => places.home)
  const accepted: string[] = []
  for (const place of folders) {
    const project = Object.hasOwn(projects, place) ? projects[place] : undefined
    const isAccepted = isObject(project) && project['hasTrustDialogAccepted'] === true
    if (isAccepted && !isInside(home, place) && !(await isOpenToAll(place, places.files))) accepted.push(place)
  }
  return accepted
}

/** Claude Code keeps the history of every project there. */
const MAX_CLAUDE_BYTES = 16 * 1024 * 1024

/** Undefined when it is not what `rememberTrustedFolder` writes. */
function foldersIn(value: unknown): string[] | undefined {
  const folders: unknown = typeof value === 'object' && value && 'folders' in value ? value.folders : undefined
  const isList = Array.isArray(folders) && folders.every((folder) => typeof folder === 'string')
  return isList ? folders : undefined
}

/** The nearest one. Who keeps the home folder in a repository does not trust all of it together with one folder. */
export async function findRepositoryRoot(
  start: string,
  home: string,
  files: Pick<BasicFiles, 'lstat'>,
): Promise<string | undefined> {
  for (const place of folderAndItsParents(start)) {
    if (isInside(home, place)) return undefined
    if (await isRepository(place, files)) return place
  }
  return undefined
}

async function isRepository(folder: string, files: Pick<BasicFiles, 'lstat'>): Promise<boolean> {
  for (const mark of REPOSITORY_MARKS) if (await files.lstat(join(folder, mark))) return true
  return false
}
