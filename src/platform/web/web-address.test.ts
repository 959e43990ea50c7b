import assert from 'node:assert/strict'
import { isIPv4, isIPv6 } from 'node:net'
import { test } from 'node:test'
import fc from '../../../test/fast-check.js'
import { embeddedIpv4, isLocalName, literalAddress, networkKindOfAddress, toUrlHost } from './web-address.js'

const NOT_PUBLIC = `
  0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1
  192.0.2.1 192.88.99.1 192.168.0.1 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.1 239.255.255.250 240.0.0.1
  255.255.255.255 :: fc00::1 fd12:3456::1 fe80::1 fe80::1%eth0 fec0::1 ff02::1 100::1 64:ff9b:1::1 2001::1 2001:2::1 2001:10::1
  2001:20::1 2001:db8::1 3fff::1 3fff:fff::1 5f00::1 ::7f00:1 ::ffff:10.0.0.1 ::ffff:a9fe:a9fe 64:ff9b::192.168.1.1 2002:a00:1::
  2002:c0a8:101::1 4000::1 1.2.3 256.1.1.1 1.2.3.4.5 example.com 0x7f.1 ::g
`
const LOOPBACK =
  '127.0.0.1 127.255.255.254 ::1 0:0:0:0:0:0:0:1 ::ffff:127.0.0.1 ::ffff:7f00:1 64:ff9b::7f00:1 2002:7f00:1::'
const PUBLIC = `
  1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.1 169.253.255.255 169.255.0.0
  172.15.255.255 172.32.0.0 192.0.1.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255 2606:4700::1111
  2001:200::1 2001:4860:4860::8888 2003::1 2a00:1450::1 ::ffff:8.8.8.8 64:ff9b::808:808 2002:808:808::1 3fff:1000::1
`
const words = (text: string) => text.trim().split(/\s+/)
const kinds = (addresses: string[]) =>
  Object.fromEntries(addresses.map((address) => [address, networkKindOfAddress(address)]))
const all = (addresses: string[], kind: string) => Object.fromEntries(addresses.map((address) => [address, kind]))

test('only addresses handed out to the public are public', () => {
  assert.deepEqual(kinds(words(NOT_PUBLIC)), all(words(NOT_PUBLIC), 'private'))
  assert.deepEqual(kinds(words(LOOPBACK)), all(words(LOOPBACK), 'loopback'))
  assert.deepEqual(kinds(words(PUBLIC)), all(words(PUBLIC), 'public'))
  assert.equal(networkKindOfAddress(''), 'private')
})

test('an IPv6 spelling of an IPv4 address is of the same kind', () => {
  fc.assert(
    fc.property(fc.ipV4(), (v4) => {
      const [a = 0, b = 0, c = 0, d = 0] = v4.split('.').map(Number)
      const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
      for (const v6 of [`::ffff:${v4}`, `::ffff:${hex}`, `64:ff9b::${hex}`, `2002:${hex}::1`]) {
        assert.equal(networkKindOfAddress(v6), networkKindOfAddress(v4), v6)
        assert.equal(embeddedIpv4(v6), v4, v6)
      }
    }),
  )
})

test('no text is taken for a public address that is none', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.ipV6(), fc.ipV4Extended(), fc.domain()), (text) => {
      if (networkKindOfAddress(text) !== 'private') assert.ok(isIPv4(text) || isIPv6(text), text)
    }),
  )
})

test('hosts: literal addresses, names of nearby, and back', () => {
  assert.deepEqual(['[::1]', '127.0.0.1', 'localhost', '1.2.3', 'a.example'].map(literalAddress), [
    '::1',
    '127.0.0.1',
    undefined,
    undefined,
    undefined,
  ])
  assert.deepEqual(['::1', 'FD00:0::1', 'fe80::1%eth0', '10.0.0.1'].map(toUrlHost), [
    '[::1]',
    '[fd00::1]',
    '[fe80::1]',
    '10.0.0.1',
  ])
  const local = ['localhost', 'a.localhost', 'printer.local', 'db.internal', 'nas.home.arpa', 'intranet']
  const other = [
    'example.com',
    'local.example',
    'internal.example.com',
    'mylocal',
    '127.0.0.1',
    '[::1]',
    'notlocalhost.io',
  ]
  assert.deepEqual(local.filter(isLocalName), local)
  assert.deepEqual(other.filter(isLocalName), ['mylocal'])
  assert.equal(embeddedIpv4('2606:4700::1111'), undefined)
})
