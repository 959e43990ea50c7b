import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { nodePlatform } from '../../platform/node-platform.js'
import { openTestTerminal, type TestTerminal } from '../test-terminal.js'
import { checkModelEndpoint } from './endpoint.js'

const KEY = 'sk-ant-made-up-0123456789'
const platform = nodePlatform()
let terminal: TestTerminal
beforeEach(() => {
  terminal = openTestTerminal()
})
afterEach(() => terminal.close())
after(() => platform.http.close())

const check = (env: NodeJS.ProcessEnv, offline = true, servers: URL[] = []) =>
  checkModelEndpoint(
    { env, home: terminal.home, configDir: `${terminal.home}/.claude`, cwd: terminal.project, offline, servers },
    platform,
  )
const of = async (name: string, env: NodeJS.ProcessEnv, offline = true) =>
  (await check(env, offline)).filter((one) => one.check === name)

describe('the key', () => {
  it('is named by its source and length, and never shown', async () => {
    const found = await check({ ANTHROPIC_API_KEY: KEY })
    assert.deepEqual(found[0], { check: 'key', state: 'ok', text: 'key of ANTHROPIC_API_KEY, 25 characters' })
    assert.ok(!JSON.stringify(found).includes('made-up'))
  })

  it('may be a token', async () => {
    const [found] = await of('key', { ANTHROPIC_AUTH_TOKEN: 'token' })
    assert.equal(found?.text, 'bearer token of ANTHROPIC_AUTH_TOKEN, 5 characters')
  })

  it('may stand in headers', async () => {
    const [found] = await of('key', { ANTHROPIC_CUSTOM_HEADERS: 'x-api-key: abc' })
    assert.deepEqual(found, { check: 'key', state: 'ok', text: 'in ANTHROPIC_CUSTOM_HEADERS' })
  })

  it('is no fault where there is none, and the default endpoint is not checked', async () => {
    const [found] = await of('key', {})
    assert.deepEqual([found?.state, found?.fix], ['note', undefined])
    assert.match(found?.text ?? '', /^no API key yet\. .*kedge --model practice.*ANTHROPIC_API_KEY/)
    assert.deepEqual(await of('endpoint', {}), [])
  })

  it('with quotes around it, or of another kind, is a warning', async () => {
    const [quoted] = await of('key', { ANTHROPIC_API_KEY: `"${KEY}"` })
    assert.equal(quoted?.state, 'warn')
    assert.match(quoted?.text ?? '', /with quotes around it$/)
    assert.equal(quoted?.fix, 'remove the quotes from ANTHROPIC_API_KEY')
    const [other] = await of('key', { ANTHROPIC_API_KEY: 'sk-proj-x' })
    assert.match(other?.text ?? '', /it doesn't start with sk-ant-$/)
    const gateway = { ANTHROPIC_API_KEY: 'sk-proj-x', ANTHROPIC_BASE_URL: 'https://gateway.example' }
    assert.equal((await of('key', gateway))[0]?.state, 'ok', 'a gateway has keys of its own')
  })
})

describe('variables', () => {
  it('that make no sense are named', async () => {
    const [found, ...more] = await check({ ANTHROPIC_BASE_URL: 'not an address' })
    assert.deepEqual(more, [])
    assert.deepEqual([found?.check, found?.state], ['environment', 'fail'])
    assert.match(found?.text ?? '', /ANTHROPIC_BASE_URL/)
  })

  it('for proxies: which way each host goes', async () => {
    const env = { ANTHROPIC_API_KEY: KEY, HTTPS_PROXY: 'http://me:secret@proxy.example:3128', ALL_PROXY: '' }
    const ways = async (more: NodeJS.ProcessEnv) => {
      const servers = ['https://mcp.example/mcp', 'http://127.0.0.1:1/mcp'].map((url) => new URL(url))
      const found = await check({ ...env, ...more }, true, servers)
      return found.flatMap((one) => (one.check === 'proxy' ? [one.text] : []))
    }
    const through = 'through proxy.example:3128 (HTTPS_PROXY)'
    assert.deepEqual(await ways({}), [
      `api.anthropic.com: ${through}`,
      `mcp.example: ${through}`,
      '127.0.0.1:1: direct',
    ])
    assert.equal((await ways({ NO_PROXY: 'anthropic.com' }))[0], 'api.anthropic.com: direct')
    assert.deepEqual(await of('proxy', { ANTHROPIC_API_KEY: KEY }), [])
  })

  it('for proxies that mean nothing are named, without what they hold', async () => {
    for (const value of ['me:secret@proxy.example:3128', 'socks5://me:secret@proxy.example', 'http://me:100%@x']) {
      const [found] = await check({ ANTHROPIC_API_KEY: KEY, https_proxy: value })
      assert.equal(found?.state, 'fail')
      assert.match(found?.text ?? '', /^https_proxy /)
      assert.doesNotMatch(JSON.stringify(found), /secret|100%/)
    }
  })
})

describe('the endpoint', () => {
  let status = 200
  let url = ''
  const server = createServer((_, response) => {
    response.statusCode = status
    response.end('{}')
  })
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const ask = async (answer: number, key: NodeJS.ProcessEnv = { ANTHROPIC_API_KEY: KEY }) => {
    status = answer
    const [found] = await of('endpoint', { ...key, ANTHROPIC_BASE_URL: url }, false)
    return { ...found, text: found?.text.replace(/\d+ ms/, 'N ms') }
  }

  it('is not asked when it is not to be', async () => {
    const [found] = await of('endpoint', { ANTHROPIC_API_KEY: KEY })
    assert.deepEqual(found, { check: 'endpoint', state: 'ok', text: 'api.anthropic.com not checked (--offline)' })
  })

  it('that answers is fine', async () => {
    assert.deepEqual(await ask(200), { check: 'endpoint', state: 'ok', text: `${url} answers in N ms` })
  })

  it('that does not list models is fine as well', async () => {
    for (const answer of [404, 405])
      assert.deepEqual(
        [(await ask(answer)).state, (await ask(answer)).text],
        ['ok', `${url} answers in N ms; it doesn't list its models`],
      )
  })

  it('that refuses the key fails, unless there was none', async () => {
    for (const answer of [401, 403]) {
      const { state, text, fix } = await ask(answer)
      assert.deepEqual([state, text], ['fail', `${url} rejected the key (${answer})`])
      assert.ok(fix)
      assert.equal((await ask(answer, {})).text, `${url} answers in N ms, and needs a key`)
    }
  })

  it('that is in trouble is a warning', async () => {
    const { state, text, fix } = await ask(503)
    assert.deepEqual([state, text], ['warn', `${url} answered with status 503`])
    assert.ok(fix)
  })

  it('that is not there fails, without a word of the key', async () => {
    const closed = createServer()
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
    const { port } = closed.address() as AddressInfo
    await new Promise((resolve) => closed.close(resolve))
    const [found] = await of(
      'endpoint',
      { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}` },
      false,
    )
    assert.equal(found?.state, 'fail')
    assert.doesNotMatch(JSON.stringify(found), /API Error|made-up/)
    assert.ok(found?.fix)
  })
})
