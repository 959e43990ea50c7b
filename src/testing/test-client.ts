/** A bare HTTP client for the tests of this folder: shows what was received, also of responses that break. */
import { request } from 'node:http'
import { createParser } from 'eventsource-parser'
import type { MessagesBody } from './observed-request.js'

export type TestResponse = {
  status: number
  headers: Record<string, unknown>
  /** The body as far as it came. */
  text: string
  /** The sizes of the pieces it came in. */
  sizes: number[]
  /** What broke the response, if anything did: an error code such as ECONNRESET. */
  broken?: string
}

export const AUTHORIZED_HEADERS = { 'x-api-key': 'sk-ant-test', 'anthropic-version': '2023-06-01' }

export function createHelloRequest(rest: Partial<MessagesBody> = {}): MessagesBody {
  return { model: 'claude-test', max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }], ...rest }
}

/** Rejects only when no response came at all. */
export function callServer(
  url: string,
  options: {
    method?: string
    body?: unknown
    headers?: Record<string, string>
    signal?: AbortSignal
    /** Called with all that has come so far, each time more has. */
    onText?: (text: string) => void
  } = {},
): Promise<TestResponse> {
  return new Promise((resolve, reject) => {
    const { body, signal, method = 'POST' } = options
    const headers = { 'content-type': 'application/json', ...(options.headers ?? AUTHORIZED_HEADERS) }
    let fail: (error: NodeJS.ErrnoException) => void = reject
    const outgoing = request(url, { method, headers, signal, agent: false }, (response) => {
      const chunks: Buffer[] = []
      const settle = (broken?: string) =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString('utf8'),
          sizes: chunks.map((chunk) => chunk.length),
          ...(broken === undefined ? {} : { broken }),
        })
      fail = (error) => settle(error.code ?? error.name)
      response.on('data', (chunk) => {
        chunks.push(chunk)
        options.onText?.(Buffer.concat(chunks).toString('utf8'))
      })
      response.on('end', () => settle())
      response.on('error', (error) => fail(error))
    })
    outgoing.on('error', (error) => fail(error))
    outgoing.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body))
  })
}

/** A streamed request for a message. */
export function streamFromServer(server: { url: string }, rest: Partial<MessagesBody> = {}): Promise<TestResponse> {
  return callServer(`${server.url}/v1/messages`, { body: createHelloRequest({ stream: true, ...rest }) })
}

/** Asks, waits until so many events have come and a little longer, and goes away. */
export async function abortAfterEvents(events: number, server: { url: string }): Promise<TestResponse> {
  const leaving = new AbortController()
  let timer: NodeJS.Timeout | undefined
  return callServer(`${server.url}/v1/messages`, {
    body: createHelloRequest({ stream: true }),
    signal: leaving.signal,
    onText: (text) => {
      if (text.split('\n\n').length <= events) return
      // Time for more to arrive, if more is sent: what is asserted is what came, not when.
      timer ??= setTimeout(() => leaving.abort(), 30)
    },
  }).finally(() => clearTimeout(timer))
}

/** The events of a stream, read by an independent parser. */
export function parseServerSentEvents(text: string): { event: string | undefined; data: unknown }[] {
  const events: { event: string | undefined; data: unknown }[] = []
  const parser = createParser({
    onEvent: (message) => events.push({ event: message.event, data: JSON.parse(message.data) }),
  })
  parser.feed(text)
  parser.reset({ consume: true })
  return events
}
