/** HTTP, as a port: streaming requests over keep-alive connections. The Node implementation is in `node-http.ts`. */
import type { NetworkSettings } from '../network/network.js'

export type HttpRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'HEAD' | 'DELETE'
  url: URL
  headers: Readonly<Record<string, string>>
  /** Written piece by piece, so that a long body needn't be joined first. Bytes are sent as they are, and must not change meanwhile. */
  body?: readonly (string | Uint8Array)[]
  signal: AbortSignal
  /** Until the response headers. */
  timeoutMs: number
  /** The way there; undefined: straight. */
  network?: NetworkSettings | undefined
  /** The answer isn't text: a character of the body is a byte. */
  isBinary?: boolean | undefined
}

export type HttpResponse = {
  status: number
  /** Names in lower case; repeated headers joined with `, `. */
  headers: Readonly<Record<string, string>>
  /** Text as it arrives, decoded across chunk borders; can be read once. Throws an `HttpError` when the connection
   *  breaks before the end. Stopping early is the same as `discard()`. */
  body: AsyncIterable<string>
  /** Drops the rest and frees the connection. */
  discard(): void
}

export interface HttpClient {
  /** Rejects with an `HttpError` when no response comes. */
  request(request: HttpRequest): Promise<HttpResponse>
  /** Closes idle connections. */
  close(): void
}

/** `connection_lost` can only come from a body; the others from a request too. */
export type HttpTransportErrorCode = 'connection_failed' | 'timeout' | 'connection_lost' | 'aborted'

const marker = Symbol.for('kedge.http-error')

/** Names the host and the system's error code; never a header, a path or a body. */
export class HttpError extends Error {
  readonly [marker] = true
  readonly code: HttpTransportErrorCode
  readonly host: string
  /** The system's own code (`ECONNREFUSED`, `ENOTFOUND`, `CERT_HAS_EXPIRED`, …), or a few words. */
  readonly reason: string

  constructor(code: HttpTransportErrorCode, host: string, reason: string) {
    super(`${host}: ${reason}`)
    this.name = 'HttpError'
    this.code = code
    this.host = host
    this.reason = reason
  }

  /** Parts of the bundle that are loaded later have a copy of this class. */
  static override [Symbol.hasInstance](value: unknown): value is HttpError {
    return Object(value)[marker] === true
  }
}
