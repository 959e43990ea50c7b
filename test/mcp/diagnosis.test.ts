/** `kedge mcp test`: why a server does not work, in words of a person. Each with a real server that fails in this way. */
import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { after, describe, test } from 'node:test'
import { diagnoseMcpServer } from '../../src/cli/mcp/mcp-diagnosis.js'
import { fetchServerStatuses } from '../../src/cli/mcp/mcp-test.js'
import { SERVER_CERTIFICATE, SERVER_KEY } from '../network/certificates.js'
import { startProxy } from '../network/proxy.js'

const FILE = '/home/ada/.claude.json (local)'
/** Those of the machine that runs the tests. */
const PROXY = /^(?:https?|all|no)_proxy$/i
const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !PROXY.test(name)))

const ending: (() => void)[] = []
after(() => {
  for (const end of ending) end()
})

async function portOf(server: Server): Promise<number> {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => open.add(socket))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  ending.push(() => {
    server.close()
    for (const socket of open) socket.destroy()
  })
  return (server.address() as AddressInfo).port // it listens on a port
}
const answering = (listener: RequestListener) => portOf(createServer(listener))
const status = (code: number, headers = {}, text = '') =>
  answering((_request, answer) => void answer.writeHead(code, headers).end(text))
const http = (port: number, path = '/mcp') => ({ type: 'http', url: `http://127.0.0.1:${port}${path}` })
const https = (port: number) => ({ type: 'http', url: `https://localhost:${port}/mcp` })
const program = (code: string) => ({ command: process.execPath, args: ['-e', code] })
const hello =
  (version: string): RequestListener =>
  (request, answer) => {
    let text = ''
    request.on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      const result = { protocolVersion: version, capabilities: {}, serverInfo: { name: 'old', version: '1' } }
      const { id } = JSON.parse(text)
      answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result }))
    })
  }

type Failing = { config: object; env?: Record<string, string>; problem: RegExp; fix: RegExp }
const secure = { cert: SERVER_CERTIFICATE, key: SERVER_KEY }
const away = { type: 'http', url: 'https://mcp.example/mcp' }
const viaProxy = async (behavior: Parameters<typeof startProxy>[0]) => {
  const proxy = await startProxy(behavior)
  ending.push(() => void proxy[Symbol.asyncDispose]())
  return { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` }
}

const CASES: Record<string, () => Promise<Failing>> = {
  'DNS: a name that does not exist': async () => ({
    config: { type: 'http', url: 'https://no-such-host.invalid/mcp' },
    problem: /the name no-such-host\.invalid could not be resolved\./,
    fix: /correct `url` in \/home\/ada\/\.claude\.json \(local\), or check the network and its DNS\./,
  }),
  'nothing listens': async () => ({
    config: http(1),
    problem: /nothing listens at http:\/\/127\.0\.0\.1:1\/mcp\./,
    fix: /start the server, or correct `url`/,
  }),
  'TLS: an authority that the computer does not know': async () => ({
    config: https(await portOf(createSecureServer(secure))),
    problem: /the certificate of localhost:\d+ is signed by an authority that this computer doesn't know/,
    fix: /NODE_EXTRA_CA_CERTS=\/path\/to\/authority\.pem/,
  }),
  'TLS: https:// where the server speaks http': async () => ({
    config: https(await status(200)),
    problem: /localhost:\d+ doesn't speak TLS/,
    fix: /write http:\/\/ instead of https:\/\//,
  }),
  'TLS: http:// where the server speaks https': async () => ({
    config: http(await portOf(createSecureServer(secure))),
    problem: /cut the connection before it answered/,
    fix: /write https:\/\/ in `url`/,
  }),
  'a proxy that is not there': async () => ({
    config: away,
    env: { HTTPS_PROXY: 'http://127.0.0.1:1' },
    problem: /the proxy in HTTPS_PROXY can't be reached \(ECONNREFUSED\)/,
    fix: /NO_PROXY=mcp\.example/,
  }),
  'a proxy that refuses': async () => ({
    config: away,
    env: await viaProxy({ behavior: 'refuses', securePort: 1, plainPort: 1 }),
    problem: /the proxy in HTTPS_PROXY doesn't let connections to mcp\.example through \(HTTP 403\)/,
    fix: /allow mcp\.example at the proxy/,
  }),
  'a proxy that wants a password': async () => ({
    config: away,
    env: await viaProxy({ login: 'ada:secret', securePort: 1, plainPort: 1 }),
    problem: /the proxy in HTTPS_PROXY wants a user and password \(HTTP 407\)/,
    fix: /HTTPS_PROXY=http:\/\/USER:PASSWORD@HOST:PORT/,
  }),
  '401: a sign-in': async () => ({
    config: http(await status(401, { 'www-authenticate': 'Bearer' })),
    problem: /tracker needs authentication: it wants you to sign in \(HTTP 401\)/,
    fix: /run `kedge mcp login tracker`/,
  }),
  '403: not for this account': async () => ({
    config: http(await status(403, {}, 'not you')),
    problem: /HTTP 403 \("not you"\)/,
    fix: /the token in `headers`/,
  }),
  '404: a wrong path': async () => ({
    config: http(await status(404), '/wrong'),
    problem: /it answered with HTTP 404/,
    fix: /many servers have it at \/mcp/,
  }),
  '500: the fault of the server': async () => ({
    config: http(await status(500, {}, 'boom')),
    problem: /HTTP 500 \("boom"\)/,
    fix: /read the log of the server/,
  }),
  'a redirect to another host': async () => ({
    config: http(await status(302, { location: 'https://other.example/mcp' })),
    problem: /sends you on to https:\/\/other\.example\/mcp/,
    fix: /set `url` to it/,
  }),
  'a web page instead of a server': async () => ({
    config: http(await status(200, { 'content-type': 'text/html' }, '<h1>Hello</h1>')),
    problem: /answers with text\/html, so it isn't an MCP server/,
    fix: /it needs the whole path/,
  }),
  'a version of the protocol that Kedge does not speak': async () => ({
    config: http(await answering(hello('1999-01-01'))),
    problem: /it speaks version 1999-01-01 of MCP, and Kedge speaks [\s\S]*2025-11-25/,
    fix: /kedge update/,
  }),
  'an address that never answers': async () => ({
    config: http(await portOf(createTcpServer())),
    env: { MCP_TIMEOUT: '300' },
    problem: /took the connection, but didn't answer within 0\.3 s/,
    fix: /MCP_TIMEOUT=60000 kedge mcp test NAME/,
  }),
  'a program that does not exist': async () => ({
    config: { command: 'no-such-program-of-kedge' },
    problem: /the program no-such-program-of-kedge doesn't exist/,
    fix: /or install it/,
  }),
  'a program that starts slowly': async () => ({
    config: program('setInterval(() => {}, 1000)'),
    env: { MCP_TIMEOUT: '300' },
    problem: /the program started, but didn't answer within 0\.3 s/,
    fix: /MCP_TIMEOUT=60000\./,
  }),
  'a program that prints a banner on stdout': async () => ({
    config: program("console.log('Server ready on port 3000'); setTimeout(() => {}, 300)"),
    problem: /it printed "Server ready on port 3000" on stdout, which isn't JSON-RPC, and it ended/,
    fix: /write its logs to stderr/,
  }),
  'a program that ends with an error': async () => ({
    config: program("console.error('Set TRACKER_KEY first'); process.exit(3)"),
    problem: /the program ended with exit code 3\. It printed:\nSet TRACKER_KEY first/,
    fix: /run it in a shell/,
  }),
}

describe('kedge mcp test explains', () => {
  for (const [title, make] of Object.entries(CASES))
    test(title, async () => {
      const { config, env = {}, problem, fix } = await make()
      const { isConnected, text } = await diagnoseMcpServer(
        { name: 'tracker', config, where: FILE, env: { ...clean, ...env } },
        fetchServerStatuses,
      )
      assert.equal(isConnected, false)
      const [said = '', advice = ''] = text.split('\nFix: ')
      assert.match(said, /^tracker (?:failed|needs authentication):/)
      assert.match(said, problem)
      assert.match(advice, fix)
    })
})
