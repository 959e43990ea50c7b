/** A file that takes the output of a command as it comes: ours alone, never through a link, not larger than it may be. */
import { constants, promises as fsp } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'

export interface OutputFile {
  readonly path: string
  /** Bytes in it so far. */
  readonly size: number
  /** Why it does not hold everything: more came than it may hold (`full`), or the code of the failure. */
  readonly incomplete: string | undefined
  /** In the order of the calls. A promise means: too much is waiting. Never rejects: a full disk must not end a command. */
  write(text: string): void | Promise<void>
  /** Resolves when nothing waits. */
  written(): Promise<void>
  close(): Promise<void>
  /** Closed, and as if it had never been. */
  remove(): Promise<void>
}

const MAX_BYTES = 256 * 1024 * 1024
/** Characters that may wait to be written. */
const MAX_WAITING = 1024 * 1024

/**
 * Creates a file for the output of a command. Rejects when there is something at `path`, or nothing can be made
 * there.
 */
export async function createOutputFile(path: string, maxBytes = MAX_BYTES): Promise<OutputFile> {
  const { O_WRONLY, O_CREAT, O_EXCL, O_APPEND, O_NOFOLLOW = 0 } = constants
  const handle = await fsp.open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW, 0o600)
  let size = 0
  let incomplete: string | undefined
  let waiting = ''
  let writing: Promise<void> | undefined

  const append = async (text: string): Promise<void> => {
    if (incomplete !== undefined) return
    const bytes = Buffer.from(text)
    try {
      if (size + bytes.length <= maxBytes) {
        size += await writeAll(handle, bytes)
        return
      }
      incomplete = 'full'
      const note = Buffer.from('\n[… this file is full: the rest of the output was dropped …]\n')
      size += await writeAll(handle, Buffer.concat([bytes.subarray(0, wholeCharacters(bytes, maxBytes - size)), note]))
    } catch (error) {
      incomplete = error instanceof Error && 'code' in error ? String(error.code) : 'failed'
    }
  }

  const writeWaiting = async () => {
    while (waiting !== '') {
      const text = waiting
      waiting = ''
      await append(text)
    }
    writing = undefined
  }

  const close = async () => {
    await writing
    await handle.close().catch(() => undefined)
  }

  return {
    path,
    get size() {
      return size
    },
    get incomplete() {
      return incomplete
    },
    write(text) {
      if (incomplete !== undefined || text === '') return
      waiting += text
      writing ??= writeWaiting()
      return waiting.length > MAX_WAITING ? writing : undefined
    },
    async written() {
      await writing
    },
    close,
    async remove() {
      await close()
      await fsp.rm(path, { force: true })
    },
  }
}

async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<number> {
  for (let done = 0; done < bytes.length; ) done += (await handle.write(bytes, done)).bytesWritten
  return bytes.length
}

/** The largest length up to `limit` that splits no character. */
function wholeCharacters(bytes: Uint8Array, limit: number): number {
  let end = limit
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return end
}
