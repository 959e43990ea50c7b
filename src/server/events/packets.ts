/** From items to what goes over the wire: together what comes together, deltas not more often than people can see. */

export type PacketOptions<T> = {
  /** What may wait a little: more of it comes. */
  mayWait(item: T): boolean
  write(items: readonly T[]): string
  /** Sent when there was nothing to send for so long. */
  heartbeat: string
  heartbeatMs: number
  gapMs: number
  signal: AbortSignal
}

export const HEARTBEAT_MS = 15_000
/** So many items are taken ahead of a reader; then the source waits. */
const FULL = 500

/** Ends with the source or the signal. Throws what the source throws. */
export async function* packets<T>(
  source: AsyncGenerator<readonly T[], void>,
  options: PacketOptions<T>,
): AsyncGenerator<string, void> {
  const { mayWait, write, heartbeat, heartbeatMs, gapMs, signal } = options
  let items: T[] = []
  let isUrgent = false
  let end: { error?: unknown } | undefined
  let wake = () => {}
  let goOn = () => {}
  const take = async () => {
    try {
      for await (const some of source) {
        for (const item of some) items.push(item)
        isUrgent ||= !some.every(mayWait)
        wake()
        if (items.length >= FULL)
          await new Promise<void>((resolve) => {
            goOn = resolve
          })
        if (signal.aborted) break
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
    goOn()
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
      if (due > 0 && !isUrgent && !end && items.length < FULL) {
        await wait(due)
        continue
      }
      // What is being told this moment comes along.
      await new Promise(setImmediate)
      const some = items
      items = []
      isUrgent = false
      last = performance.now()
      goOn()
      yield write(some)
    }
    if (end?.error !== undefined) throw end.error
  } finally {
    signal.removeEventListener('abort', stop)
    goOn()
  }
}
