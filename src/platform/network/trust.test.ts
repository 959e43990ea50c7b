import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rootCertificates } from 'node:tls'
import { TEST_TLS } from '../web/test-web.js'
import { createTrust } from './trust.js'

const OTHER_KEY = TEST_TLS.key.replace('MIGHAgEA', 'AAAAAAAA')
const [first = ''] = rootCertificates

function disk(files: Record<string, string>) {
  return {
    readTextSync(path: string) {
      const text = files[path]
      if (text === undefined) throw new Error('ENOENT')
      return text
    },
  }
}

test('further authorities are added to the built-in ones, and read once', async () => {
  const trust = createTrust({ KEDGE_EXTRA_CA_CERTS: '/ca.pem' }, disk({ '/ca.pem': first }))
  const one = await trust()
  assert.deepEqual(one?.ca, [...rootCertificates, first])
  assert.equal(await trust(), one)
})

test('without any, and with a bundle that is not there, it is as Node does it', async () => {
  assert.equal(await createTrust({}, disk({}))(), undefined)
  assert.equal(await createTrust({ KEDGE_EXTRA_CA_CERTS: '/gone.pem' }, disk({}))(), undefined)
})

test('a client certificate is read again when it is renewed, and the old one counts while the pair does not match', async () => {
  const env = { CLAUDE_CODE_CLIENT_CERT: '/c.pem', CLAUDE_CODE_CLIENT_KEY: '/k.pem' }
  const files: Record<string, string> = { '/c.pem': TEST_TLS.cert, '/k.pem': TEST_TLS.key }
  const trust = createTrust(env, disk(files))
  const old = await trust()
  assert.deepEqual([old?.cert, old?.key, old?.ca], [TEST_TLS.cert, TEST_TLS.key, undefined])
  files['/k.pem'] = OTHER_KEY
  assert.equal(await trust(), old)
  delete files['/k.pem']
  assert.equal(await trust(), old)
  files['/k.pem'] = `${TEST_TLS.key}\n`
  const renewed = await trust()
  assert.notEqual(renewed?.secureContext, old?.secureContext)
  assert.equal(renewed?.key, `${TEST_TLS.key}\n`)
})

test('one that can not be used is an error from the start; one without its key is refused by name', async () => {
  const env = { CLAUDE_CODE_CLIENT_CERT: '/c.pem', CLAUDE_CODE_CLIENT_KEY: '/k.pem' }
  const broken: Record<string, string>[] = [{}, { '/c.pem': TEST_TLS.cert, '/k.pem': OTHER_KEY }]
  for (const files of broken) await assert.rejects(createTrust(env, disk(files))(), { code: 'CLIENT_CERTIFICATE' })
  assert.throws(() => createTrust({ CLAUDE_CODE_CLIENT_CERT: '/c.pem' }, disk({})), /CLAUDE_CODE_CLIENT_KEY is not/)
  assert.throws(() => createTrust({ CLAUDE_CODE_CLIENT_KEY: '/k.pem' }, disk({})), {
    option: 'CLAUDE_CODE_CLIENT_CERT',
  })
})
