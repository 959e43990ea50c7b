/** Keeps contents of files under the hash of what they hold: the same content once, and damage is noticed. */
import { sha256 } from '../platform/files/content-hash.js'
import { systemErrorCode } from '../platform/files/file-stat.js'
import type { WorkspaceFiles } from '../platform/files/files.js'
import { join } from '../platform/paths.js'

/** Larger files are not kept. */
export const MAX_BLOB_BYTES = 50 * 1024 * 1024

export interface BlobStore {
  /** Returns the name to read it by. Rejects when it can't be kept. */
  keep(content: Uint8Array): Promise<string>
  /** Rejects with a reason for people when it is gone or damaged. */
  read(name: string): Promise<Uint8Array>
}

const HASH = /^[0-9a-f]{64}$/
/** What the original calls its copies. Nothing else may become part of a path. */
const FOREIGN_NAME = /^[0-9a-zA-Z_-]{1,64}@v\d{1,9}$/

/**
 * Returns a store that keeps the content of files on disk. In `folder`; what sessions before this one kept is looked
 * for in `others` too.
 */
export function createDiskStore(files: WorkspaceFiles, folder: string, others: readonly string[] = []): BlobStore {
  return {
    async keep(content) {
      const name = await sha256(content)
      const path = join(folder, name)
      const found = await files.lstat(path)
      if (found?.kind === 'file' && found.size === content.length) return name
      await files.makeDirectory(folder, 0o700)
      if (found) await files.replace(path, content, 0o600)
      else {
        await files.create(path, content, 0o600).catch((error) => {
          // Somebody kept the same content meanwhile.
          if (systemErrorCode(error) !== 'EEXIST') throw error
        })
      }
      return name
    },
    async read(name) {
      if (!HASH.test(name) && !FOREIGN_NAME.test(name)) throw new Error('the name of its kept copy is not one of ours')
      let isDamaged = false
      for (const place of [folder, ...others]) {
        const found = await files.snapshot(join(place, name), MAX_BLOB_BYTES).catch(() => undefined)
        if (found?.content === undefined) continue
        if (!HASH.test(name) || (await sha256(found.content)) === name) return found.content
        isDamaged = true
      }
      throw new Error(isDamaged ? 'its kept copy is damaged' : 'its kept copy is missing')
    },
  }
}

/**
 * Returns a store that keeps the content of files in memory. For sessions that leave nothing on disk; `earlier` has
 * what was kept before.
 */
export function createMemoryStore(maxBytes: number, earlier?: BlobStore): BlobStore {
  const kept = new Map<string, Uint8Array>()
  let used = 0
  return {
    async keep(content) {
      const name = await sha256(content)
      if (kept.has(name)) return name
      if (used + content.length > maxBytes) {
        throw new Error(`a session that is not saved keeps at most ${Math.floor(maxBytes / 1024 / 1024)} MB of copies`)
      }
      used += content.length
      kept.set(name, content.slice())
      return name
    },
    async read(name) {
      const content = kept.get(name) ?? (await earlier?.read(name))
      if (!content) throw new Error('its kept copy is missing')
      return content
    },
  }
}
