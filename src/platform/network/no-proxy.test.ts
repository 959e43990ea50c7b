import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createProxyFinder } from './proxies.js'

const isDirect = (list: string, url: string) =>
  createProxyFinder({ ALL_PROXY: 'http://p.example', NO_PROXY: list })(new URL(url)) === undefined

test('what every other program reads a little differently', () => {
  const rows: [list: string, url: string, direct: boolean][] = [
    ['example.com', 'https://example.com/', true],
    ['example.com', 'https://api.example.com/', true],
    ['example.com', 'https://notexample.com/', false],
    ['.example.com', 'https://example.com/', true],
    ['.example.com', 'https://a.b.example.com/', true],
    ['*.example.com', 'https://example.com/', true],
    ['EXAMPLE.com.', 'https://Example.COM/', true],
    ['example.com', 'https://example.com./', true],
    ['a.com b.com,\tc.com', 'https://b.com/', true],
    ['a.com b.com,\tc.com', 'https://c.com/', true],
    ['example.com:8443', 'https://example.com:8443/', true],
    ['example.com:8443', 'https://example.com/', false],
    ['example.com:443', 'https://example.com/', true],
    ['*', 'https://anything.example/', true],
    ['10.0.0.0/8', 'https://10.1.2.3/', true],
    ['10.0.0.0/8', 'https://11.1.2.3/', false],
    ['10.0.0.0/8', 'https://10.example.com/', false],
    ['192.168.128.0/17', 'http://192.168.200.1/', true],
    ['192.168.128.0/17', 'http://192.168.100.1/', false],
    ['0.0.0.0/0', 'http://8.8.8.8/', true],
    ['10.1.2.3', 'https://10.1.2.3:8080/', true],
    ['10.1.2.3:80', 'https://10.1.2.3:8080/', false],
    ['2001:db8::/32', 'https://[2001:db8:1::5]/', true],
    ['2001:db8::/32', 'https://[2001:db9::5]/', false],
    ['2001:db8::5', 'https://[2001:db8::5]/', true],
    ['[2001:db8::5]:8443', 'https://[2001:db8::5]:8443/', true],
    ['[2001:db8::5]:8443', 'https://[2001:db8::5]/', false],
    ['example.com/8', 'https://example.com/', false],
    ['ex*mple.com', 'https://example.com/', false],
    ['', 'https://example.com/', false],
  ]
  for (const [list, url, direct] of rows) assert.equal(isDirect(list, url), direct, `${list} → ${url}`)
})

test('this computer and the places where clouds hand out credentials are never behind a proxy', () => {
  const near = ['localhost:1', 'a.localhost', '127.0.0.1', '127.9.9.9', '[::1]:8080', '169.254.169.254']
  for (const host of [...near, '169.254.170.2', 'metadata.google.internal'])
    assert.ok(isDirect('', `http://${host}/`), host)
  for (const host of ['128.0.0.1', '[::2]', 'localhost.example', '168.254.1.1', '0.0.0.0'])
    assert.ok(!isDirect('', `http://${host}/`), host)
})

test('which variable counts: the one for the kind of address, small letters first, then those for all', () => {
  const through = (env: Record<string, string>, url: string) => createProxyFinder(env)(new URL(url))?.variable
  const all = Object.fromEntries(
    ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'].map((n) => [n, 'http://p']),
  )
  const order = (url: string) => {
    const env = { ...all }
    const seen: string[] = []
    for (let name = through(env, url); name !== undefined; name = through(env, url)) {
      seen.push(name)
      env[name] = ' '
    }
    return seen
  }
  assert.deepEqual(order('https://x.example/'), Object.keys(all))
  assert.deepEqual(order('http://x.example/'), Object.keys(all).slice(2))
})

test('user and password are decoded and sent, and are no part of the address', () => {
  const proxy = createProxyFinder({ HTTPS_PROXY: 'http://m%40e:p%3Aw@p.example:3128' })(new URL('https://x.example/'))
  assert.equal(proxy?.url.href, 'http://p.example:3128/')
  assert.equal(Buffer.from(proxy?.authorization?.slice('Basic '.length) ?? '', 'base64').toString(), 'm@e:p:w')
  const open = createProxyFinder({ HTTPS_PROXY: 'https://p.example' })(new URL('https://x.example/'))
  assert.deepEqual([open?.url.href, open?.authorization], ['https://p.example/', undefined])
})
