/** A fast 64-bit hash of file content, to notice changes; it keeps nobody out. No `node:crypto`, which costs start-up time. */

/** Two FNV-1a lanes with different starts, mixed at the end; 16 hex characters. */
export function hashContent(bytes: Uint8Array): string {
  let low = 0x811c9dc5
  let high = 0x9e3779b9 ^ bytes.length
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i] ?? 0
    low = Math.imul(low ^ byte, 0x01000193)
    high = Math.imul(high ^ byte, 0x85ebca6b) ^ (high >>> 15)
  }
  return hex(mix(low ^ (high >>> 16))) + hex(mix(high ^ (low << 1)))
}

function mix(value: number): number {
  const once = Math.imul(value ^ (value >>> 16), 0x7feb352d)
  const twice = Math.imul(once ^ (once >>> 15), 0x846ca68b)
  return twice ^ (twice >>> 16)
}

function hex(value: number): string {
  return (value >>> 0).toString(16).padStart(8, '0')
}
