/**
 * Pages of the web, as a port: names are looked up in one step and connected to in another, so that whoever judges an
 * address knows that it is the one that will be talked to. Failures are values. The Node implementation is in `web-client.ts`.
 */

export type WebRequest = {
  url: URL
  /** The one address to connect to; nothing is looked up. Name and certificate are those of the URL. */
  address: string
  headers: Readonly<Record<string, string>>
  signal: AbortSignal
  /** Until the connection stands, encryption included. */
  connectTimeoutMs: number
}

export type WebResponse = {
  ok: true
  status: number
  /** The usual words for the status; empty for one without. */
  statusText: string
  /** Names in lower case; repeated headers joined with `, `. */
  headers: Readonly<Record<string, string>>
  /** The body, decompressed. Stops as soon as it is longer than `maxBytes`; can be called once. */
  read(maxBytes: number): Promise<WebBody | WebFailure>
  /** Ends the connection; also done by `read`. */
  discard(): void
}

export type WebBody = { ok: true; bytes: Uint8Array }

/** `reason` is the system's own code (`ENOTFOUND`, `CERT_HAS_EXPIRED`, …) or a few words; never an address, header or body. */
export type WebFailure = {
  ok: false
  kind: 'no connection' | 'broken off' | 'too large' | 'unknown encoding' | 'aborted'
  reason: string
}

export type ResolvedWebAddresses = { ok: true; addresses: string[] }

export interface WebClient {
  /** A proxy is on the way, and looks up the name itself: `address` is not used. */
  isProxied(url: URL): boolean
  /** All addresses of a name. */
  resolve(name: string, signal: AbortSignal): Promise<ResolvedWebAddresses | WebFailure>
  /** One request, one connection of its own: no redirects, no cookies, nothing kept. */
  get(request: WebRequest): Promise<WebResponse | WebFailure>
}
