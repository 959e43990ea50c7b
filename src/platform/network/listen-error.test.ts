import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createListenError } from './listen-error.js'

test('says why an address is not available, and which flag changes that', () => {
  const said = (code: string, host = '127.0.0.1') =>
    createListenError(host, 80, Object.assign(new Error('system text'), { code })).message
  const start = "Can't listen on 127.0.0.1:80, because"
  assert.equal(said('EACCES'), `${start} this user may not use the port (EACCES): choose one above 1023 with --port.`)
  for (const code of ['EADDRNOTAVAIL', 'ENOTFOUND'])
    assert.equal(said(code), `${start} this machine has no such address (${code}): choose another with --host.`)
  assert.equal(
    said('EADDRINUSE', '::1'),
    "Can't listen on [::1]:80, because another program uses the port (EADDRINUSE): choose another with --port.",
  )
  assert.equal(said('EIO'), `${start} system text (EIO): choose another address with --host or --port.`)
})
