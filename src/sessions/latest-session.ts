/** Finds the most recently written session of a folder, for `--continue`. */
import type { FileSystem } from '../platform/files/files.js'
import { join } from '../platform/paths.js'
import { type ProjectLocation, sessionIdOfFile, transcriptFolderOfProject } from './transcript-paths.js'

export async function findLatestSessionId(files: FileSystem, place: ProjectLocation): Promise<string | undefined> {
  const folder = transcriptFolderOfProject(place)
  const names = await files.list(folder).catch(() => [])
  let latest: { id: string; mtimeMs: number } | undefined
  for (const name of names) {
    const id = sessionIdOfFile(name)
    const stat = id === undefined ? undefined : await files.stat(join(folder, name))
    if (id !== undefined && stat?.kind === 'file' && !(latest && latest.mtimeMs >= stat.mtimeMs))
      latest = { id, mtimeMs: stat.mtimeMs }
  }
  return latest?.id
}
