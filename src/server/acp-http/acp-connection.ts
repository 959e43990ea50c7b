/** One client of the Agent Client Protocol over HTTP: what it posts goes in, answers and news come out, in order, for a while again. */
import type { AnyMessage } from '@agentclientprotocol/sdk/unstable'
import { isObject, type JsonObject } from '../../protocol/json.js'
import { HttpProblem } from '../api/problems.js'

/** Ends when the connection does. */
export type StartAgent = (
  stream: { readable: ReadableStream<AnyMessage>; writable: WritableStream<AnyMessage> },
  signal: AbortSignal,
) => Promise<{ close(): void }>

type News = { id: number; text: string }
type Waiting = { method: string; answer(message: JsonObject): void; fail(problem: HttpProblem): void }

/** Limits on what is kept for a client that reconnects. */
const MOST_NEWS = 10_000
const MOST_BYTES = 16_000_000

export class AcpConnection {
  readonly since = Date.now()
  readonly #end = new AbortController()
  /** Requests of the client that wait for their answer, by id. */
  readonly #waiting = new Map<string, Waiting>()
  readonly #news: News[] = []
  #bytes = 0
  #last = 0
  #wake = () => {}
  /** The last item that the stream has taken, and callbacks that wait for it to take more. */
  #taken = 0
  #onTaken = new Set<() => void>()
  /** The stream that gets what is new: there is one at a time. */
  #reader: object | undefined
  #controller: ReadableStreamDefaultController<AnyMessage> | undefined
  #lastUse = Date.now()
  #agent: Promise<{ close(): void }>
  readonly #filter: (method: string, message: JsonObject) => JsonObject

  /** `filter`: what of an answer the client may see. */
  constructor(start: StartAgent, filter: (method: string, message: JsonObject) => JsonObject) {
    this.#filter = filter
    const readable = new ReadableStream<AnyMessage>({
      start: (controller) => {
        this.#controller = controller
      },
    })
    const writable = new WritableStream<AnyMessage>({ write: (message) => this.#take({ ...message }) })
    this.#agent = start({ readable, writable }, this.#end.signal)
    // `post()` reports the failure; this only prevents an unhandled rejection.
    this.#agent.catch(() => {})
  }

  get isIdle(): boolean {
    return this.#reader === undefined && this.#waiting.size === 0
  }

  get lastUse(): number {
    return this.#lastUse
  }

  /** The answer to a request; undefined: it was none. A client that does not wait gets the answer with the news. */
  async post(message: JsonObject, signal: AbortSignal): Promise<JsonObject | undefined> {
    this.#lastUse = Date.now()
    await this.#agent
    const { id, method } = message
    if (typeof method !== 'string' || id === undefined || id === null) {
      this.#controller?.enqueue(message as AnyMessage) // checked by the library
      return undefined
    }
    const key = JSON.stringify(id)
    if (this.#waiting.has(key))
      throw new HttpProblem('invalid_request', `A request ${key.slice(0, 100)} is open already.`)
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { method, answer: resolve, fail: reject }
      this.#waiting.set(key, waiting)
      const left = () => {
        waiting.answer = (late) => this.#keep(late)
        reject(new HttpProblem('request_timeout', 'The answer comes with the events.'))
      }
      signal.addEventListener('abort', left, { once: true })
      this.#controller?.enqueue(message as AnyMessage) // checked by the library
    })
  }

  /** Throws when what follows the number is not kept. */
  check(after: number): void {
    const [oldest] = this.#news
    if (after > this.#last || (after > 0 && oldest !== undefined && after < oldest.id - 1))
      throw new HttpProblem('after_unknown', `There is nothing kept that follows ${after}.`, { last: this.#last })
  }

  /** Yields messages after a number, then new ones, as server-sent events. A later reader takes over. */
  async *read(after: number, signal: AbortSignal): AsyncGenerator<string, void> {
    const reader = {}
    this.#reader = reader
    this.#wake()
    const stop = () => this.#wake()
    signal.addEventListener('abort', stop, { once: true })
    let seen = after
    try {
      while (this.#reader === reader && !signal.aborted && !this.#end.signal.aborted) {
        const fresh = this.#news.filter(({ id }) => id > seen)
        seen = fresh.at(-1)?.id ?? seen
        if (fresh.length > 0) {
          yield fresh.map(({ id, text }) => `id: ${id}\ndata: ${text}\n\n`).join('')
          this.#hasTaken(seen)
        } else if (await this.#isQuiet()) yield ': still here\n\n'
      }
    } finally {
      this.#lastUse = Date.now()
      if (this.#reader === reader) this.#reader = undefined
      this.#hasTaken(this.#taken)
    }
  }

  /** Sessions stay: they belong to the hub. */
  end(): void {
    this.#end.abort()
    for (const { fail } of this.#waiting.values()) fail(createConnectionNotFoundProblem())
    this.#waiting.clear()
    this.#wake()
    this.#agent.then((agent) => agent.close()).catch(() => {})
  }

  /** Until something comes; true: nothing did for long. */
  #isQuiet(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(true), 15_000)
      this.#wake = () => {
        clearTimeout(timer)
        resolve(false)
      }
    })
  }

  #take(message: JsonObject): void {
    const { id, method } = message
    const key = JSON.stringify(id)
    const waiting = method === undefined ? this.#waiting.get(key) : undefined
    if (!waiting) {
      this.#keep(message)
      return
    }
    this.#waiting.delete(key)
    void this.#answer(waiting, message)
  }

  /** Sends the answer after everything that came before it, if a reader listens. */
  async #answer(waiting: Waiting, message: JsonObject): Promise<void> {
    const before = this.#last
    const isBehind = () => this.#reader !== undefined && this.#taken < before && !this.#end.signal.aborted
    while (isBehind()) {
      const isLate = await new Promise<boolean>((resolve) => {
        const timer = setTimeout(() => resolve(true), 2000)
        this.#onTaken.add(() => {
          clearTimeout(timer)
          resolve(false)
        })
      })
      if (isLate) break
    }
    waiting.answer(isObject(message['result']) ? this.#filter(waiting.method, message) : message)
  }

  #hasTaken(id: number): void {
    this.#taken = id
    const waiting = [...this.#onTaken]
    this.#onTaken.clear()
    for (const resolve of waiting) resolve()
  }

  #keep(message: JsonObject): void {
    this.#last += 1
    const text = JSON.stringify(message)
    this.#news.push({ id: this.#last, text })
    this.#bytes += text.length
    while (this.#news.length > MOST_NEWS || (this.#bytes > MOST_BYTES && this.#news.length > 1))
      this.#bytes -= this.#news.shift()?.text.length ?? 0
    this.#wake()
  }
}

export function createConnectionNotFoundProblem(): HttpProblem {
  return new HttpProblem('connection_not_found', 'There is no such connection.')
}
