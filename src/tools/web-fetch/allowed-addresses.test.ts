/** WebFetch and where names lead: nothing is looked up too early, nothing is talked to that was not judged. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PermissionFacts } from '../../engine/ports.js'
import { TEST_PUBLIC_IPV4, TEST_PUBLIC_IPV6 } from '../../platform/web/test-web.js'
import { createFetchTest, type FetchTest, textOfTestFetch } from './test-fetch.js'

const world = () => createFetchTest((_, response) => response.setHeader('content-type', 'text/plain').end('a page'))

/** Fetches, and gives what was stated after the first permission, the text, and what went over the wire. */
async function follow({ fetch, web }: FetchTest, url: string, before: () => void = () => {}) {
  let more: PermissionFacts | undefined
  web.log.length = 0
  const outcome = await fetch(url, {
    onMoreFacts(facts) {
      more = facts
      before()
    },
  })
  return { more, text: textOfTestFetch(outcome), connected: web.log.filter((line) => line.startsWith('connect')) }
}

test('nothing is looked up before the first permission', async () => {
  await using test = await world()
  const { tool, context, web } = test
  const input = { url: 'https://secret-data.site.example/', prompt: 'x' }
  assert.equal(await tool.check?.(input, context), undefined)
  assert.deepEqual(tool.facts(input, context), { kind: 'fetch', url: input.url })
  assert.deepEqual(web.log, [])
})

test('a public name needs nothing more', async () => {
  await using test = await world()
  test.web.names['site.example'] = [TEST_PUBLIC_IPV6, TEST_PUBLIC_IPV4]
  assert.deepEqual(await follow(test, 'https://site.example/'), {
    more: undefined,
    text: 'a page',
    connected: [`connect ${TEST_PUBLIC_IPV4} 443`],
  })
})

test('a name that leads home states where, and only that address is talked to', async () => {
  for (const address of ['10.0.0.5', '127.0.0.1', '169.254.169.254', '::1', 'fd00::5', '::ffff:10.0.0.5', '0.0.0.0']) {
    await using test = await world()
    test.web.names['site.example'] = [address]
    assert.deepEqual(await follow(test, 'http://site.example/'), {
      more: { kind: 'fetch', url: 'http://site.example/', address },
      text: 'a page',
      connected: [`connect ${address} 80`],
    })
  }
  await using test = await world()
  test.web.names['site.example'] = [TEST_PUBLIC_IPV4, '192.168.1.1', '10.0.0.5']
  const mixed = await follow(test, 'http://site.example/')
  assert.deepEqual(mixed.more, { kind: 'fetch', url: 'http://site.example/', address: '192.168.1.1' })
  assert.deepEqual(mixed.connected, [`connect ${TEST_PUBLIC_IPV4} 80`])
})

test('a name that changes its mind after it was judged gets nowhere', async () => {
  await using test = await world()
  const { names } = test.web
  const error = (address: string) =>
    `error: site.example leads to the private address ${address}, which was not approved for this call.`
  const rebound = await follow(test, 'https://site.example/', () => {
    names['site.example'] = ['127.0.0.1']
  })
  assert.deepEqual(rebound, { more: undefined, text: error('127.0.0.1'), connected: [] })
  names['site.example'] = ['10.0.0.5']
  const other = await follow(test, 'https://site.example/', () => {
    names['site.example'] = ['10.0.0.6']
  })
  assert.deepEqual([other.text, other.connected], [error('10.0.0.6'), []])
})

test('an approval is for one call and one host', async () => {
  await using test = await world()
  const { tool, context, web } = test
  web.names['site.example'] = ['10.0.0.5']
  web.names['other.example'] = ['10.0.0.5']
  const call = (host: string) => ({ url: `https://${host}/`, prompt: 'x' })
  await tool.moreFacts?.(call('site.example'), context)
  // The host changed the input when it was asked: another name was never judged.
  const changed = await tool.execute(call('other.example'), context)
  assert.equal(
    textOfTestFetch(changed),
    'error: other.example leads to the private address 10.0.0.5, which was not approved for this call.',
  )
  const used = await tool.execute(call('site.example'), context)
  assert.match(textOfTestFetch(used), /was not approved/)
  // A call with the id of one that was asked about and not allowed.
  await tool.moreFacts?.(call('site.example'), context)
  web.names['site.example'] = [TEST_PUBLIC_IPV4]
  await tool.moreFacts?.(call('site.example'), context)
  web.names['site.example'] = ['10.0.0.5']
  assert.match(textOfTestFetch(await tool.execute(call('site.example'), context)), /was not approved/)
})

test('a redirect does not lead home', async () => {
  for (const host of ['site.example', 'www.site.example']) {
    await using test = await createFetchTest((_, response) => {
      test.web.names[host] = ['127.0.0.1']
      response.writeHead(302, { location: `https://${host}/secret` }).end()
    })
    assert.deepEqual(await follow(test, 'https://site.example/'), {
      more: undefined,
      text: `error: ${host} leads to the private address 127.0.0.1, which was not approved for this call.`,
      connected: [`connect ${TEST_PUBLIC_IPV4} 443`],
    })
  }
})

test('addresses in the URL and localhost were judged with the URL', async () => {
  await using test = await world()
  test.web.names['localhost'] = ['::1', '127.0.0.1']
  test.web.names['app.localhost'] = ['127.0.0.1']
  const table: [string, string][] = [
    ['http://127.0.0.1:3000/', 'connect 127.0.0.1 3000'],
    ['http://0x7f.1/', 'connect 127.0.0.1 80'],
    ['http://[::1]/', 'connect ::1 80'],
    ['http://10.0.0.1/', 'connect 10.0.0.1 80'],
    ['http://localhost:8080/', 'connect 127.0.0.1 8080'],
    ['http://app.localhost/', 'connect 127.0.0.1 80'],
  ]
  for (const [url, connection] of table) {
    assert.deepEqual(await follow(test, url), { more: undefined, text: 'a page', connected: [connection] })
  }
  test.web.names['localhost'] = ['10.0.0.1']
  const odd = await follow(test, 'http://localhost/')
  assert.deepEqual(odd.more, { kind: 'fetch', url: 'http://localhost/', address: '10.0.0.1' })
})

test('the next address is tried when one does not answer', async () => {
  await using test = await world()
  test.web.names['site.example'] = ['1.1.1.1', TEST_PUBLIC_IPV6, TEST_PUBLIC_IPV4]
  test.web.dead.add('1.1.1.1')
  const { text, connected } = await follow(test, 'https://site.example/')
  assert.equal(text, 'a page')
  assert.deepEqual(connected, ['connect 1.1.1.1 443', `connect ${TEST_PUBLIC_IPV4} 443`])
})

test('names that lead nowhere', async () => {
  await using test = await world()
  assert.equal(
    textOfTestFetch(await test.fetch('https://no.example/')),
    'error: no.example does not exist (ENOTFOUND).',
  )
  test.web.names['site.example'] = []
  assert.equal(textOfTestFetch(await test.fetch('https://site.example/')), 'error: site.example leads to no address.')
  test.web.dead.add(TEST_PUBLIC_IPV4)
  test.web.names['site.example'] = [TEST_PUBLIC_IPV4]
  assert.equal(
    textOfTestFetch(await test.fetch('https://site.example/')),
    'error: https://site.example/ could not be reached (ECONNREFUSED).',
  )
})
