/** An async queue with a high-water mark: the producer may wait, the consumer iterates. Reads are served in order. */

export interface AsyncQueue<T> extends AsyncIterable<T> {
  /** A promise when the consumer is behind; the item is queued in any case. Ignored after the end. */
  push(item: T): void | Promise<void>
  /** The consumer gets what is queued, then the end (or the error). The first call counts. */
  end(error?: unknown): void
  readonly size: number
  readonly ended: boolean
}

export function createAsyncQueue<T>(highWater = Number.POSITIVE_INFINITY): AsyncQueue<T> {
  return new Queue<T>(highWater)
}

const DONE = { value: undefined, done: true } as const

type Reader<T> = { resolve(result: IteratorResult<T, undefined>): void; reject(error: unknown): void }

/** A class because every session has several: its methods are there once, not once a queue. */
class Queue<T> implements AsyncQueue<T> {
  ended = false
  #items: T[] = []
  #head = 0
  #failure: { error: unknown } | undefined
  #readers: Reader<T>[] = []
  #waitingWriters: (() => void)[] = []
  readonly #highWater: number

  constructor(highWater: number) {
    this.#highWater = highWater
  }

  get size(): number {
    return this.#items.length - this.#head
  }

  push(item: T): void | Promise<void> {
    if (this.ended) return
    const reader = this.#readers.shift()
    if (reader) return reader.resolve({ value: item, done: false })
    this.#items.push(item)
    if (this.size > this.#highWater) return new Promise((resolve) => this.#waitingWriters.push(resolve))
  }

  end(error?: unknown): void {
    if (this.ended) return
    this.ended = true
    this.#releaseWriters()
    const [first, ...rest] = this.#readers.splice(0)
    if (error !== undefined && !first) this.#failure = { error }
    if (error === undefined) first?.resolve(DONE)
    else first?.reject(error)
    for (const reader of rest) reader.resolve(DONE)
  }

  [Symbol.asyncIterator](): AsyncIterator<T, undefined> {
    return { next: () => this.#next() }
  }

  #next(): Promise<IteratorResult<T, undefined>> {
    if (this.size > 0) {
      // The size was just checked: there is an item, which may itself be undefined.
      const value = this.#take() as T
      this.#releaseWriters()
      return Promise.resolve({ value, done: false })
    }
    if (this.#failure) {
      const { error } = this.#failure
      this.#failure = undefined
      return Promise.reject(error)
    }
    if (this.ended) return Promise.resolve(DONE)
    return new Promise((resolve, reject) => this.#readers.push({ resolve, reject }))
  }

  #take(): T | undefined {
    const item = this.#items[this.#head]
    this.#head += 1
    // Shift in blocks: shifting one by one is quadratic for long queues. What was read is not kept for longer than that.
    if (this.size === 0 || (this.#head > 1024 && this.#head * 2 > this.#items.length)) {
      this.#items = this.#items.slice(this.#head)
      this.#head = 0
    }
    return item
  }

  #releaseWriters(): void {
    if (this.#waitingWriters.length === 0 || (this.size > this.#highWater / 2 && !this.ended)) return
    const writers = this.#waitingWriters
    this.#waitingWriters = []
    for (const resolve of writers) resolve()
  }
}
