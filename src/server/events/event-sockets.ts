/** Events over WebSockets, on the same paths and by the same rules as server-sent events. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { hasScope } from '../access/access-tokens.js'
import { chooseSocketProtocol } from '../access/page-keys.js'
import type { RequestGuard } from '../access/request-guard.js'
import { UUID_PATTERN } from '../api/api-schemas.js'
import { HttpProblem, toProblem } from '../api/problems.js'
import type { ServerContext } from '../server-context.js'
import type { ServerLog } from '../server-log.js'
import { openEventReader, packEventStream, type StreamRequest } from './event-streams.js'

/** What a client says is a few numbers. */
const LARGEST_MESSAGE = 4096
const START_MS = 10_000
const PING_MS = 30_000

export type EventSocketsOptions = { server: ServerContext; guard: RequestGuard; log: ServerLog }

export class EventSockets {
  readonly #options: EventSocketsOptions
  readonly #open = new Set<WebSocket>()
  // Compression would let a few bytes become gigabytes, and mixes secrets with what strangers send.
  readonly #server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: LARGEST_MESSAGE,
    handleProtocols: chooseSocketProtocol,
  })

  constructor(options: EventSocketsOptions) {
    this.#options = options
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy())
    this.#accept(request).then(
      (wanted) => this.#server.handleUpgrade(request, socket, head, (ws) => this.#serve(ws, wanted)),
      (error) => refuse(socket, toProblem(error, '')),
    )
  }

  end(): void {
    for (const ws of this.#open) ws.close(1001, 'The server ends.')
  }

  /** Those that did not answer are not waited for. */
  cutOff(): void {
    for (const ws of this.#open) ws.terminate()
  }

  /** Throws before anything is promised. */
  async #accept(request: IncomingMessage): Promise<Wanted> {
    const { server, guard } = this.#options
    guard.checkPlace(request)
    const caller = await guard.caller(request)
    if (!hasScope(caller, 'read')) throw new HttpProblem('forbidden_scope', 'This needs the scope read.')
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://server')
    const [, session] = new RegExp(`^/v1/sessions/(${UUID_PATTERN.slice(1, -1)})/events$`).exec(pathname) ?? []
    if (session === undefined && pathname !== '/v1/events')
      throw new HttpProblem('not_found', 'There are no WebSockets at this path.')
    const unknown = [...searchParams.keys()].find((name) => name !== 'after' && name !== 'deltas')
    if (unknown !== undefined) throw new HttpProblem('unknown_parameter', 'Only after and deltas can be given.')
    const [after, deltas] = [searchParams.get('after'), searchParams.get('deltas')]
    if (after !== null && !/^\d{1,15}$/.test(after)) throw new HttpProblem('invalid_request', 'after is a number.')
    if (deltas !== null && !/^(true|false)$/.test(deltas))
      throw new HttpProblem('invalid_request', 'deltas is true or false.')
    if (session !== undefined) await server.use(caller, session)
    return { caller, session, after: after === null ? undefined : Number(after), deltas: deltas !== 'false' }
  }

  #serve(ws: WebSocket, wanted: Wanted): void {
    this.#open.add(ws)
    let isAlive = true
    const timer = setInterval(() => {
      if (!isAlive) return ws.terminate()
      isAlive = false
      ws.ping()
    }, PING_MS)
    ws.on('pong', () => {
      isAlive = true
    })
    // What was wrong with it, the other side learns from the code it is closed with.
    ws.on('error', () => {})
    ws.on('close', () => {
      clearInterval(timer)
      clearTimeout(late)
      this.#open.delete(ws)
    })
    const late = setTimeout(() => ws.close(1008, 'Say where to start: {"after": 0}'), START_MS)
    let isStarted = false
    const start = (from: { after: number; deltas: boolean }) => {
      clearTimeout(late)
      if (isStarted) return ws.close(1008, 'This socket has its stream.')
      isStarted = true
      void this.#follow(ws, { ...wanted, ...from })
    }
    ws.on('message', (data, isBinary) => {
      const from = isBinary ? undefined : startOf(String(data), wanted.deltas)
      if (from) start(from)
      else ws.close(1008, 'That is not {"after": NUMBER}.')
    })
    if (wanted.after !== undefined) start({ after: wanted.after, deltas: wanted.deltas })
  }

  async #follow(ws: WebSocket, wanted: StreamRequest): Promise<void> {
    const { server, log } = this.#options
    try {
      const reader = await openEventReader(server, wanted)
      ws.once('close', () => reader.close())
      if (ws.readyState !== ws.OPEN) reader.close()
      try {
        for await (const text of packEventStream(server, wanted, reader, 'json')) await send(ws, text)
      } finally {
        reader.close()
      }
      ws.close(1001, 'The stream has ended.')
    } catch (error) {
      const problem = toProblem(error, '')
      if (problem.status === 500) log.error('stream failed', error)
      ws.close(problem.status === 503 ? 1013 : problem.status === 500 ? 1011 : 1008, problem.code)
    }
  }
}

type Wanted = Omit<StreamRequest, 'after'> & { after: number | undefined }

function startOf(text: string, deltas: boolean): { after: number; deltas: boolean } | undefined {
  try {
    const { after = 0, deltas: wanted = deltas, ...others } = JSON.parse(text)
    const isRight = Number.isSafeInteger(after) && after >= 0 && typeof wanted === 'boolean'
    return isRight && Object.keys(others).length === 0 ? { after, deltas: wanted } : undefined
  } catch {
    return undefined
  }
}

/** Resolves when the text is on its way: a client that doesn't read delays only itself. */
function send(ws: WebSocket, text: string): Promise<void> {
  return new Promise((resolve) => ws.send(text, () => resolve()))
}

/** There is no answer object for an upgrade that is refused. */
function refuse(socket: Duplex, problem: HttpProblem): void {
  const body = JSON.stringify(problem.toJson())
  const headers = {
    'content-type': 'application/problem+json',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
    ...problem.headers,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${problem.status} ${problem.code}\r\n${lines.join('')}\r\n${body}`)
}
