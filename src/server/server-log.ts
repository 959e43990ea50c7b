/** What the server says about itself: lines of JSON, without addresses' queries, bodies, or tokens. */

/** What becomes known of a request while it is worked on. */
export type RequestNote = { id: string; token?: string }

export class ServerLog {
  readonly #write: (line: string) => void

  constructor(write: (line: string) => void) {
    this.#write = write
  }

  info(event: string, fields: Record<string, unknown> = {}): void {
    this.#line('info', event, fields)
  }

  error(event: string, error: unknown, request?: string): void {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    this.#line('error', event, { error: text, ...(request === undefined ? {} : { request }) })
  }

  #line(level: string, event: string, fields: Record<string, unknown>): void {
    this.#write(`${JSON.stringify({ at: new Date().toISOString(), level, event, ...fields })}\n`)
  }
}
