/** SHA-256, alone and with a key, for signatures: loaded by who signs requests, because `node:crypto` costs milliseconds. */
import { createHash, createHmac } from 'node:crypto'

/** Hashes all pieces as one text, in hexadecimal. */
export function sha256Hex(pieces: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256')
  for (const piece of pieces) hash.update(piece)
  return hash.digest('hex')
}

export function hmacSha256(key: string | Uint8Array, text: string): Uint8Array {
  return createHmac('sha256', key).update(text).digest()
}
