/** What the server says about itself: lines of JSON, without addresses' queries, bodies, or tokens. */
import { REDACTED } from './access/logged-path.js'

/** What becomes known of a request while it is worked on. */
export type LoggedRequestFields = { id: string; token?: string }

export class ServerLog {
  readonly #write: (line: string) => void

  #secret: string | undefined

  constructor(write: (line: string) => void) {
    this.#write = write
  }

  /** A token that is in no line, wherever it comes from: errors quote what they are about. */
  hide(secret: string): void {
    this.#secret = JSON.stringify(secret).slice(1, -1)
  }

  info(event: string, fields: Record<string, unknown> = {}): void {
    this.#line('info', event, fields)
  }

  error(event: string, error: unknown, request?: string): void {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    this.#line('error', event, { error: text, ...(request === undefined ? {} : { request }) })
  }

  #line(level: string, event: string, fields: Record<string, unknown>): void {
    const line = JSON.stringify({ at: new Date().toISOString(), level, event, ...fields })
    const plain = this.#secret ? line.replaceAll(this.#secret, REDACTED) : line
    this.#write(`${plain.replace(/kdg_[\w-]{16,}/g, REDACTED)}\n`)
  }
}
