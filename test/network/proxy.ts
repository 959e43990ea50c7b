/** A real proxy on loopback: opens tunnels and passes plain requests on, or misbehaves. Every name leads to servers of the test. */
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, connect, type Server as NetServer, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { SERVER_CERTIFICATE, SERVER_KEY } from './certificates.js'

export type Behavior = 'works' | 'cuts' | 'lies' | 'is silent' | 'refuses'

export type TestProxy = AsyncDisposable & {
  port: number
  /** What it was asked for, in order. */
  log: string[]
  /** Connections to it that are open. */
  open(): number
}

export type ProxySetup = {
  behavior?: Behavior
  /** `user:password` that it wants. */
  login?: string
  /** It is spoken to in private. */
  encrypted?: boolean
  /** Where tunnels to port 443 end, and plain requests. */
  securePort: number
  plainPort: number
}

export async function startProxy(setup: ProxySetup): Promise<TestProxy> {
  const { behavior = 'works', login, securePort, plainPort } = setup
  const log: string[] = []
  const sockets = new Set<Socket>()
  const knows = ({ headers }: IncomingMessage) =>
    login === undefined || headers['proxy-authorization'] === `Basic ${Buffer.from(login).toString('base64')}`
  const server: Server = setup.encrypted
    ? createSecureServer({ key: SERVER_KEY, cert: SERVER_CERTIFICATE })
    : createServer()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('connect', (asked: IncomingMessage, socket: Duplex) => {
    log.push(`CONNECT ${asked.url}`)
    socket.on('error', () => {})
    // Read, so that its end is noticed; what Node's servers accept is closed by them alone.
    if (behavior === 'is silent') return void socket.resume().once('end', () => socket.end())
    if (!knows(asked)) return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    if (behavior === 'refuses') return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    if (behavior === 'lies') return void socket.end('HTTP/1.1 200 OK\r\n\r\n<html>Please log in</html>')
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    if (behavior === 'cuts') return void socket.once('data', () => socket.destroy())
    const onward = connect(asked.url?.endsWith(':443') ? securePort : Number(asked.url?.split(':').at(-1)), '127.0.0.1')
    onward.on('error', () => socket.destroy())
    socket.once('close', () => onward.destroy())
    onward.once('close', () => socket.destroy())
    socket.pipe(onward).pipe(socket)
  })
  server.on('request', (asked, answer) => {
    log.push(`${asked.method} ${asked.url}`)
    if (behavior === 'is silent') return
    if (!knows(asked)) return void answer.writeHead(407).end()
    if (behavior === 'refuses') return void answer.writeHead(403).end()
    if (behavior === 'lies')
      return void answer.writeHead(200, { 'content-type': 'text/html' }).end('<html>Please log in</html>')
    if (behavior === 'cuts') return void asked.socket.destroy()
    const { pathname, search, host } = new URL(asked.url ?? '')
    const { 'proxy-authorization': _, ...headers } = asked.headers
    const onward = request(
      { port: plainPort, method: asked.method, path: `${pathname}${search}`, headers: { ...headers, host } },
      (response) => {
        answer.writeHead(response.statusCode ?? 502, response.headers)
        response.pipe(answer)
      },
    )
    onward.on('error', () => answer.destroy())
    asked.pipe(onward)
  })
  const port = await listen(server)
  return {
    port,
    log,
    open: () => sockets.size,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export async function listen(server: NetServer): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // Listening on TCP, the address is an object.
  return (server.address() as AddressInfo).port
}
