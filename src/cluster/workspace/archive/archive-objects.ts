/** What is in the object storage of a session: contents and lists of them. Reading trusts nothing; removing takes nothing that counts. */
import { createHash } from 'node:crypto'
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { KedgeError } from '../../../errors.js'
import type { SavedWorkspace, WorkspaceSession } from '../session-workspace.js'
import { type ArchivedFile, type ArchiveManifest, parseManifest } from './archive-manifest.js'
import type { ObjectStore } from './object-store.js'

const AT_ONCE = 8

export function archivedContentKey(
  prefix: string,
  { sha256: hash, epoch }: Pick<ArchivedFile, 'sha256' | 'epoch'>,
): string {
  return `${prefix}files/${epoch}/${hash}`
}

export async function loadManifest(
  store: ObjectStore,
  { ref, sha256: hash }: SavedWorkspace,
  signal?: AbortSignal,
): Promise<ArchiveManifest> {
  const text = await store.get(ref, signal)
  if (!text) throw lost(`${ref} is not there`)
  if (hashBytes(text) !== hash) throw lost(`${ref} is not what was saved`)
  return parseManifest(text.toString('utf8'))
}

/** Links come last: nothing is written through one. */
export async function restoreFiles(
  store: ObjectStore,
  prefix: string,
  folder: string,
  { files, links, folders }: ArchiveManifest,
  signal?: AbortSignal,
): Promise<void> {
  const parents = new Set([...files, ...links].map(({ path }) => dirname(path)))
  for (const path of [...parents, ...folders]) await mkdir(join(folder, path), { recursive: true })
  await forEachLimited(files, async (file) => {
    const { path, mode, size, sha256: hash } = file
    const key = archivedContentKey(prefix, file)
    const content = await store.get(key, signal)
    if (!content) throw lost(`${key} (${path}) is not there`)
    if (content.length !== size || hashBytes(content) !== hash) throw lost(`${key} (${path}) is not what was saved`)
    await writeFile(join(folder, path), content, { flag: 'wx', mode })
    await chmod(join(folder, path), mode)
  })
  for (const { path, target } of links) await symlink(target, join(folder, path))
}

/**
 * Removes objects that no list needs anymore. Objects belong to their writer's epoch, and a later owner relies only on
 * those in the list it found. So even a fenced worker removes nothing that is still needed.
 */
export async function removeUnneededObjects(
  store: ObjectStore,
  prefix: string,
  {
    place,
    ref,
    manifest,
    before,
    last,
  }: {
    place: WorkspaceSession
    ref: string
    manifest: ArchiveManifest
    before: ArchiveManifest
    last: (SavedWorkspace & { epoch: number }) | undefined
  },
  signal?: AbortSignal,
): Promise<void> {
  const needed = new Set([ref, ...manifest.files.map((file) => archivedContentKey(prefix, file))])
  const old = [...before.files.map((file) => archivedContentKey(prefix, file)), ...(last ? [last.ref] : [])]
  const doubtful = new Set(old)
  try {
    // What owners before this one have sent, and never said that it counts.
    if (last && last.epoch !== place.epoch)
      for await (const key of store.list(prefix, signal)) if (epochOf(key, prefix) <= place.epoch) doubtful.add(key)
    await forEachLimited(
      [...doubtful].filter((key) => !needed.has(key)),
      (key) => store.remove(key, signal),
    )
  } catch {
    // It costs space, and the next owner looks again.
  }
}

function epochOf(key: string, prefix: string): number {
  return Number(/^(?:files|lists)\/(\d+)\//.exec(key.slice(prefix.length))?.[1] ?? Number.POSITIVE_INFINITY)
}

/** Several at a time; the first that fails ends it, when those under way have ended. */
export async function forEachLimited<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items[Symbol.iterator]()
  let isStopped = false
  const one = async () => {
    for (const item of left) {
      if (isStopped) return
      await work(item).catch((error: unknown) => {
        isStopped = true
        throw error
      })
    }
  }
  const all = await Promise.allSettled(Array.from({ length: AT_ONCE }, one))
  for (const ended of all) if (ended.status === 'rejected') throw ended.reason
}

export function hashBytes(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function lost(what: string): KedgeError {
  return new KedgeError('workspace_lost', `Of what was saved in the object storage, ${what}.`)
}
