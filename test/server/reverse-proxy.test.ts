/** `kedge serve` behind nginx and Caddy with the configurations of the cookbook, with TLS. Skipped where there is neither. */
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import { connect } from 'node:tls'
import { WebSocket } from 'ws'
import { eventually, within } from '../support/eventually.js'
import { root } from '../support/stage.js'
import { type Home, newHome, type Program, startProgram } from './program.js'

const HOST = 'agents.example.com'
const read = (name: string) => readFileSync(join(root, 'examples', 'cookbook', name), 'utf8')
const findProgram = (name: string) =>
  [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin'].map((folder) => join(folder, name)).find(existsSync)

type Proxy = AsyncDisposable & { socket: string }

/** Replaces what is about the machine: each text must be there. */
function adapted(text: string, changes: Record<string, string>): string {
  return Object.entries(changes).reduce((all, [from, to]) => {
    assert.ok(all.includes(from), from)
    return all.replaceAll(from, to)
  }, text)
}

async function startProxy(file: string, args: string[], socket: string, { root: home, env }: Home): Promise<Proxy> {
  const child = spawn(file, args, { env: { ...env, XDG_DATA_HOME: home }, stdio: ['ignore', 'ignore', 'pipe'] })
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    log += text
  })
  const over = once(child, 'exit')
  try {
    await eventually('the proxy has its certificate', () => {
      assert.equal(child.exitCode, null, log)
      return canConnect(socket)
    })
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
  return {
    socket,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await over
    },
  }
}

function startNginx(nginx: string, home: Home, upstream: string): Promise<Proxy> {
  const socket = join(home.root, 'nginx.sock')
  const [key, certificate] = ['key.pem', 'certificate.pem'].map((name) => join(home.root, name))
  const names = ['-subj', `/CN=${HOST}`, '-addext', `subjectAltName=DNS:${HOST}`]
  const files = ['-keyout', key ?? '', '-out', certificate ?? '']
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', ...names, ...files],
    {
      stdio: 'ignore',
    },
  )
  const own = adapted(read('nginx.conf'), {
    'listen 443 ssl': `listen unix:${socket} ssl`,
    '/etc/letsencrypt/live/agents.example.com/fullchain.pem': certificate ?? '',
    '/etc/letsencrypt/live/agents.example.com/privkey.pem': key ?? '',
    'http://127.0.0.1:4141': upstream,
  })
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(home.root, name)};`,
  )
  const config = join(home.root, 'nginx.conf')
  // The server asks for an unbuffered stream in a header. The configuration must do without.
  writeFileSync(
    config,
    `daemon off; pid ${join(home.root, 'nginx.pid')}; error_log stderr; events {}
    http { access_log off; proxy_ignore_headers X-Accel-Buffering; ${temporary.join(' ')}\n${own}\n}`,
  )
  return startProxy(nginx, ['-p', home.root, '-e', 'stderr', '-c', config], socket, home)
}

function startCaddy(caddy: string, home: Home, upstream: string): Promise<Proxy> {
  const socket = join(home.root, 'caddy.sock')
  const own = adapted(read('Caddyfile'), {
    'agents.example.com {': `agents.example.com {\n\tbind unix/${socket}\n\ttls internal`,
    '127.0.0.1:4141': new URL(upstream).host,
  })
  const config = join(home.root, 'Caddyfile')
  writeFileSync(config, `{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n${own}`)
  return startProxy(caddy, ['run', '--adapter', 'caddyfile', '--config', config], socket, home)
}

/** The certificate of a test is signed by nobody. */
const open = (socket: string) => connect({ path: socket, servername: HOST, rejectUnauthorized: false })

/** Caddy listens before it has a certificate. */
async function canConnect(socket: string): Promise<boolean> {
  if (!existsSync(socket)) return false
  const connection = open(socket)
  try {
    await once(connection, 'secureConnect')
    return true
  } catch {
    return false
  } finally {
    connection.destroy()
  }
}

async function call(socket: string, path: string, given: { method?: string; headers?: object; body?: string } = {}) {
  const { method = 'GET', headers = {}, body = '' } = given
  const request = httpsRequest({
    createConnection: () => open(socket),
    method,
    path,
    headers: { host: HOST, ...headers, ...(body ? { 'content-length': Buffer.byteLength(body) } : {}) },
  })
  request.end(body)
  const [response]: IncomingMessage[] = await within(`${method} ${path}`, once(request, 'response'))
  return response ?? assert.fail()
}

async function checkProxy({ socket }: Proxy, { token }: Program, { project }: Home): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const post = async (path: string, body: object) => {
    const response = await call(socket, path, { method: 'POST', headers, body: JSON.stringify(body) })
    const text = (await response.setEncoding('utf8').toArray()).join('')
    return { status: response.statusCode, json: text === '' ? undefined : JSON.parse(text) }
  }
  // The server sees the names that the browser used.
  const statusOf = async (more: object) =>
    (await call(socket, '/v1/asks', { headers: { ...headers, ...more } })).statusCode
  assert.equal(await statusOf({}), 200)
  assert.equal(await statusOf({ origin: `https://${HOST}` }), 200)
  assert.equal(await statusOf({ origin: 'https://elsewhere.example' }), 403)

  // A stream that stays open brings its first events at once.
  const session: string = (await post('/v1/sessions', { cwd: project })).json.id
  const stream = await call(socket, `/v1/sessions/${session}/events`, { headers })
  assert.match(stream.headers['content-type'] ?? '', /^text\/event-stream/)
  let seen = ''
  const arrived = new Promise<void>((resolve) => {
    stream.setEncoding('utf8').on('data', (text) => {
      seen += text
      if (/"subtype":"success"/.test(seen)) resolve()
    })
  })
  assert.equal((await post(`/v1/sessions/${session}/prompts`, { id: 'a', content: 'hello' })).status, 202)
  await within('the stream brings the end of the turn', arrived)
  assert.match(seen, /^event: delta$/m)
  stream.destroy()

  // A WebSocket.
  const ws = new WebSocket(`wss://${HOST}/v1/sessions/${session}/events?after=0`, {
    headers,
    createConnection: () => open(socket),
  })
  const [message] = await once(ws, 'message')
  assert.equal(JSON.parse(String(message))[0].seq, 1)
  ws.terminate()

  // Bodies as large as the server takes them.
  const large = await post(`/v1/sessions/${session}/prompts`, { id: 'b', content: 'x'.repeat(3_000_000) })
  assert.equal(large.status, 202)
}

for (const [name, start] of [['nginx', startNginx] as const, ['caddy', startCaddy] as const]) {
  const file = findProgram(name)
  const skip = file === undefined && `${name} is not installed`
  test(`${name} passes on events at once, sockets, large bodies, and the names that the server checks`, {
    skip,
  }, async () => {
    using home = newHome()
    mkdirSync(home.root, { recursive: true })
    await using program = await startProgram(home, '--allow-host', HOST)
    await using proxy = await start(file ?? '', home, program.url)
    await checkProxy(proxy, program, home)
  })
}
