import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rootCertificates } from 'node:tls'
import { createAuthorities } from './authorities.js'

const [first = '', second = ''] = rootCertificates

test('further authorities are added to the built-in ones, and read again only when they change', async () => {
  const authoritiesWith = createAuthorities()
  const get = async (certificates: string) => (await authoritiesWith(certificates))()
  const one = await get(first)
  assert.deepEqual(one.ca, [...rootCertificates, first])
  assert.equal(await get(first), one)
  const other = await get(second)
  assert.deepEqual(other.ca.at(-1), second)
  assert.notEqual(other.secureContext, one.secureContext)
})
