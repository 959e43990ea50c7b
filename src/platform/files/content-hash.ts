/** A hash of file content, to notice changes; it keeps nobody out. */

export interface ContentHash {
  update(bytes: Uint8Array): void
  digest(): string
}

/** Beyond this `node:crypto` is faster than our own loop by more than its loading costs. */
const LARGE = 1024 * 1024

/** `size` of the whole content, as the file system gives it: the same for everyone who reads the same file. */
export async function createContentHash(size: number): Promise<ContentHash> {
  if (size < LARGE) return createSmallHash()
  const { createHash } = await import('node:crypto')
  const hash = createHash('sha256')
  return { update: (bytes) => void hash.update(bytes), digest: () => hash.digest('hex') }
}

export async function hashContent(bytes: Uint8Array): Promise<string> {
  const hash = await createContentHash(bytes.length)
  hash.update(bytes)
  return hash.digest()
}

/** For what is named by its content: two that differ never have the same. */
export async function sha256(bytes: Uint8Array): Promise<string> {
  const { createHash } = await import('node:crypto')
  return createHash('sha256').update(bytes).digest('hex')
}

/** Two FNV-1a lanes with different starts, mixed at the end; 16 hex characters. */
function createSmallHash(): ContentHash {
  let low = 0x811c9dc5
  let high = 0x9e3779b9
  let length = 0
  return {
    update(bytes) {
      length += bytes.length
      for (let i = 0; i < bytes.length; i += 1) {
        const byte = bytes[i] ?? 0
        low = Math.imul(low ^ byte, 0x01000193)
        high = Math.imul(high ^ byte, 0x85ebca6b) ^ (high >>> 15)
      }
    },
    digest: () => hex(mix(low ^ (high >>> 16) ^ length)) + hex(mix(high ^ (low << 1))),
  }
}

function mix(value: number): number {
  const once = Math.imul(value ^ (value >>> 16), 0x7feb352d)
  const twice = Math.imul(once ^ (once >>> 15), 0x846ca68b)
  return twice ^ (twice >>> 16)
}

function hex(value: number): string {
  return (value >>> 0).toString(16).padStart(8, '0')
}
