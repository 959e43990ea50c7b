import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseSocketProtocol, createPageKeyCookieHeader, readPageKey, readPageKeyCookie } from './page-keys.js'

test('a cookie is named after the port, and belongs to its host alone where the page came over TLS', () => {
  const table: [Parameters<typeof createPageKeyCookieHeader>[0], string][] = [
    [{ host: '127.0.0.1:4141' }, 'kedge_session_4141=v; Path=/; Max-Age=9; HttpOnly; SameSite=Strict'],
    [
      { host: '[::1]:80', origin: 'http://[::1]:80' },
      'kedge_session_80=v; Path=/; Max-Age=9; HttpOnly; SameSite=Strict',
    ],
    [
      { host: 'kedge.example', origin: 'https://kedge.example' },
      '__Host-kedge_session=v; Path=/; Max-Age=9; HttpOnly; SameSite=Strict; Secure',
    ],
  ]
  for (const [headers, cookie] of table) {
    assert.equal(createPageKeyCookieHeader(headers, 'v', 9), cookie)
    assert.equal(readPageKeyCookie({ ...headers, cookie: `other=1; ${cookie.split(';')[0]}; last=2` }), 'v')
  }
  assert.equal(readPageKeyCookie({ host: 'h:1', cookie: 'kedge_session_2=v; kedge_session=v' }), undefined)
  // Another port can set the first, and not the second.
  assert.equal(readPageKeyCookie({ host: 'h', cookie: 'kedge_session=theirs; __Host-kedge_session=ours' }), 'ours')
})

test('the key of a page comes in a header, or among the protocols of a socket; it is never chosen as one', () => {
  const key = 'k'.repeat(32)
  assert.equal(readPageKey({ 'x-kedge-key': key }), key)
  assert.equal(readPageKey({ 'sec-websocket-protocol': `kedge, kedge.key.${key}` }), key)
  for (const wrong of ['', 'k'.repeat(31), 'k'.repeat(129), `${key} `, `${key}\u00e9`])
    assert.equal(readPageKey({ 'x-kedge-key': wrong }), undefined, JSON.stringify(wrong))
  assert.equal(readPageKey({}), undefined)
  assert.equal(chooseSocketProtocol(new Set([`kedge.key.${key}`, 'kedge'])), 'kedge')
  assert.equal(chooseSocketProtocol(new Set([`kedge.key.${key}`])), false)
})
