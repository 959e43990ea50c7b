import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { connect, createSecureContext, createServer, rootCertificates } from 'node:tls'
import { TEST_TLS } from '../web/test-web.js'
import { createTlsSettingsReader } from './tls-settings.js'

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

/** What Node is told to believe besides its own list, and whether a server with such a certificate is believed. */
async function believed(bundle: string) {
  const added: string[] = []
  const trust = createTlsSettingsReader({ KEDGE_EXTRA_CA_CERTS: '/ca.pem' }, disk({ '/ca.pem': bundle }))
  const { prototype } = createSecureContext().context.constructor
  const { addCACert } = prototype
  prototype.addCACert = function (certificate: string) {
    added.push(certificate)
    return addCACert.call(this, certificate)
  }
  try {
    const secured = await trust()
    assert.equal(await trust(), secured)
    return { added, secured }
  } finally {
    prototype.addCACert = addCACert
  }
}

test('further authorities are added to the built-in ones, each once, and none that is built in is read again', async () => {
  const { added, secured } = await believed(`# ours\n${TEST_TLS.cert}\n# theirs\n${rootCertificates.join('\n')}`)
  assert.deepEqual(added, [TEST_TLS.cert.trim()])
  assert.deepEqual(Object.keys(secured ?? {}), ['secureContext'])
  assert.deepEqual((await believed(first)).added, [])

  const server = createServer(TEST_TLS, (socket) => socket.end('hello'))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = Object(server.address())
  const host = { port, host: '127.0.0.1', checkServerIdentity: () => undefined }
  const socket = connect({ ...host, secureContext: secured?.secureContext })
  await once(socket, 'secureConnect')
  assert.equal(socket.authorized, true)
  await assert.rejects(once(connect(host), 'secureConnect'), /self-signed|unable to verify/)
  socket.destroy()
  server.close()
})

test('without any, and with a bundle that is not there, it is as Node does it', async () => {
  assert.equal(await createTlsSettingsReader({}, disk({}))(), undefined)
  assert.equal(await createTlsSettingsReader({ KEDGE_EXTRA_CA_CERTS: '/gone.pem' }, disk({}))(), undefined)
})

test('a client certificate is read again when it is renewed, and the old one counts while the pair does not match', async () => {
  const env = { CLAUDE_CODE_CLIENT_CERT: '/c.pem', CLAUDE_CODE_CLIENT_KEY: '/k.pem' }
  const files: Record<string, string> = { '/c.pem': TEST_TLS.cert, '/k.pem': TEST_TLS.key }
  const trust = createTlsSettingsReader(env, disk(files))
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
  for (const files of broken)
    await assert.rejects(createTlsSettingsReader(env, disk(files))(), { code: 'CLIENT_CERTIFICATE' })
  assert.throws(
    () => createTlsSettingsReader({ CLAUDE_CODE_CLIENT_CERT: '/c.pem' }, disk({})),
    /CLAUDE_CODE_CLIENT_KEY is not/,
  )
  assert.throws(() => createTlsSettingsReader({ CLAUDE_CODE_CLIENT_KEY: '/k.pem' }, disk({})), {
    option: 'CLAUDE_CODE_CLIENT_CERT',
  })
})
