/** The cassette file: one JSON line that names the format, then one line per exchange, in the order of the requests. */
import { readFileSync } from 'node:fs'

/** How the response ended: whole, broken by the other side, or abandoned by the client. */
export type CassetteEnding = 'end' | 'cut' | 'abandoned'

export type CassetteExchange = {
  request: CassetteRequest
  response: { status: number; headers: Record<string, string>; body: string }
  ending: CassetteEnding
}

/** A request as a cassette keeps it, without credentials. */
export type CassetteRequest = {
  /** The HTTP method. */
  method: string
  /** The path, with the query. */
  path: string
  /** Its headers. */
  headers: Record<string, string>
  /** Its body; as data where it was JSON. */
  body: unknown
}

/** What `record()` and `replay()` have in common, so that a test can use either. */
export type CassetteServer = AsyncDisposable & {
  /** The address of the server. */
  readonly url: string
  /** The port it listens on. */
  readonly port: number
  /** Every request that came in, as it came. */
  readonly requests: readonly {
    /** The HTTP method. */
    method: string
    /** The path, with the query. */
    path: string
    /** Its headers. */
    headers: Record<string, string>
    /** Its body as text. */
    body: string
  }[]
  /** What went wrong so far, first things first. */
  readonly failures: readonly Error[]
  /** Environment variables that point an agent here. */
  env(): {
    /** The address of the server. */
    ANTHROPIC_BASE_URL: string
    /** A key, so that nobody asks for one. */
    ANTHROPIC_API_KEY?: string
  }
  /** Throws the first failure; a replay also names the exchanges that were never asked for. */
  assertDone(): void
  /** Stops at once. Leaving an `await using` scope does this, then `assertDone()`. */
  close(): Promise<void>
}

export const CASSETTE_FIRST_LINE = JSON.stringify({ cassette: 'kedge', version: 1 })

export function readCassette(file: string): CassetteExchange[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  if (lines[0] !== CASSETTE_FIRST_LINE) throw new Error(`${file} is not a cassette of version 1`)
  return lines.slice(1).flatMap((line, i) => {
    if (line.trim() === '') return []
    try {
      const exchange: CassetteExchange = JSON.parse(line)
      if (typeof exchange.request.path === 'string' && typeof exchange.response.body === 'string') return [exchange]
    } catch {
      // Reported below, with the line, like an exchange that lacks its parts.
    }
    throw new Error(`${file}:${i + 2} is not a recorded exchange`)
  })
}

/** Headers are kept by name: whatever is not known to be harmless stays out of the file. */
export function harmlessHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const kept =
    /^(content-type|anthropic-version|anthropic-beta|request-id|retry-after|retry-after-ms|x-should-retry|anthropic-ratelimit-.*)$/
  return Object.fromEntries(Object.entries(headers).filter(([name]) => kept.test(name)))
}

/** The JSON of a body, or the text itself when it is none. */
export function parseBody(text: string): unknown {
  if (text === '') return null
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
