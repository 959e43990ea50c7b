/** Identity of this process: ids, process, and user. */
import { closeSync, openSync, readSync } from 'node:fs'
import type { UUID } from '../protocol/content.js'

export interface PlatformIdentity {
  uuid(): UUID
  /** `length` random hex characters. */
  hex(length: number): string
  readonly pid: number
  /** Null where there are no user ids (Windows). */
  readonly uid: number | null
  readonly os: NodeJS.Platform
}

/** Random bytes without `node:crypto`, which costs 5 ms at start; elsewhere the Web Crypto global. */
function randomBytes(count: number): Uint8Array {
  const bytes = new Uint8Array(count)
  try {
    const fd = openSync('/dev/urandom', 'r')
    try {
      if (readSync(fd, bytes, 0, count, null) === count) return bytes
    } finally {
      closeSync(fd)
    }
  } catch {
    // No /dev/urandom (Windows): fall through.
  }
  return globalThis.crypto.getRandomValues(bytes)
}

/** A pool, so that a uuid per streamed event does not cost a system call each. */
function createPool(): (count: number) => Uint8Array {
  let pool: Uint8Array = new Uint8Array(0)
  let used = 0
  return (count) => {
    if (used + count > pool.length) {
      pool = randomBytes(1024)
      used = 0
    }
    used += count
    return pool.subarray(used - count, used)
  }
}

const HEX = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0'))

export function createPlatformIdentity(): PlatformIdentity {
  const take = createPool()
  const hex = (length: number) =>
    Array.from(take(Math.ceil(length / 2)), (b) => HEX[b])
      .join('')
      .slice(0, length)
  return {
    uuid() {
      const b = take(16)
      const h = (i: number) => HEX[b[i] ?? 0]
      const version = HEX[((b[6] ?? 0) & 0x0f) | 0x40]
      const variant = HEX[((b[8] ?? 0) & 0x3f) | 0x80]
      return `${h(0)}${h(1)}${h(2)}${h(3)}-${h(4)}${h(5)}-${version}${h(7)}-${variant}${h(9)}-${h(10)}${h(11)}${h(12)}${h(13)}${h(14)}${h(15)}`
    },
    hex,
    pid: process.pid,
    uid: process.getuid?.() ?? null,
    os: process.platform,
  }
}
