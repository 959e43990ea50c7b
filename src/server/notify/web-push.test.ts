import assert from 'node:assert/strict'
import { createECDH, createPublicKey, verify } from 'node:crypto'
import { describe, it } from 'node:test'
import { arePushKeys, encryptPush, newVapidKeys, vapidHeader } from './web-push.js'

const from = (text: string) => Buffer.from(text, 'base64url')
/** The example of RFC 8291, appendix A. */
const keys = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
}
const chance = {
  salt: from('DGv6ra1nlYgDCS1FRnbzlw'),
  privateKey: from('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
}

describe('Web Push', () => {
  it('encrypts as the standard has it', () => {
    const body = encryptPush('When I grow up, I want to be a watermelon', keys, chance)
    assert.equal(
      body.toString('base64url'),
      'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
    )
    assert.notDeepEqual(encryptPush('x', keys), encryptPush('x', keys))
  })

  it('knows keys that no browser made', () => {
    assert.equal(arePushKeys(keys), true)
    const point = createECDH('prime256v1')
    point.generateKeys()
    assert.equal(arePushKeys({ ...keys, p256dh: point.getPublicKey('base64url', 'compressed') }), false)
    const off = from(keys.p256dh)
    off.writeUInt8(off.readUInt8(64) ^ 1, 64)
    for (const p256dh of ['', 'AAAA', off.toString('base64url')]) assert.equal(arePushKeys({ ...keys, p256dh }), false)
    assert.equal(arePushKeys({ ...keys, auth: 'AAAA' }), false)
  })

  it('makes pairs of keys, also where the private one begins with zeros: one in 256', () => {
    for (let n = 0; n < 2000; n += 1) {
      const { publicKey, privateKey } = newVapidKeys()
      const pair = createECDH('prime256v1')
      pair.setPrivateKey(from(privateKey))
      assert.deepEqual([from(privateKey).length, pair.getPublicKey('base64url')], [32, publicKey])
    }
  })

  it('signs who sends it, for the service it is sent to', () => {
    for (let n = 0; n < 3; n += 1) {
      const vapid = newVapidKeys()
      const header = vapidHeader('https://push.example/a/b', vapid, 'mailto:ada@example.com', 1_700_000_000_000)
      const [, head = '', claims = '', signature = '', key] =
        /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(header) ?? []
      assert.deepEqual(JSON.parse(String(from(head))), { typ: 'JWT', alg: 'ES256' })
      assert.deepEqual(JSON.parse(String(from(claims))), {
        aud: 'https://push.example',
        exp: 1_700_043_200,
        sub: 'mailto:ada@example.com',
      })
      assert.equal(key, vapid.publicKey)
      const point = from(vapid.publicKey)
      const [x, y] = [point.toString('base64url', 1, 33), point.toString('base64url', 33)]
      const publicKey = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } })
      const signed = Buffer.from(`${head}.${claims}`)
      assert.ok(verify('sha256', signed, { key: publicKey, dsaEncoding: 'ieee-p1363' }, from(signature)))
    }
  })
})
