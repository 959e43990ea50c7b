/** Text that only a key opens again: AES-256-GCM. What it is about is bound to it, so it can't stand for another text. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

export const SEAL_KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const FORM = 'v1.'

export function sealText(key: Uint8Array, text: string, about: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(about))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return FORM + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64')
}

/** Undefined: another key, another text, or one that was changed. */
export function unsealText(key: Uint8Array, sealed: string, about: string): string | undefined {
  if (!sealed.startsWith(FORM)) return undefined
  const bytes = Buffer.from(sealed.slice(FORM.length), 'base64')
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES))
    decipher.setAAD(Buffer.from(about)).setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

export function newSealKey(): Uint8Array {
  return new Uint8Array(randomBytes(SEAL_KEY_BYTES))
}

/** As 64 hexadecimal digits. */
export function writeSealKey(key: Uint8Array): string {
  return Buffer.from(key).toString('hex')
}

/** Reads a key that is written as 64 hexadecimal digits or as base64; undefined if it's neither. */
export function readSealKey(text: string): Uint8Array | undefined {
  const given = text.trim()
  const bytes = Buffer.from(given, /^[0-9a-f]{64}$/i.test(given) ? 'hex' : 'base64')
  return bytes.length === SEAL_KEY_BYTES ? new Uint8Array(bytes) : undefined
}
