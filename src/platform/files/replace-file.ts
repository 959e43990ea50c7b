/**
 * Puts new content into a file so that nobody ever sees half of it, and nothing is lost when that fails. All of it happens
 * in one folder that is held open: no link that comes meanwhile leads it, or its temporary file, elsewhere.
 */
import { constants, promises as fsp } from 'node:fs'
import { basename, dirname } from 'node:path'
import { codeOf, type FileStat, toStat } from './file-stat.js'
import { type HeldFolder, inFolder, moved } from './held-folder.js'
import { replaced } from './open-file.js'

export type NewContent = {
  content: Uint8Array | string
  mode?: number | undefined
  /** A file that is no longer like that stays as it is (`ESTALE`). */
  expected?: FileStat | undefined
  /** The path is a real one: its folder is the one that stands there, or it fails (`ELOOP`). */
  exact: boolean
}

export function replaceFile(path: string, { content, mode, expected, exact }: NewContent): Promise<void> {
  return inFolder(dirname(path), { exact }, async (folder) => {
    const place = { path, folder, here: folder.at(basename(path)) }
    try {
      await throughTemporary(place, { content, mode, replaces: true }, async (temporary) => {
        // As late as possible, since nobody else can be kept from writing in between.
        if (expected && !isSame(expected, await look(place.here))) throw replaced(path)
        stayInPlace(place)
        await fsp.rename(temporary, place.here)
      })
    } catch (error) {
      if (!expected || !['EACCES', 'EPERM', 'EBUSY'].includes(codeOf(error) ?? '')) throw error
      await overwrite(place, Buffer.from(content), expected, error)
    }
  })
}

export function createFile(path: string, { content, mode, exact }: Omit<NewContent, 'expected'>): Promise<void> {
  return inFolder(dirname(path), { exact }, async (folder) => {
    const place = { path, folder, here: folder.at(basename(path)) }
    await throughTemporary(place, { content, mode, replaces: false }, async (temporary) => {
      stayInPlace(place)
      try {
        // Unlike a rename, this fails when the name is taken.
        await fsp.link(temporary, place.here)
      } catch (error) {
        if (codeOf(error) === 'EEXIST') throw error
        // A file system without hard links. The look before the rename leaves a gap, but a short one.
        if (await look(place.here))
          throw Object.assign(new Error(`EEXIST: file already exists, open '${path}'`), { code: 'EEXIST' })
        await fsp.rename(temporary, place.here)
      }
    })
  })
}

/** `here`: for system calls. */
type Place = { path: string; folder: HeldFolder; here: string }

function stayInPlace({ path, folder }: Place): void {
  if (!folder.isInPlace()) throw moved(dirname(path))
}

/** The temporary file is gone afterwards, whatever happened. */
async function throughTemporary(
  place: Place,
  { content, mode, replaces }: Pick<NewContent, 'content' | 'mode'> & { replaces: boolean },
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

/** In place. What lies beyond the old end is written first: a full disk shows there, while the old content is whole. */
async function overwrite(place: Place, bytes: Uint8Array, expected: FileStat, reason: unknown): Promise<void> {
  const { O_RDWR, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants
  const handle = await fsp.open(place.here, O_RDWR | O_NONBLOCK | O_NOFOLLOW).catch(() => undefined)
  if (!handle) throw reason
  try {
    const stat = toStat(await handle.stat())
    if (!isSame(expected, stat)) throw replaced(place.path)
    stayInPlace(place)
    try {
      await writeAt(handle, bytes.subarray(stat.size), stat.size)
    } catch (error) {
      await handle.truncate(stat.size)
      throw error
    }
    await writeAt(handle, bytes.subarray(0, stat.size), 0)
    await handle.truncate(bytes.length)
  } finally {
    await handle.close()
  }
}

async function writeAt(handle: fsp.FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done)
    done += bytesWritten
  }
}

async function look(path: string): Promise<FileStat | undefined> {
  return fsp.lstat(path).then(toStat, () => undefined)
}

function isSame(expected: FileStat, found: FileStat | undefined): boolean {
  const keys = ['kind', 'dev', 'ino', 'size', 'mtimeMs'] as const
  return found !== undefined && keys.every((key) => found[key] === expected[key])
}

async function keepOwner(handle: fsp.FileHandle, path: string): Promise<void> {
  const old = await fsp.lstat(path).catch(() => undefined)
  if (!old) return
  const own = await handle.stat()
  if (old.uid === own.uid && old.gid === own.gid) return
  // Only root may give files away; without it the new file is simply ours.
  await handle.chown(old.uid, old.gid).catch(() => undefined)
}
