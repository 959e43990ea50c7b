/** Finds the file of a session: in the folders of a working directory and its worktrees, or anywhere. */
import { KedgeError } from '../errors.js'
import type { FileSystem } from '../platform/files/files.js'
import { resolve } from '../platform/paths.js'
import { listProjectFolders, type SessionFile } from './session-file-lists.js'
import { isSessionId, projectKey, transcriptFolderOfProject, transcriptPathInFolder } from './transcript-paths.js'
import { findGitWorktrees } from './worktrees.js'

/** Where to look. */
export type SessionsLocation = {
  files: FileSystem
  configDir: string
  /** Relative folders start here; stores are asked for its sessions when nobody says which. */
  cwd: string
}

/** As the agent sees it: absolute, without links. */
export async function realWorkingDirectory({ files, cwd }: SessionsLocation, dir: string): Promise<string> {
  const path = resolve(cwd, dir)
  return files.realpath(path).catch(() => path)
}

export async function projectKeyOfFolder(place: SessionsLocation, dir: string | undefined): Promise<string> {
  return projectKey(await realWorkingDirectory(place, dir ?? '.'))
}

/** The folders whose files are sessions of `dir`; without one, all there are. */
export async function listSessionFoldersOfProject(
  place: SessionsLocation,
  dir: string | undefined,
  { includeWorktrees = true }: { includeWorktrees?: boolean | undefined } = {},
): Promise<string[]> {
  const { files, configDir } = place
  if (dir === undefined) return listProjectFolders(files, configDir)
  const folder = await realWorkingDirectory(place, dir)
  const roots = [folder, ...(includeWorktrees ? await findGitWorktrees(files, folder) : [])]
  return [...new Set(roots.map((cwd) => transcriptFolderOfProject({ configDir, cwd })))]
}

/**
 * Finds a session's file. Undefined when there is none; what isn't an id is none. Where two folders have it, the one
 * that was written last counts.
 */
export async function findSession(
  place: SessionsLocation,
  sessionId: string,
  dir: string | undefined,
): Promise<SessionFile | undefined> {
  if (!isSessionId(sessionId)) return undefined
  let found: SessionFile | undefined
  for (const folder of await listSessionFoldersOfProject(place, dir)) {
    const path = transcriptPathInFolder(folder, sessionId)
    const stat = await place.files.stat(path).catch(() => undefined)
    if (stat?.kind !== 'file' || (found && found.mtimeMs >= stat.mtimeMs)) continue
    found = { sessionId, path, mtimeMs: stat.mtimeMs, size: stat.size }
  }
  return found
}

/** The same for those who change it. */
export async function findSessionOrThrow(
  place: SessionsLocation,
  sessionId: string,
  dir: string | undefined,
): Promise<SessionFile> {
  checkSessionId(sessionId)
  const found = await findSession(place, sessionId, dir)
  if (found) return found
  throw createSessionNotFoundError(
    sessionId,
    dir === undefined ? 'in any project directory' : `in project directory for ${dir}`,
  )
}

export function checkSessionId(sessionId: string): void {
  if (isSessionId(sessionId)) return
  throw new KedgeError('invalid_option', `Invalid sessionId: ${String(sessionId).slice(0, 100)}`)
}

export function createSessionNotFoundError(sessionId: string, where: string): KedgeError {
  return new KedgeError('session_not_found', `Session ${sessionId} not found ${where}`)
}
