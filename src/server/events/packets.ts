/** From items to what goes over the wire: together what comes together, deltas not more often than people can see. */

export type PacketOptions<T> = {
  /** What may wait a little: more of it comes. */
  mayWait(item: T): boolean
  /** About how many bytes of memory it takes. */
  sizeOf(item: T): number
  write(items: readonly T[]): string
  /** Sent after `heartbeatMs` without anything to send. */
  heartbeat: string
  heartbeatMs: number
  gapMs: number
  signal: AbortSignal
}

export const HEARTBEAT_MS = 15_000
/** This much is taken ahead of a reader, and what the source gives at a time. Then the source waits. A packet has no more bytes. */
const FULL = { items: 500, bytes: 64 * 1024 }

/** Ends with the source or the signal. Throws what the source throws. */
export async function* packItems<T>(
  source: AsyncGenerator<readonly T[], void>,
  options: PacketOptions<T>,
): AsyncGenerator<string, void> {
  const { mayWait, sizeOf, write, heartbeat, heartbeatMs, gapMs, signal } = options
  const items: T[] = []
  let bytes = 0
  let isUrgent = false
  let end: { error?: unknown } | undefined
  let wake = () => {}
  let resumeReading = () => {}
  /** The reader takes no more. */
  let isLeft = false
  const isFull = () => items.length >= FULL.items || bytes >= FULL.bytes
  const take = async () => {
    try {
      for await (const some of source) {
        for (const item of some) {
          items.push(item)
          bytes += sizeOf(item)
        }
        isUrgent ||= !some.every(mayWait)
        wake()
        while (isFull() && !signal.aborted && !isLeft)
          await new Promise<void>((resolve) => {
            resumeReading = resolve
          })
        if (signal.aborted || isLeft) break
      }
      end = {}
    } catch (error) {
      end = { error }
    }
    wake()
  }
  /** Until something came, or the time is up. */
  const wait = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const stop = () => {
    wake()
    resumeReading()
  }
  signal.addEventListener('abort', stop, { once: true })
  void take()
  try {
    let last = Number.NEGATIVE_INFINITY
    while (!signal.aborted) {
      if (items.length === 0) {
        if (end) break
        const before = performance.now()
        await wait(heartbeatMs)
        if (items.length === 0 && !end && performance.now() - before >= heartbeatMs - 1) yield heartbeat
        continue
      }
      const due = last + gapMs - performance.now()
      if (due > 0 && !isUrgent && !end && !isFull()) {
        await wait(due)
        continue
      }
      // Waits for items of the same moment, which are sent together.
      await new Promise(setImmediate)
      const { count, size } = portionOf(items, sizeOf)
      const some = items.splice(0, count)
      bytes -= size
      if (items.length === 0) isUrgent = false
      last = performance.now()
      resumeReading()
      yield write(some)
    }
    if (end?.error !== undefined) throw end.error
  } finally {
    signal.removeEventListener('abort', stop)
    isLeft = true
    resumeReading()
  }
}

/** The items of one packet: the first, and as many more as fit. */
function portionOf<T>(items: readonly T[], sizeOf: (item: T) => number): { count: number; size: number } {
  let size = 0
  let count = 0
  for (const item of items) {
    const more = sizeOf(item)
    if (count > 0 && size + more > FULL.bytes) break
    size += more
    count += 1
  }
  return { count, size }
}
