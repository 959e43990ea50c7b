import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coversAddress } from './address-pattern.js'

const CASES: [pattern: string, url: string, isAllowed: boolean][] = [
  ['*', 'http://a.org/x', true],
  ['https://*', 'https://a.org/x?y', true],
  ['https://*', 'http://a.org/x', false],
  ['https://a.org', 'https://a.org/', true],
  ['https://a.org', 'https://a.org/x', false],
  ['https://a.org/*', 'https://a.org/x?y=1', true],
  ['https://a.org/hook', 'https://a.org/hook/more', false],
  ['https://*.a.org/*', 'https://b.a.org/x', true],
  ['https://*.a.org/*', 'https://a.org/x', false],
  ['https://*.a.org/*', 'https://elsewhere.org/x.a.org/', false],
  ['https://*.a.org/*', 'https://elsewhere.org/?x=.a.org/', false],
  ['https://a.org/*', 'https://a.org.elsewhere.org/x', false],
  ['http://127.0.0.1:*/hook*', 'http://127.0.0.1:8080/hook?key=1', true],
  ['http://127.0.0.1:*/hook*', 'http://127.0.0.1:8080/other', false],
  ['https://a.org:443/*', 'https://a.org/x', true],
  ['https://a.org/*', 'https://user:word@a.org/x', true],
  ['https://a.org/*', 'https://a.org@elsewhere.org/x', false],
  ['*', 'no address', false],
  ['a.org', 'https://a.org/', false],
  ['', 'https://a.org/', false],
]

test('addresses that a pattern covers', () => {
  for (const [pattern, url, isAllowed] of CASES)
    assert.equal(coversAddress(pattern, url), isAllowed, `${pattern} ${url}`)
})
