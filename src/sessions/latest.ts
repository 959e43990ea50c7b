/** Finds the most recently written session of a folder, for `--continue`. */
import type { FileSystem } from '../platform/files.js'
import { join } from '../platform/paths.js'
import { isSessionId, projectFolder, type SessionPlace } from './location.js'

export async function latestSession(files: FileSystem, place: SessionPlace): Promise<string | undefined> {
  const folder = projectFolder(place)
  let names: string[]
  try {
    names = await files.list(folder)
  } catch {
    return undefined
  }
  let latest: { id: string; mtimeMs: number } | undefined
  for (const name of names) {
    const id = name.replace(/\.jsonl$/, '')
    if (!name.endsWith('.jsonl') || !isSessionId(id)) continue
    const stat = await files.stat(join(folder, name))
    if (stat && (!latest || stat.mtimeMs > latest.mtimeMs)) latest = { id, mtimeMs: stat.mtimeMs }
  }
  return latest?.id
}
