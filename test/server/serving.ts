/** A server over the scripted model, in a home of its own, and somebody who calls it over real sockets. */
import assert from 'node:assert/strict'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import {
  type ModelHandler,
  type ModelServer,
  type Step,
  startModelServer,
  type TestOptions,
  testOptions,
} from 'kedge/testing'
import { createClient } from '../../src/client/create-client.js'
import type { Ask } from '../../src/protocol/session-log/ask-types.js'
import type { LogEntry } from '../../src/protocol/session-log/entries.js'
import { openApiDocument } from '../../src/server/api/open-api.js'
import { OPERATIONS } from '../../src/server/api/operation-table.js'
import { buildServer, type ServerParts } from '../../src/server/build-server.js'
import type { KedgeServer, ServerOptions } from '../../src/server/public-server.js'
import { judgeOf } from './judge-of.js'

// biome-ignore lint/suspicious/noExplicitAny: what the server sends is looked at as it comes
export type Anything = any
export type Reply = { status: number; headers: IncomingMessage['headers']; text: string; json: Anything }
export type Call = { body?: unknown; headers?: Record<string, string>; token?: string | null }

export type Serving = AsyncDisposable & {
  server: KedgeServer
  model: ModelServer
  options: TestOptions
  url: string
  lines: string[]
  call(method: string, path: string, more?: Call): Promise<Reply>
  /** A session in the test's folder. */
  begin(more?: Record<string, unknown>): Promise<string>
  send(session: string, id: string, content?: string): Promise<Reply>
  /** The first ask that is open in a session. */
  ask(session: string): Promise<Ask>
  /** The log up to where `isLast` says so. */
  log(session: string, isLast: (entry: LogEntry) => boolean): Promise<LogEntry[]>
  ended(session: string, id: string): Promise<LogEntry[]>
  /** All that a stream brings until it ends. */
  streamed(method: string, path: string, body: unknown): Promise<Anything[]>
  /** Another server over the same stored sessions. */
  restart(more?: ServerOptions): Promise<void>
}

const document = openApiDocument(OPERATIONS) as { paths: Record<string, Record<string, Anything>> }

export async function serve(
  steps: Step[] | ModelHandler,
  given: ServerOptions = {},
  parts: ServerParts = {},
): Promise<Serving> {
  const model = await startModelServer(steps)
  const options = testOptions(model, { model: 'claude-sonnet-4-5-20250929', ...given.options })
  const before = process.env['CLAUDE_CONFIG_DIR']
  const configDir = options.env['CLAUDE_CONFIG_DIR'] ?? ''
  process.env['CLAUDE_CONFIG_DIR'] = configDir
  const lines: string[] = []
  const make = (more: ServerOptions = {}) =>
    buildServer(
      {
        port: 0,
        roots: [options.cwd],
        folder: join(configDir, 'server'),
        log: (line) => lines.push(line),
        ...given,
        ...more,
        options,
      },
      parts,
    )
  const serving: Serving = {
    server: make(),
    model,
    options,
    url: '',
    lines,
    async call(method, path, { body, headers = {}, token = serving.server.token } = {}) {
      const reply = await send(
        serving.url,
        method,
        path,
        {
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body === undefined ? '' : JSON.stringify(body),
      )
      checkReply(method, path, reply)
      return reply
    },
    async begin(more = {}) {
      const { status, json } = await serving.call('POST', '/v1/sessions', { body: { cwd: options.cwd, ...more } })
      assert.equal(status, 201, JSON.stringify(json))
      return json.id
    },
    send: (session, id, content = 'go') =>
      serving.call('POST', `/v1/sessions/${session}/prompts`, { body: { id, content } }),
    async ask(session) {
      const log = await serving.log(session, ({ kind }) => kind === 'ask')
      const last = log.at(-1)
      assert.ok(last?.kind === 'ask')
      return last.data
    },
    async log(session, isLast) {
      const { url, server } = serving
      const client = createClient({ url, token: server.token })
      const seen: LogEntry[] = []
      for await (const item of client.read(session, { deltas: false })) {
        if (item.kind === 'delta') continue
        seen.push(item)
        if (isLast(item)) break
      }
      return seen
    },
    async streamed(method, path, body) {
      const seen: Anything[] = []
      for await (const { data } of events(serving, path, {}, () => {}, { method, body })) seen.push(data)
      return seen
    },
    ended: (session, id) => serving.log(session, isEndOf(id)),
    async restart(more) {
      await serving.server.close()
      serving.server = make(more)
      serving.url = (await serving.server.listen()).url
    },
    async [Symbol.asyncDispose]() {
      await serving.server.close()
      if (before === undefined) delete process.env['CLAUDE_CONFIG_DIR']
      else process.env['CLAUDE_CONFIG_DIR'] = before
      await options[Symbol.asyncDispose]()
      await model[Symbol.asyncDispose]()
    },
  }
  serving.url = (await serving.server.listen()).url
  return serving
}

/** By the name of the operation, as a client would be generated; `used` gets those that worked. */
export function byName(serving: Serving, used = new Set<string>()) {
  return async (id: string, params: Record<string, string> = {}, more: Call & { query?: string } = {}) => {
    const operation = OPERATIONS.find((one) => one.id === id)
    assert.ok(operation, id)
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''))
    const reply = await serving.call(operation.method.toUpperCase(), `${path}${more.query ?? ''}`, more)
    if (reply.status < 300) used.add(id)
    return reply
  }
}

/** A prompt is over. */
export const isEndOf = (id: string) => (item: { kind: string; data: unknown }) => {
  const { id: ended, change } = item.data as { id?: string; change?: string }
  return item.kind === 'prompt' && ended === id && change !== 'started'
}

export const write = (file_path: string) => ({ tools: [{ name: 'Write', input: { file_path, content: 'new\n' } }] })

export function send(
  url: string,
  method: string,
  path: string,
  headers: Record<string, string | string[]>,
  body: string | Buffer = '',
): Promise<Reply> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const length = { 'content-length': Buffer.byteLength(body) }
    // Not through `fetch`: that mends paths and headers that are to arrive as they are.
    const call = httpRequest(
      { hostname, port, method, path, headers: { ...length, ...headers }, agent: false },
      (answer) => {
        let text = ''
        const isStream = answer.headers['content-type'] === 'text/event-stream'
        if (isStream) {
          answer.destroy()
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text, json: undefined })
          return
        }
        answer.setEncoding('utf8').on('data', (chunk) => {
          text += chunk
        })
        answer.on('end', () => {
          const isJson =
            /json/.test(answer.headers['content-type'] ?? '') && !/ndjson/.test(answer.headers['content-type'] ?? '')
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            text,
            json: isJson ? JSON.parse(text) : undefined,
          })
        })
        answer.on('error', reject)
      },
    )
    call.on('error', reject)
    call.end(body)
  })
}

export type ServerEvent = { id: string | undefined; event: string; data: Anything; size: number }

/** Server-sent events, until the caller leaves or the server ends. */
export async function* events(
  { url, server }: { url: string; server: Pick<KedgeServer, 'token'> },
  path: string,
  headers: Record<string, string> = {},
  /** Gets what cuts the connection. */
  onOpen: (cut: () => void) => void = () => {},
  { method = 'GET', body }: { method?: string; body?: unknown } = {},
): AsyncGenerator<ServerEvent, void> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const all = { authorization: `Bearer ${server.token}`, ...type, ...headers }
    const request = httpRequest(`${url}${path}`, { method, headers: all, agent: false }, resolve).on('error', reject)
    request.end(body === undefined ? undefined : JSON.stringify(body))
  })
  assert.equal(answer.statusCode, 200)
  onOpen(() => answer.destroy())
  try {
    let text = ''
    for await (const chunk of answer.setEncoding('utf8')) {
      text += chunk
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
        const data = field('data')
        if (data !== undefined)
          yield { id: field('id'), event: field('event') ?? '', data: JSON.parse(data), size: chunk.length }
      }
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error
  } finally {
    answer.destroy()
  }
}

/** Whatever comes back is as the API document says. */
function checkReply(method: string, path: string, { status, headers, json, text }: Reply): void {
  const [pattern, operations] =
    Object.entries(document.paths).find(([known]) =>
      new RegExp(`^${known.replace(/\{\w+\}/g, '[^/]+').replaceAll('.', '\\.')}$`).test(path.split('?', 1)[0] ?? ''),
    ) ?? []
  const operation = pattern === undefined ? undefined : operations?.[method.toLowerCase()]
  const expected = operation?.responses[status]
  if (operation) assert.ok(expected, `${method} ${pattern} answers ${status}: ${text.slice(0, 300)}`)
  if (status >= 400)
    assert.deepEqual([typeof json?.code, typeof json?.fix, json?.status], ['string', 'string', status], text)
  const schema = expected?.content?.['application/json']?.schema
  if (!schema) return
  assert.match(headers['content-type'] ?? '', /^application\/json/)
  const { valid, errors } = judgeOf(schema).validate(json)
  assert.ok(valid, `${method} ${pattern}: ${JSON.stringify(errors)}`)
}
