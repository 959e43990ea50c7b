/**
 * Carries out a rewind: each file is replaced as a whole or not at all, so that one that was cut off can simply be done again.
 */
import { systemErrorCode } from '../platform/files/file-stat.js'
import type { WorkspaceFiles } from '../platform/files/files.js'
import { dirname, join, sep } from '../platform/paths.js'
import { messageOf } from '../protocol/thrown.js'
import type { BlobStore } from './blobs.js'
import { isReachedWithoutLinks, LINKED_FOLDER_REASON } from './capture-file.js'
import type { RewindStep, SkippedPath } from './plan-rewind.js'

/** Returns what could not be done. */
export async function restoreCheckpointFiles(
  steps: readonly RewindStep[],
  files: WorkspaceFiles,
  store: BlobStore,
): Promise<SkippedPath[]> {
  const skipped = new Map<string, SkippedPath>()
  const each = async (chosen: readonly RewindStep[], work: (step: RewindStep) => Promise<void>) => {
    for (const step of chosen) {
      if (skipped.has(step.path)) continue
      try {
        await refuseLinks(step.path, files)
        await work(step)
      } catch (error) {
        const isLink = ['ELOOP', 'ESTALE'].includes(systemErrorCode(error) ?? '')
        skipped.set(step.path, { path: step.path, why: reasonOf(error), isLink })
      }
    }
  }
  const is = (step: RewindStep, target: RewindStep['target']['kind'], found?: 'file' | 'directory') =>
    step.target.kind === target && (found === undefined || step.found?.kind === found)
  const outwards = [...steps].sort((a, b) => depth(b.path) - depth(a.path))
  const inwards = [...steps].sort((a, b) => depth(a.path) - depth(b.path))
  await each(
    steps.filter((step) => step.found?.kind === 'file' && step.target.kind !== 'file'),
    ({ path }) => files.remove(path),
  )
  await each(
    outwards.filter((step) => step.found?.kind === 'directory' && step.target.kind !== 'folder'),
    // What a folder of ours holds that nobody kept stays, and so does the folder.
    ({ path, target }) => removeEmpty(path, files, target.kind === 'nothing' && target.folder === true),
  )
  await each(
    inwards.filter((step) => is(step, 'folder') && step.found?.kind !== 'directory'),
    ({ path }) => files.makeDirectory(path),
  )
  await each(
    steps.filter((step) => is(step, 'file')),
    (step) => writeFile(step, files, store),
  )
  // Last, because a folder may be one that nothing can be written to.
  await each(
    outwards.filter((step) => is(step, 'folder')),
    async ({ path, target }) => {
      if (target.kind === 'folder' && target.mode !== undefined) await files.setFolderMode(path, target.mode)
    },
  )
  return [...skipped.values()]
}

async function writeFile({ path, target, found }: RewindStep, files: WorkspaceFiles, store: BlobStore): Promise<void> {
  if (target.kind !== 'file') return
  const content = await store.read(target.blob)
  if (found?.kind !== 'file') await files.makeDirectory(dirname(path))
  // As late as possible, since nobody can be kept from putting a link in the way.
  await refuseLinks(path, files)
  if (found?.kind === 'file') await files.replace(path, content, target.mode ?? found.mode, found)
  else await files.create(path, content, target.mode ?? 0o644)
}

async function refuseLinks(path: string, files: WorkspaceFiles): Promise<void> {
  if (!(await isReachedWithoutLinks(path, files)))
    throw Object.assign(new Error(LINKED_FOLDER_REASON), { code: 'ELOOP' })
}

async function removeEmpty(path: string, files: WorkspaceFiles, mayStay: boolean): Promise<void> {
  try {
    await files.removeFolder(path)
  } catch (error) {
    const code = systemErrorCode(error)
    if (code === 'ENOENT' || (mayStay && (code === 'ENOTEMPTY' || code === 'EEXIST'))) return
    throw error
  }
}

function depth(path: string): number {
  return path.split(sep).length
}

function reasonOf(error: unknown): string {
  const code = systemErrorCode(error)
  if (code === 'ESTALE') return 'it was changed or replaced meanwhile'
  if (code === 'ELOOP') return LINKED_FOLDER_REASON
  if (code === 'EEXIST') return 'something was made in its place meanwhile'
  if (code === 'ENOTEMPTY') return 'a folder with other files stands in its place'
  return messageOf(error)
}

const LEFTOVER = /^\.kedge-(\d+)-[a-z0-9]+\.tmp$/
const LOCK = /^\.kedge-[a-z0-9]+\.lock$/

/** A lock says who holds it. */
async function holderOf(path: string, files: WorkspaceFiles): Promise<string | undefined> {
  const content = (await files.snapshot(path, 20).catch(() => undefined))?.content
  return /^\d+$/.exec(new TextDecoder().decode(content))?.[0]
}

/** Files that a process left half-written when it was killed; they may even count as another name of a whole one. */
export async function removeHalfWrittenFiles(
  folders: Iterable<string>,
  files: WorkspaceFiles,
  isRunning: (pid: number) => boolean,
): Promise<void> {
  for (const folder of folders) {
    const entries = await files.entries(folder).catch(() => [])
    for (const { name } of entries) {
      const path = join(folder, name)
      const pid = LOCK.test(name) ? await holderOf(path, files) : LEFTOVER.exec(name)?.[1]
      if (pid === undefined || isRunning(Number(pid))) continue
      if (await isReachedWithoutLinks(path, files)) await files.remove(path).catch(() => undefined)
    }
  }
}
