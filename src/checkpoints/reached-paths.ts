/** What a change reaches: the path itself, the folders made for it, and, where it takes all of a folder, what is in there. */
import type { WorkspaceFiles } from '../platform/files/files.js'
import { dirname, isInside, join } from '../platform/paths.js'

export type ChangedOrMovedPath =
  /** `deep`: with all it holds; `folder`: it becomes one. */
  | { path: string; deep?: boolean; folder?: boolean }
  /** What is below `from` will be below `to`. */
  | { from: string; to: string }

export type PathsReachedByChanges = {
  /** Absolute; folders before what is in them. */
  paths: string[]
  /** Those among them that are not there yet and become folders. */
  newFolders: Set<string>
  /** Folders with more in them than is kept. */
  tooLarge: string[]
}

/** Beyond so many files, or so many bytes in them, a folder that a command changes is not kept. */
export const MAX_KEPT_FOLDER_FILES = 500
const MOST_BYTES = 100 * 1024 * 1024

/** A copy of a copy of a copy; a folder that is copied into itself has no end. */
const MOST_ROUNDS = 3
const MOST_PATHS = 5000

export async function findPathsReachedByChanges(
  changes: readonly ChangedOrMovedPath[],
  files: WorkspaceFiles,
): Promise<PathsReachedByChanges> {
  const newFolders = new Set<string>()
  const tooLarge: string[] = []
  const found = new Set<string>()
  const add = async (path: string, becomesFolder = false) => {
    if (found.has(path)) return
    for (const folder of await missingAbove(path, files)) {
      // Named by the change itself, it may become a file as well.
      if (!found.has(folder)) newFolders.add(folder)
      found.add(folder)
    }
    if (becomesFolder && !(await files.lstat(path))) newFolders.add(path)
    found.add(path)
  }
  const copies: { from: string; to: string }[] = []
  for (const change of changes) {
    if ('from' in change) {
      const kind = (await files.lstat(change.from))?.kind
      copies.push(change)
      if (kind === 'directory') await add(change.to, true)
      for (const { path, isFolder } of (await contentOf(change.from, files)) ?? [])
        await add(join(change.to, path.slice(change.from.length)), isFolder)
    } else {
      await add(change.path, change.folder)
      const inside = change.deep ? await contentOf(change.path, files) : []
      if (!inside) tooLarge.push(change.path)
      for (const { path } of inside ?? []) await add(path)
    }
  }
  // One command may copy what another of the same line makes.
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    for (const { from, to } of copies) {
      const below = [...found].filter((path) => path !== from && isInside(path, from))
      for (const path of below)
        if (found.size < MOST_PATHS) await add(join(to, path.slice(from.length)), newFolders.has(path))
    }
  }
  return { paths: [...found], newFolders, tooLarge }
}

/** The outermost first. */
async function missingAbove(path: string, files: WorkspaceFiles): Promise<string[]> {
  const missing: string[] = []
  for (let at = dirname(path); dirname(at) !== at && !(await files.lstat(at)); at = dirname(at)) missing.unshift(at)
  return missing
}

/** Everything in a folder, links not followed; nothing when it is none. Undefined when it is too much. */
async function contentOf(
  folder: string,
  files: WorkspaceFiles,
): Promise<{ path: string; isFolder: boolean }[] | undefined> {
  const found: { path: string; isFolder: boolean }[] = []
  let bytes = 0
  const visit = async (at: string): Promise<boolean> => {
    for (const { name, kind } of await files.entries(at, MAX_KEPT_FOLDER_FILES + 1)) {
      const path = join(at, name)
      found.push({ path, isFolder: kind === 'directory' })
      bytes += kind === 'file' ? ((await files.lstat(path))?.size ?? 0) : 0
      if (found.length > MAX_KEPT_FOLDER_FILES || bytes > MOST_BYTES) return false
      if (kind === 'directory' && !(await visit(path))) return false
    }
    return true
  }
  if ((await files.lstat(folder))?.kind !== 'directory') return []
  return (await visit(folder)) ? found : undefined
}
