/**
 * The folders a user trusts, kept in a file of the user's own, and what that covers: everything below such a folder,
 * except repositories that stand in it, which are somebody else's work and need a trust of their own.
 */
import type { BasicFiles } from '../platform/files/files.js'
import { isInside, join } from '../platform/paths.js'
import { isObject } from '../protocol/json.js'
import { claudeCodeRecordPath, foldersAbove, trustPath } from './places.js'
import { changeRecord, type RecordPlaces, type RecordPorts, readRecord } from './user-record.js'

export type TrustPlaces = RecordPlaces & { home: string }

const REPOSITORY_MARKS = ['.git', '.hg', '.jj', '.svn']
const EVERYBODY_MAY_WRITE = 0o002
const STICKY = 0o1000

/** Does a file of the user's say so, ours or Claude Code's? Anything odd means no. */
export async function isTrustedFolder(folder: string, places: TrustPlaces): Promise<boolean> {
  try {
    const { root } = await trustRoot(folder, places)
    const above = foldersAbove(await places.files.realpath(folder))
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

/** Adds a folder, as `trustRoot` gives it. Returns why it could not be remembered, if it could not. */
export async function rememberTrust(root: string, ports: RecordPorts): Promise<string | undefined> {
  return changeRecord(trustPath(ports.configDir), ports, (value) => {
    const known = value === undefined ? [] : foldersIn(value)
    return known && { ...Object(value), folders: [...new Set([...known, root])] }
  })
}

/** A file in the folder it speaks for proves nothing. */
async function readTrusted(root: string, places: TrustPlaces): Promise<readonly string[]> {
  const found = await readRecord(trustPath(places.configDir), places)
  return !found || isInside(found.real, root) ? [] : (foldersIn(found.value) ?? [])
}

/** Those of `folders` whose trust dialog the user accepted in Claude Code. What Kedge would not remember doesn't count. */
async function readAccepted(folders: readonly string[], root: string, places: TrustPlaces): Promise<readonly string[]> {
  const found = await readRecord(claudeCodeRecordPath(places), places, MAX_CLAUDE_BYTES)
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

/** Undefined when it is not what `rememberTrust` writes. */
function foldersIn(value: unknown): string[] | undefined {
  const folders: unknown = typeof value === 'object' && value && 'folders' in value ? value.folders : undefined
  const isList = Array.isArray(folders) && folders.every((folder) => typeof folder === 'string')
  return isList ? folders : undefined
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
