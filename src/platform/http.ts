/** HTTP, as a port: streaming requests over keep-alive connections, on `node:http(s)`. */

export type HttpRequest = {
  method: 'GET' | 'POST'
  url: URL
  headers: Readonly<Record<string, string>>
  /** Written piece by piece, so that a long body needn't be joined first. */
  body?: readonly string[]
  signal: AbortSignal
  /** Until the response headers. */
  timeoutMs: number
  /** PEM text of further certificate authorities. */
  extraCertificates?: string
}

export type HttpResponse = {
  status: number
  headers: Readonly<Record<string, string>>
  /** Text as it arrives, decoded across chunk borders. Throws an `HttpError` when the connection breaks before the end. */
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
