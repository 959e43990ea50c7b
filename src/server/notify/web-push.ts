/** Web Push: messages only a browser can read (RFC 8291), from a sender it knows (VAPID, RFC 8292). Pure, but for chance. */
import { createCipheriv, createECDH, createPrivateKey, hkdfSync, randomBytes, sign } from 'node:crypto'

/** Raw, base64url. */
export type VapidKeys = { publicKey: string; privateKey: string }
export type PushKeys = { p256dh: string; auth: string }

const CURVE = 'prime256v1'
/** What fits into one record; services take no more than 4096 bytes in all. */
export const MAX_PUSH_MESSAGE_BYTES = 3000
const RECORD = 4096
const HOURS_12 = 12 * 60 * 60

export function newVapidKeys(): VapidKeys {
  const pair = createECDH(CURVE)
  const publicKey = pair.generateKeys('base64url')
  const number = pair.getPrivateKey()
  // Leading zeros of the number are missing, but the reader expects 32 bytes.
  return { publicKey, privateKey: Buffer.concat([Buffer.alloc(32 - number.length), number]).toString('base64url') }
}

/** Whether the keys are a point of the curve and 16 bytes. With anything else, no browser could decrypt the message. */
export function arePushKeys({ p256dh, auth }: PushKeys): boolean {
  try {
    const ours = createECDH(CURVE)
    ours.generateKeys()
    ours.computeSecret(Buffer.from(p256dh, 'base64url'))
    return Buffer.from(auth, 'base64url').length === 16 && Buffer.from(p256dh, 'base64url').length === 65
  } catch {
    return false
  }
}

export type PushRandomness = { salt: Uint8Array; privateKey: Uint8Array }

/** The body of the request. `chance` is given by tests only. */
export function encryptPush(text: string, { p256dh, auth }: PushKeys, chance?: PushRandomness): Buffer {
  const theirs = Buffer.from(p256dh, 'base64url')
  const pair = createECDH(CURVE)
  if (chance) pair.setPrivateKey(chance.privateKey)
  else pair.generateKeys()
  const ours = pair.getPublicKey()
  const salt = chance ? Buffer.from(chance.salt) : randomBytes(16)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), theirs, ours])
  const secret = hkdf(pair.computeSecret(theirs), Buffer.from(auth, 'base64url'), info, 32)
  const key = hkdf(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = hkdf(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  const header = Buffer.alloc(5)
  header.writeUInt32BE(RECORD, 0)
  header.writeUInt8(ours.length, 4)
  // 2: the last record.
  const sealed = [cipher.update(text, 'utf8'), cipher.update(Buffer.of(2)), cipher.final(), cipher.getAuthTag()]
  return Buffer.concat([salt, header, ours, ...sealed])
}

/** Returns the header that identifies the sender: a short-lived token for that push service. */
export function vapidHeader(
  endpoint: string,
  { publicKey, privateKey }: VapidKeys,
  contact: string,
  now: number,
): string {
  const claims = { aud: new URL(endpoint).origin, exp: Math.floor(now / 1000) + HOURS_12, sub: contact }
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const head = `${part({ typ: 'JWT', alg: 'ES256' })}.${part(claims)}`
  const point = Buffer.from(publicKey, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'))
  const key = createPrivateKey({
    format: 'jwk',
    key: { kty: 'EC', crv: 'P-256', d: privateKey, x: x ?? '', y: y ?? '' },
  })
  const signature = sign('sha256', Buffer.from(head), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')
  return `vapid t=${head}.${signature}, k=${publicKey}`
}

function hkdf(secret: Uint8Array, salt: Uint8Array, info: Uint8Array, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, length))
}
