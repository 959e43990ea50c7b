/** Replays a cassette: the recorded answers, offline, strict about requests that were not recorded and answers not used. */
import type { ServerResponse } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { apiError } from './api-error.js'
import {
  type CassetteExchange,
  type CassetteRequest,
  type CassetteServer,
  harmlessHeaders,
  parseBody,
  readCassette,
} from './cassette.js'
import { type IncomingCall, startHttpListener } from './http-listener.js'
import { createRedactor } from './redact.js'
import { sendResponse } from './respond.js'
import type { StreamEnding } from './write-sse.js'

/** What `replay()` takes. */
export type ReplayOptions = {
  /**
   * Which recorded exchange answers a request:
   * - `order` (default): the next one, if method and path agree;
   * - `body`: the first unused one with the same method, path and body;
   * - a function: the first unused one it accepts.
   */
  match?: 'order' | 'body' | ((request: CassetteRequest, recorded: CassetteRequest) => boolean)
}

/**
 * Starts a server that answers from a cassette made by `record()`.
 *
 * ```ts
 * await using server = await replay('test/greeting.jsonl')
 * ```
 *
 * A request without a recorded answer gets 500 and fails `assertDone()`; so does an exchange nobody asked for.
 */
export async function replay(file: string, options: ReplayOptions = {}): Promise<CassetteServer> {
  const unused = readCassette(file)
  const total = unused.length
  const match = options.match ?? 'order'
  const requests: IncomingCall[] = []
  const failures: Error[] = []

  async function handle(call: IncomingCall, response: ServerResponse): Promise<void> {
    requests.push(call)
    const request = asRecorded(call)
    const at =
      match === 'order' ? (sameTarget(request, unused[0]?.request) ? 0 : -1) : unused.findIndex(accepts(request))
    const exchange = at === -1 ? undefined : unused.splice(at, 1)[0]
    if (exchange) {
      const { status, headers, body } = exchange.response
      await sendResponse(response, {
        status,
        headers,
        pieces: body.split(/(?<=\n\n)/),
        ending: endings[exchange.ending],
      })
      return
    }
    const error = new Error(`${file}: ${explain(request)}`)
    failures.push(error)
    await sendResponse(response, {
      status: 500,
      headers: { 'content-type': 'application/json', 'x-should-retry': 'false' },
      pieces: [JSON.stringify(apiError(500, '', { message: `kedge/testing: ${error.message}` }))],
      ending: 'end',
    })
  }

  function accepts(request: CassetteRequest): (exchange: CassetteExchange) => boolean {
    if (typeof match === 'function') return (exchange) => match(request, exchange.request)
    return ({ request: recorded }) => sameTarget(request, recorded) && isDeepStrictEqual(request.body, recorded.body)
  }

  function explain(request: CassetteRequest): string {
    const what = `${request.method} ${request.path}`
    const next = unused[0]?.request
    if (!next) return `all ${total} recorded exchanges are used; unexpected ${what}`
    if (!sameTarget(request, next))
      return `unexpected ${what}; the next recorded request is ${next.method} ${next.path}`
    const place = findDifference(request.body, next.body, 'body')
    return `no recorded exchange matches this ${what}; ${place ? `the next one differs at ${place}` : 'the next one was not accepted'}`
  }

  function assertDone(): void {
    if (failures[0]) throw failures[0]
    if (unused.length === 0) return
    const list = unused.map(({ request }) => `  ${request.method} ${request.path}`).join('\n')
    throw new Error(`${file}: ${unused.length} of ${total} recorded exchanges were never asked for:\n${list}`)
  }

  const listener = await startHttpListener(handle)
  return {
    url: listener.url,
    port: listener.port,
    requests,
    failures,
    env: () => ({ ANTHROPIC_BASE_URL: listener.url, ANTHROPIC_API_KEY: 'sk-ant-test' }),
    assertDone,
    close: listener.close,
    async [Symbol.asyncDispose]() {
      await listener.close()
      assertDone()
    },
  }
}

/** An abandoned answer went on for longer than the client cared: it stays open until the client leaves again. */
const endings: Record<CassetteExchange['ending'], StreamEnding> = { end: 'end', cut: 'close', abandoned: 'stall' }

/** The request as `record()` would have written it, so that both sides compare alike. */
function asRecorded(call: IncomingCall): CassetteRequest {
  const redactor = createRedactor()
  const body = parseBody(call.body)
  redactor.learn(call.headers, body)
  return {
    method: call.method,
    path: redactor.text(call.path),
    headers: harmlessHeaders(call.headers),
    body: redactor.json(body),
  }
}

function sameTarget(request: CassetteRequest, recorded: CassetteRequest | undefined): boolean {
  const path = (value: string) => value.split('?', 1)[0]
  return recorded !== undefined && request.method === recorded.method && path(request.path) === path(recorded.path)
}

function findDifference(a: unknown, b: unknown, place: string): string | undefined {
  if (isDeepStrictEqual(a, b)) return undefined
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return place
  const left = new Map(Object.entries(a))
  const right = new Map(Object.entries(b))
  for (const key of new Set([...left.keys(), ...right.keys()])) {
    const inner = findDifference(left.get(key), right.get(key), `${place}.${key}`)
    if (inner !== undefined) return inner
  }
  return place
}
