/** Sends those files of a folder to the object storage that are not there yet, and says what is where. */
import { randomUUID } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ArchiveSpec, OmittedFile, WorkspaceSession } from '../session-workspace.js'
import type { SessionFolder, WorkspaceMachine } from '../workspace-machine.js'
import type { ArchivedFile, ArchiveManifest } from './archive-manifest.js'
import { archivedContentKey, forEachLimited, hashBytes } from './archive-objects.js'
import { isSettledFile, scanFolder } from './archive-scan.js'
import type { ObjectStore } from './object-store.js'

/** Asking whether it is there costs as much as sending a small one. */
const WORTH_ASKING = 65_536

type Uploading = {
  store: ObjectStore
  prefix: string
  spec: ArchiveSpec
  folder: SessionFolder
  place: WorkspaceSession
  before: ArchiveManifest
}

/** What was in the list before is there; so is what this owner has sent since. */
export async function uploadFiles(
  machine: WorkspaceMachine,
  { store, prefix, spec, folder, place, before }: Uploading,
  signal?: AbortSignal,
): Promise<{ manifest: ArchiveManifest; bytes: number; leftOut: OmittedFile[] }> {
  const lookedAt = Date.now()
  const { limits } = machine
  const { files, links, folders, leftOut } = await scanFolder(folder.files, { leaveOut: spec.leaveOut, limits }, signal)
  const there = new Map(before.files.map(({ sha256: hash, epoch }) => [hash, epoch]))
  const sending = new Map<string, Promise<void>>()
  const seen = await readSeen(folder)
  const next: Seen = {}
  const listed: ArchivedFile[] = []
  let bytes = 0

  async function send(hash: string, content: Buffer): Promise<void> {
    const key = archivedContentKey(prefix, { sha256: hash, epoch: place.epoch })
    if (content.length > WORTH_ASKING && (await store.has(key, signal))) return
    await store.put(key, content, signal)
    bytes += content.length
  }

  await forEachLimited(files, async ({ path, mode, size, stamp }) => {
    const known = seen[path]
    if (known && known.stamp === stamp && there.has(known.sha256)) {
      next[path] = known
      listed.push({ path, mode, size, sha256: known.sha256, epoch: there.get(known.sha256) ?? place.epoch })
      return
    }
    const content = await readFile(join(folder.files, path)).catch(() => undefined)
    if (!content) return void leftOut.push({ path, why: 'it can not be read' })
    const hash = hashBytes(content)
    if (!there.has(hash)) {
      const sent = sending.get(hash) ?? send(hash, content)
      sending.set(hash, sent)
      await sent
    }
    if (isSettledFile(stamp, lookedAt)) next[path] = { stamp, sha256: hash }
    listed.push({ path, mode, size: content.length, sha256: hash, epoch: there.get(hash) ?? place.epoch })
  })
  await writeSeen(folder, next)
  return { manifest: { files: listed, links, folders }, bytes, leftOut }
}

/** Which file had which content when it was looked at last, so that not all have to be read each time. */
type Seen = Record<string, { stamp: string; sha256: string }>

async function readSeen(folder: SessionFolder): Promise<Seen> {
  try {
    return Object.assign(Object.create(null), JSON.parse(await readFile(join(folder.path, 'seen.json'), 'utf8')))
  } catch {
    return Object.create(null)
  }
}

async function writeSeen(folder: SessionFolder, seen: Seen): Promise<void> {
  const next = join(folder.path, `seen-${randomUUID()}`)
  await writeFile(next, JSON.stringify(seen))
  await rename(next, join(folder.path, 'seen.json'))
}
