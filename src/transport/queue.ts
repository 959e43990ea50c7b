/** An async queue with a high-water mark: the producer may wait, the consumer iterates. Reads are served in order. */

export interface AsyncQueue<T> extends AsyncIterable<T> {
  /** A promise when the consumer is behind; the item is queued in any case. Ignored after the end. */
  push(item: T): void | Promise<void>
  /** The consumer gets what is queued, then the end (or the error). The first call counts. */
  end(error?: unknown): void
  readonly size: number
  readonly ended: boolean
}

export function createQueue<T>(highWater = Number.POSITIVE_INFINITY): AsyncQueue<T> {
  let items: T[] = []
  let head = 0
  let ended = false
  let failure: { error: unknown } | undefined
  const waiting: { resolve(result: IteratorResult<T, undefined>): void; reject(error: unknown): void }[] = []
  let drained: (() => void)[] = []

  const done = { value: undefined, done: true } as const
  const size = () => items.length - head

  const release = () => {
    if (drained.length === 0 || (size() > highWater / 2 && !ended)) return
    const resolvers = drained
    drained = []
    for (const resolve of resolvers) resolve()
  }

  const take = (): T | undefined => {
    const item = items[head]
    head += 1
    // Shift in blocks: shifting one by one is quadratic for long queues.
    if (head > 1024 && head * 2 > items.length) {
      items = items.slice(head)
      head = 0
    }
    return item
  }

  const next = (): Promise<IteratorResult<T, undefined>> => {
    if (size() > 0) {
      // The size was just checked: there is an item, which may itself be undefined.
      const value = take() as T
      release()
      return Promise.resolve({ value, done: false })
    }
    if (failure) {
      const { error } = failure
      failure = undefined
      return Promise.reject(error)
    }
    if (ended) return Promise.resolve(done)
    return new Promise((resolve, reject) => waiting.push({ resolve, reject }))
  }

  return {
    push(item) {
      if (ended) return
      const reader = waiting.shift()
      if (reader) return reader.resolve({ value: item, done: false })
      items.push(item)
      if (size() > highWater) return new Promise((resolve) => drained.push(resolve))
    },
    end(error) {
      if (ended) return
      ended = true
      release()
      const [first, ...rest] = waiting.splice(0)
      if (error !== undefined && !first) failure = { error }
      if (error === undefined) first?.resolve(done)
      else first?.reject(error)
      for (const reader of rest) reader.resolve(done)
    },
    get size() {
      return size()
    },
    get ended() {
      return ended
    },
    [Symbol.asyncIterator]: () => ({ next }),
  }
}
