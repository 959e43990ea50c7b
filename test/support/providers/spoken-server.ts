/**
 * A local server that speaks the format of one provider, from the same scripted answers for all of them. What a request has
 * wrong by the rules of its API is refused as the API would, and noted.
 */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Answer } from '../model-api.js'

export type ErrorKind =
  | 'rate_limit'
  | 'overloaded'
  | 'server'
  | 'invalid'
  | 'too_long'
  | 'authentication'
  | 'permission'
  | 'not_found'
  | 'billing'

export type Step =
  /** `pieceSize`: bytes per write. */
  | { answer: Answer; pieceSize?: number }
  /** In one piece, though a stream was asked for. */
  | { whole: Answer }
  /** `$SECRETS` in the message stands for them. */
  | { error: ErrorKind; message?: string; headers?: Record<string, string> }
  /** So many events, and then the connection breaks, an error comes, or nothing more. */
  | { cut: Answer; after: number }
  | { failing: Answer; after: number; error: ErrorKind }
  | { stall: Answer; after: number }
  /** Something that is no model answers, with status 200. */
  | { page: string }

export type Received = {
  method: string
  path: string
  headers: IncomingHttpHeaders
  raw: Buffer
  /** By the server's clock. */
  now: number
}

/** What was asked for, in words of the Messages API. */
export type Asked = {
  model: string
  system: string
  tools: string[]
  messages: { role: string; content: Record<string, unknown>[] }[]
  maxTokens: number
  thinking: boolean
  streamed: boolean
}

/** One provider's format. */
export interface Spoken {
  readonly name: string
  /** What a user sets, for a server at this address. */
  env(url: string): Record<string, string>
  /** What must be seen nowhere. */
  readonly secrets: readonly string[]
  /** What the default model is called on the wire. */
  readonly models: { sonnet: string; opus: string; haiku: string }
  /** Throws a `Wrong` where the request breaks a rule. */
  read(received: Received): Asked | Promise<Asked>
  readonly contentType: string
  /** One per event. */
  frames(answer: Answer): Buffer[]
  whole(answer: Answer): object
  error(kind: ErrorKind, message: string): { status: number; body: unknown; headers?: Record<string, string> }
  errorFrame(kind: ErrorKind, message: string): Buffer
  /** Scenarios that this API can't have, by name, with why. */
  readonly lacks?: Readonly<Record<string, string>>
}

export class Wrong extends Error {
  readonly kind: ErrorKind
  constructor(message: string, kind: ErrorKind = 'invalid') {
    super(message)
    this.kind = kind
  }
}

export type Script = readonly Step[] | ((asked: Asked, index: number) => Step)

export interface SpokenServer {
  readonly url: string
  readonly asked: Asked[]
  readonly received: Received[]
  /** Rules that requests broke. */
  readonly problems: string[]
  env(): Record<string, string>
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export async function startSpoken(
  spoken: Spoken,
  script: Script,
  { now = () => Date.now() }: { now?(): number } = {},
): Promise<SpokenServer> {
  const asked: Asked[] = []
  const received: Received[] = []
  const problems: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = '', url = '', headers } = request
    if (method === 'GET' && url.endsWith('/models')) return void response.writeHead(404).end('{}')
    const seen = { method, path: url, headers, raw: Buffer.concat(chunks), now: now() }
    received.push(seen)
    response.setHeader('date', new Date(now()).toUTCString())
    try {
      const read = await spoken.read(seen)
      asked.push(read)
      const step = typeof script === 'function' ? script(read, asked.length - 1) : script[asked.length - 1]
      if (!step) throw new Wrong(`request ${asked.length} is not in the script`)
      await perform(spoken, step, read, response)
    } catch (error) {
      const wrong = error instanceof Wrong ? error : new Wrong(String(error))
      problems.push(wrong.message)
      refuse(response, spoken.error(wrong.kind, wrong.message))
    }
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // Listening on TCP, the address is an object.
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const close = () => {
    for (const socket of sockets) socket.destroy()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return { url, asked, received, problems, env: () => spoken.env(url), close, [Symbol.asyncDispose]: close }
}

async function perform(spoken: Spoken, step: Step, asked: Asked, response: ServerResponse): Promise<void> {
  if ('error' in step && !('failing' in step)) {
    const message = (step.message ?? `scripted ${step.error}`).replace('$SECRETS', spoken.secrets.join(' '))
    const { headers = {}, ...refusal } = spoken.error(step.error, message)
    return refuse(response, { ...refusal, headers: { ...headers, ...step.headers } })
  }
  if ('page' in step) {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end(step.page)
    return
  }
  const answer =
    'answer' in step ? step.answer : 'whole' in step ? step.whole : 'cut' in step ? step.cut : contentOf(step)
  if (!asked.streamed || 'whole' in step) {
    response.writeHead(200, { 'content-type': 'application/json', 'request-id': 'req_whole' })
    response.end(JSON.stringify(spoken.whole(answer)))
    return
  }
  response.writeHead(200, { 'content-type': spoken.contentType, 'request-id': 'req_stream' })
  const frames = spoken.frames(answer)
  if ('answer' in step) return writeAll(response, Buffer.concat(frames), step.pieceSize)
  if (!('after' in step)) return
  response.flushHeaders()
  const start = Buffer.concat(frames.slice(0, step.after))
  if (start.length > 0) await new Promise<void>((resolve) => response.write(start, () => resolve()))
  if ('failing' in step) response.end(spoken.errorFrame(step.error, `scripted ${step.error}`))
  else if ('cut' in step) response.socket?.end()
}

function contentOf(step: Step): Answer {
  if ('failing' in step) return step.failing
  return 'stall' in step ? step.stall : { blocks: [] }
}

async function writeAll(response: ServerResponse, bytes: Buffer, pieceSize = bytes.length): Promise<void> {
  for (let from = 0; from < bytes.length; from += Math.max(1, pieceSize)) {
    const piece = bytes.subarray(from, from + Math.max(1, pieceSize))
    await new Promise<void>((resolve) => response.write(piece, () => resolve()))
  }
  response.end()
}

function refuse(response: ServerResponse, { status, body, headers = {} }: ReturnType<Spoken['error']>): void {
  if (response.headersSent) return void response.destroy()
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}
