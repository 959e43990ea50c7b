/** Works out what has to change so that every file is what it was at a message. Looks, changes nothing. */
import { sha256 } from '../platform/files/content-hash.js'
import type { FileStat, WorkspaceFiles } from '../platform/files/files.js'
import { readWholeFile } from '../platform/files/open-file.js'
import { messageOf } from '../protocol/thrown.js'
import { type BlobStore, MAX_BLOB_BYTES } from './blobs.js'
import {
  isReachedWithoutLinks,
  LINKED_FOLDER_REASON,
  SPECIAL_FILE_REASON,
  SYMBOLIC_LINK_REASON,
} from './capture-file.js'
import { type FileHistory, type FileState, stateAt } from './file-history.js'

export type RewindStep = {
  path: string
  target: Exclude<FileState, { kind: 'unknown' }>
  /** What stands there now. */
  found: FileStat | undefined
}

/** A path that stays as it is, though it should not. */
export type SkippedPath = {
  path: string
  why: string
  /** A link or another thing that nothing is written through. */
  isLink: boolean
}

export type RewindPlan = {
  steps: RewindStep[]
  skipped: SkippedPath[]
  /** Files of which nobody knows what they were, though every change to them should have been kept. */
  lost: SkippedPath[]
  insertions: number
  deletions: number
}

export type RewindPorts = {
  files: WorkspaceFiles
  store: BlobStore
  /** Outside the working directories not everything may be written. */
  mayRestore(path: string): Promise<boolean>
}

export type CountChangedLines = (before: string, after: string) => Promise<{ insertions: number; deletions: number }>

const NOTHING = new Uint8Array(0)
/** One character per byte, whatever the encoding: only lines count. */
const byteText = new TextDecoder('latin1')

/**
 * Returns the steps that restore files to a message of the history. With `count`, the lines that would change are
 * counted too.
 */
export async function planRewind(
  history: FileHistory,
  place: number,
  ports: RewindPorts,
  count?: CountChangedLines,
): Promise<RewindPlan> {
  const plan: RewindPlan = { steps: [], skipped: [], lost: [], insertions: 0, deletions: 0 }
  for (const [path, tracked] of history.paths) {
    const target = stateAt(tracked, place)
    const skip = (why: string, isLink = false) => plan.skipped.push({ path, why, isLink })
    try {
      const found = await ports.files.lstat(path)
      if (target.kind === 'unknown') {
        if (isUnkeptFileUnchanged(target, found)) continue
        const isLink = [SYMBOLIC_LINK_REASON, LINKED_FOLDER_REASON, SPECIAL_FILE_REASON].includes(target.why)
        const list = tracked.byCommand || isLink ? plan.skipped : plan.lost
        list.push({ path, why: target.why, isLink })
        continue
      }
      const reached = await isReachedWithoutLinks(path, ports.files)
      const there = reached ? found : undefined
      if (await isAlreadyRestored(path, target, there, ports)) continue
      const obstacle = reached ? obstacleOf(there) : LINKED_FOLDER_REASON
      if (obstacle !== undefined) skip(obstacle, true)
      else if (!(await ports.mayRestore(path))) skip(OUTSIDE)
      else {
        // Read here as well: what can't be restored is known before anything is changed.
        const content = target.kind === 'file' ? await ports.store.read(target.blob) : NOTHING
        plan.steps.push({ path, target, found: there })
        if (!count) continue
        const before = there?.kind === 'file' ? ((await contentOf(path, ports.files)) ?? NOTHING) : NOTHING
        const { insertions, deletions } = await count(byteText.decode(before), byteText.decode(content))
        plan.insertions += insertions
        plan.deletions += deletions
      }
    } catch (error) {
      skip(messageOf(error))
    }
  }
  return plan
}

const OUTSIDE =
  'it is outside the working directories, and this process did not change it; add its folder to additionalDirectories'

/** The same as when it could not be kept. */
export function isUnkeptFileUnchanged(
  { size, mtimeMs }: FileState & { kind: 'unknown' },
  found: FileStat | undefined,
): boolean {
  return found !== undefined && found.size === size && found.mtimeMs === mtimeMs
}

/** Returns whether a path already is as the rewind would leave it. `found`: what stands there now. */
export async function isAlreadyRestored(
  path: string,
  target: RewindStep['target'],
  found: FileStat | undefined,
  { files, store }: Pick<RewindPorts, 'files' | 'store'>,
): Promise<boolean> {
  if (target.kind === 'nothing') return found === undefined
  if (!found || (target.mode !== undefined && target.mode !== found.mode)) return false
  if (target.kind === 'folder') return found.kind === 'directory'
  if (found.kind !== 'file') return false
  const content = await contentOf(path, files)
  if (!content) return false
  // A name that isn't a hash says nothing about the content.
  const wanted = target.blob.includes('@') ? await sha256(await store.read(target.blob)) : target.blob
  return (await sha256(content)) === wanted
}

/** Why nothing may be done to what stands there. */
function obstacleOf(found: FileStat | undefined): string | undefined {
  if (found?.kind === 'symlink') return SYMBOLIC_LINK_REASON
  if (found?.kind === 'other') return SPECIAL_FILE_REASON
  if (found?.kind === 'file' && found.links > 1) return `it has ${found.links} hard links`
  return undefined
}

async function contentOf(path: string, files: WorkspaceFiles): Promise<Uint8Array | undefined> {
  const { file } = await files.open(path)
  if (!file) return undefined
  try {
    return await readWholeFile(file, MAX_BLOB_BYTES)
  } finally {
    await file.close()
  }
}
