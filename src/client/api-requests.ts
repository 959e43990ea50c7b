/** Requests to the API: address, token, time limit, and another attempt where that can do no harm. */
import { firstAbort, isTimeLimitAbort } from '../platform/first-abort.js'
import { isObject } from '../protocol/json.js'
import {
  ClientError,
  createIncompatibleAnswerError,
  errorOfStatus,
  type ProblemFields,
  ServerBusyError,
  ServerTimeoutError,
  ServerUnreachableError,
  UnauthorizedError,
} from './client-errors.js'
import type { ApiRequestOptions, ClientOptions } from './client-types.js'
import { type Backoff, backoffDelay, waitOrPageWake } from './wait-and-wake.js'

/** What the rest of the client needs of a server. */
export type ApiRequests = {
  /** Returns the JSON of the answer; undefined if it has none. */
  call<R>(method: string, path: string, options?: ApiRequestOptions): Promise<R>
  /** Returns the response, whose body is still to be read. The time limit is for its head. */
  open(method: string, path: string, options?: ApiRequestOptions): Promise<Response>
  /** Returns the address of a path of the server, outside of the API. */
  address(path: string): string
  /** Opens a WebSocket at a path. */
  socket(path: string, query: NonNullable<ApiRequestOptions['query']>): WebSocket
}

const TIMEOUT_MS = 30_000
const RETRIES = 4
const BACKOFF: Backoff = { firstMs: 250, longestMs: 5000 }
/** A server that asks for more time than this gets no other attempt in the same call. */
const LONGEST_WAIT_MS = 10_000

/** The server has done nothing, and will take it later. */
const NOT_TAKEN = ['draining', 'database_unavailable', 'too_many_readers']
/** The head of a request can be lost, and its answer: whether the server has done it is unknown. */
const UNKNOWN_STATUSES = [408, 502, 503, 504]

export function createApiRequests(options: ClientOptions, ended: AbortSignal): ApiRequests {
  const { timeoutMs = TIMEOUT_MS, retries = RETRIES, backoff = BACKOFF, token, pageKey } = options
  const base = baseOf(options.url)

  const headersOf = async ({ body, headers }: ApiRequestOptions): Promise<Record<string, string>> => {
    const secret = typeof token === 'function' ? await token() : token
    return {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(secret === undefined ? {} : { authorization: `Bearer ${secret}` }),
      ...(pageKey ? { 'x-kedge-key': pageKey() } : {}),
      ...headers,
    }
  }

  const attempt = async <R>(
    method: string,
    path: string,
    given: ApiRequestOptions,
    read: (response: Response) => Promise<R>,
  ): Promise<R> => {
    const { body, query, signal, timeoutMs: patience = timeoutMs } = given
    signal?.throwIfAborted()
    ended.throwIfAborted()
    const headers = await headersOf(given)
    const limit = firstAbort([signal, ended], patience)
    try {
      const isWhole = body === undefined || typeof body === 'string' || body instanceof Blob
      const sent = isWhole ? body : JSON.stringify(body)
      const init = { method, headers, signal: limit.signal, ...(sent === undefined ? {} : { body: sent }) }
      const response = await (options.fetch ?? globalThis.fetch)(addressOf(base, path, query).href, init)
      if (!response.ok) throw await errorOfResponse(response)
      return await read(response)
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      if (ended.aborted) throw ended.reason
      throw error instanceof ClientError ? error : connectionError(base, error, isTimeLimitAbort(limit.signal))
    } finally {
      limit.release()
    }
  }

  const repeat = async <R>(method: string, given: ApiRequestOptions, work: () => Promise<R>): Promise<R> => {
    const { isRepeatable = method !== 'POST' && method !== 'PATCH', signal } = given
    for (let tries = 0; ; tries += 1) {
      try {
        return await work()
      } catch (error) {
        const isStale = error instanceof UnauthorizedError && typeof token === 'function' && tries === 0
        if (!isStale && (tries >= retries || !mayRepeat(error, isRepeatable))) throw error
        const asked = error instanceof ClientError ? error.retryAfterMs : undefined
        if (asked !== undefined && asked > LONGEST_WAIT_MS) throw error
        await waitOrPageWake(isStale ? 0 : (asked ?? backoffDelay(backoff, tries)), signal)
      }
    }
  }

  return {
    call: <R>(method: string, path: string, given: ApiRequestOptions = {}) =>
      repeat(method, given, () => attempt(method, path, given, (response) => jsonOf<R>(response))),
    open: (method, path, given = {}) =>
      repeat(method, given, () => attempt(method, path, given, async (response) => response)),
    address: (path) => new URL(path, base()).href,
    socket(path, query) {
      const address = addressOf(base, path, query)
      address.protocol = address.protocol.replace('http', 'ws')
      // A page can't set headers here. The server answers with the first of them, and logs neither.
      return new WebSocket(address, pageKey ? ['kedge', `kedge.key.${pageKey()}`] : ['kedge'])
    },
  }
}

/** Without an address, the server is the one that the page came from. */
function baseOf(url: string | undefined): () => string {
  const page = globalThis as { location?: { href: string } } // pages have one
  return () => {
    const base = url ?? (page.location && new URL('/', page.location.href).href)
    if (base === undefined) throw new TypeError('createClient() needs `url`, the address of the server.')
    let end = base.length
    while (base[end - 1] === '/') end -= 1
    return base.slice(0, end)
  }
}

function addressOf(base: () => string, path: string, query: ApiRequestOptions['query'] = {}): URL {
  const address = new URL(`${base()}/v1${path}`)
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) address.searchParams.set(name, String(value))
  return address
}

async function jsonOf<R>(response: Response): Promise<R> {
  // Only callers that expect no value get an answer without a body.
  if (response.status === 204) return undefined as R
  const isJson = /json/.test(response.headers.get('content-type') ?? '')
  if (!isJson && (await response.text()) === '') return undefined as R // the same
  if (!isJson) throw createIncompatibleAnswerError('JSON')
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    throw createIncompatibleAnswerError('whole')
  }
}

async function errorOfResponse(response: Response): Promise<ClientError> {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  const problem: unknown = await response.json().catch(() => ({}))
  const known: ProblemFields = isObject(problem) ? problem : {}
  return errorOfStatus(response.status, known, Number.isFinite(seconds) ? seconds * 1000 : undefined)
}

function connectionError(base: () => string, error: unknown, isLate: boolean): ClientError {
  // Without an address there is nothing to connect to.
  if (error instanceof TypeError && /createClient/.test(error.message)) throw error
  const { cause = error } = error as { cause?: unknown } // Node has the reason there
  const code = isObject(cause) ? cause['code'] : undefined
  const fix = 'Check that the server runs, and its address.'
  if (isLate)
    return new ServerTimeoutError({
      code: 'server_timeout',
      message: `The server at ${base()} doesn't answer.`,
      fix: `${fix} If it needs more time, set timeoutMs.`,
      cause: error,
    })
  const reason = typeof code === 'string' ? ` (${code})` : ''
  return new ServerUnreachableError({
    code: 'server_unreachable',
    message: `Can't reach the server at ${base()}${reason}.`,
    fix,
    cause: error,
  })
}

function mayRepeat(error: unknown, isRepeatable: boolean): boolean {
  if (!(error instanceof ClientError)) return false
  if (NOT_TAKEN.includes(error.code)) return true
  if (!isRepeatable) return false
  if (error instanceof ServerUnreachableError) return true
  // An error with a code is what the server itself says; without one, a proxy didn't reach it.
  const isOfProxy = error.code.startsWith('http_') || error.code === 'request_timeout'
  if (isOfProxy && UNKNOWN_STATUSES.includes(error.status)) return true
  return error instanceof ServerBusyError && error.retryAfterMs !== undefined
}
