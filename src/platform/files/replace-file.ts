/**
 * Puts new content into a file so that nobody ever sees half of it, and nothing is lost when that fails. All of it happens
 * in one folder that is held open: no link that comes meanwhile leads it, or its temporary file, elsewhere.
 */
import {
  closeSync,
  constants,
  promises as fsp,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs'
import { basename, dirname } from 'node:path'
import type { ExpectedFile } from '../../protocol/workspace/workspace-files.js'
import { type FileStat, systemErrorCode, toFileStat } from './file-stat.js'
import { createMovedFolderError, type HeldFolder, withHeldFolder } from './held-folder.js'
import { createReplacedFileError } from './open-file.js'
import { withReplaceLock } from './replace-lock.js'

export type FileReplacement = {
  content: Uint8Array | string
  mode?: number | undefined
  /** A file that is no longer like that stays as it is (`ESTALE`). */
  expected?: ExpectedFile | undefined
  /** The path is a real one: its folder is the one that stands there, or it fails (`ELOOP`). */
  exact: boolean
}

export function replaceFile(path: string, { content, mode, expected, exact }: FileReplacement): Promise<void> {
  return withHeldFolder(dirname(path), { exact }, async (folder) => {
    const place = { path, folder, here: folder.at(basename(path)) }
    try {
      await throughTemporary(place, { content, mode, replaces: true }, async (temporary) => {
        if (!expected) {
          stayInPlace(place)
          return fsp.rename(temporary, place.here)
        }
        // Nobody else of ours, in whatever process, compares or renames between these; an editor or a program still may.
        await withReplaceLock(folder, basename(path), () => {
          if (!isUnchanged(expected, place.here)) throw createReplacedFileError(path)
          stayInPlace(place)
          renameSync(temporary, place.here)
        })
      })
    } catch (error) {
      if (!expected || !['EACCES', 'EPERM', 'EBUSY'].includes(systemErrorCode(error) ?? '')) throw error
      await withReplaceLock(folder, basename(path), () => overwrite(place, Buffer.from(content), expected, error))
    }
  })
}

export function createFile(path: string, { content, mode, exact }: Omit<FileReplacement, 'expected'>): Promise<void> {
  return withHeldFolder(dirname(path), { exact }, async (folder) => {
    const place = { path, folder, here: folder.at(basename(path)) }
    await throughTemporary(place, { content, mode, replaces: false }, async (temporary) => {
      stayInPlace(place)
      try {
        // Unlike a rename, this fails when the name is taken.
        await fsp.link(temporary, place.here)
      } catch (error) {
        if (systemErrorCode(error) === 'EEXIST') throw error
        // A file system without hard links.
        await withReplaceLock(folder, basename(path), () => {
          if (look(place.here))
            throw Object.assign(new Error(`EEXIST: file already exists, open '${path}'`), { code: 'EEXIST' })
          renameSync(temporary, place.here)
        })
      }
    })
  })
}

/** `here`: for system calls. */
type Place = { path: string; folder: HeldFolder; here: string }

function stayInPlace({ path, folder }: Place): void {
  if (!folder.isInPlace()) throw createMovedFolderError(dirname(path))
}

/** The temporary file is gone afterwards, whatever happened. */
async function throughTemporary(
  place: Place,
  { content, mode, replaces }: Pick<FileReplacement, 'content' | 'mode'> & { replaces: boolean },
  put: (temporary: string) => Promise<void>,
): Promise<void> {
  const temporary = place.folder.at(`.kedge-${process.pid}-${Math.random().toString(36).slice(2)}.tmp`)
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = constants
  const handle = await fsp.open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode ?? 0o666)
  try {
    try {
      // Before anything is in it: where names are looked up by path, it may have been made elsewhere.
      stayInPlace(place)
      await handle.writeFile(content)
      if (replaces) await keepOwner(handle, place.here)
      // The creation mode is subject to umask, and chown drops set-id bits; an explicit mode is neither.
      if (mode !== undefined) await handle.chmod(mode)
    } finally {
      await handle.close()
    }
    await put(temporary)
  } finally {
    await fsp.rm(temporary, { force: true })
  }
}

/**
 * In place, where the folder takes no new names. Without a pause, so that nobody else of this process writes meanwhile. What lies
 * beyond the old end is written first: a full disk shows there, while the old content is whole.
 */
function overwrite(place: Place, bytes: Uint8Array, expected: ExpectedFile, reason: unknown): void {
  const fd = openPlain(place.here, constants.O_RDWR)
  if (fd === undefined) throw reason
  try {
    const stat = toFileStat(fstatSync(fd))
    if (!isSame(expected, stat) || !holds(fd, expected.content)) throw createReplacedFileError(place.path)
    stayInPlace(place)
    try {
      writeAt(fd, bytes.subarray(stat.size), stat.size)
    } catch (error) {
      ftruncateSync(fd, stat.size)
      throw error
    }
    writeAt(fd, bytes.subarray(0, stat.size), 0)
    ftruncateSync(fd, bytes.length)
  } finally {
    closeSync(fd)
  }
}

function writeAt(fd: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done, bytes.length - done, position + done)
}

function openPlain(path: string, access: number): number | undefined {
  const { O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants
  try {
    return openSync(path, access | O_NONBLOCK | O_NOFOLLOW)
  } catch {
    return undefined
  }
}

function look(path: string): FileStat | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found && toFileStat(found)
}

function isUnchanged(expected: ExpectedFile, path: string): boolean {
  if (!isSame(expected, look(path))) return false
  if (!expected.content) return true
  const fd = openPlain(path, constants.O_RDONLY)
  // Then its times and size are all there is to go by.
  if (fd === undefined) return true
  try {
    return holds(fd, expected.content)
  } finally {
    closeSync(fd)
  }
}

function isSame(expected: FileStat, found: FileStat | undefined): boolean {
  const keys = ['kind', 'dev', 'ino', 'size', 'mtimeMs'] as const
  return found !== undefined && keys.every((key) => found[key] === expected[key])
}

/** Times are counted in ticks of some milliseconds and inodes are used again, so only the content is certain. */
function holds(fd: number, content: Uint8Array | undefined): boolean {
  return content === undefined || readFileSync(fd).equals(content)
}

async function keepOwner(handle: fsp.FileHandle, path: string): Promise<void> {
  const old = await fsp.lstat(path).catch(() => undefined)
  if (!old) return
  const own = await handle.stat()
  if (old.uid === own.uid && old.gid === own.gid) return
  // Only root may give files away; without it the new file is simply ours.
  await handle.chown(old.uid, old.gid).catch(() => undefined)
}
