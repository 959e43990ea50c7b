/** Puts new content into a file so that nobody ever sees half of it, and nothing is lost when that fails. */
import { constants, promises as fsp } from 'node:fs'
import { dirname, join } from 'node:path'
import { codeOf, type FileStat, toStat } from './file-stat.js'
import { replaced } from './open-file.js'

export async function replaceFile(
  path: string,
  content: Uint8Array | string,
  mode?: number,
  expected?: FileStat,
): Promise<void> {
  try {
    await throughTemporary(path, content, mode, async (temporary) => {
      // As late as possible, since nobody else can be kept from writing in between.
      if (expected && !isSame(expected, await look(path))) throw replaced(path)
      await fsp.rename(temporary, path)
    })
  } catch (error) {
    if (!expected || !['EACCES', 'EPERM', 'EBUSY'].includes(codeOf(error) ?? '')) throw error
    await overwrite(path, Buffer.from(content), expected, error)
  }
}

export async function createFile(path: string, content: Uint8Array, mode?: number): Promise<void> {
  await throughTemporary(path, content, mode, async (temporary) => {
    try {
      // Unlike a rename, this fails when the name is taken.
      await fsp.link(temporary, path)
    } catch (error) {
      if (codeOf(error) === 'EEXIST') throw error
      // A file system without hard links. The look before the rename leaves a gap, but a short one.
      if (await look(path))
        throw Object.assign(new Error(`EEXIST: file already exists, open '${path}'`), { code: 'EEXIST' })
      await fsp.rename(temporary, path)
    }
  })
}

/** The temporary file is gone afterwards, whatever happened. */
async function throughTemporary(
  path: string,
  content: Uint8Array | string,
  mode: number | undefined,
  put: (temporary: string) => Promise<void>,
): Promise<void> {
  const temporary = join(dirname(path), `.kedge-${process.pid}-${Math.random().toString(36).slice(2)}.tmp`)
  const handle = await fsp.open(temporary, 'wx', mode ?? 0o666)
  try {
    try {
      await handle.writeFile(content)
      await keepOwner(handle, path)
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
async function overwrite(path: string, bytes: Uint8Array, expected: FileStat, reason: unknown): Promise<void> {
  const { O_RDWR, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants
  const handle = await fsp.open(path, O_RDWR | O_NONBLOCK | O_NOFOLLOW).catch(() => undefined)
  if (!handle) throw reason
  try {
    const stat = toStat(await handle.stat())
    if (!isSame(expected, stat)) throw replaced(path)
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
  const old = await fsp.stat(path).catch(() => undefined)
  if (!old) return
  const own = await handle.stat()
  if (old.uid === own.uid && old.gid === own.gid) return
  // Only root may give files away; without it the new file is simply ours.
  await handle.chown(old.uid, old.gid).catch(() => undefined)
}
