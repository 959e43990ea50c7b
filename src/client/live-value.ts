/** A value that is kept current while somebody listens: it loads, follows a stream, and connects again on its own. */
import { toError } from '../protocol/thrown.js'
import { ClientError, isFinalError } from './client-errors.js'
import type { CallOptions, ConnectionState } from './client-types.js'
import { type Backoff, backoffDelay, waitOrPageWake } from './wait-and-wake.js'

/** How current a live value is. */
export type LiveState = {
  /** Whether everything is in it that was there when it was opened. */
  readonly isReady: boolean
  /** `ended`: the server rejects it, and `error` is why. Call `restart()` after that is fixed. */
  readonly connection: ConnectionState | 'ended'
  /** Why the connection is lost or ended. */
  readonly error: ClientError | Error | undefined
}

/** A value that is always current. It's connected while it has listeners. */
export type LiveValue<V, C extends unknown[]> = {
  /** What there is now. A later value is another object. */
  readonly value: V
  /** Calls `listener` after each change. Returns what ends that. */
  subscribe(listener: (value: V, ...changes: C) => void): () => void
  /** Resolves when `test` is true for the value, now or later. Rejects if the server ends it first. */
  until(test: (value: V) => boolean, options?: CallOptions): Promise<V>
  /** Connects again after an error. */
  restart(): void
}

export type LivePorts<V> = {
  backoff: Backoff
  snapshot(state: LiveState): V
  /** Loads what there is, then follows. Throws if that can't continue. */
  follow(signal: AbortSignal): Promise<void>
  /** Drops what was loaded: the server's log is another one, because an older state was restored. */
  forget(): void
}

/** A live value, for those who make it. */
export type LiveValueController<V, C extends unknown[]> = {
  live: LiveValue<V, C>
  /** Makes a value and calls the listeners. */
  tell(...changes: C): void
  /** Changes how current it is, without calling the listeners. */
  setState(change: Partial<LiveState>): void
  /** The stream brought something: it and what was loaded are of one log. */
  heard(): void
}

export function createLiveValue<V extends LiveState, C extends unknown[]>(
  ports: LivePorts<V>,
  noChanges: C,
): LiveValueController<V, C> {
  const listeners = new Set<(value: V, ...changes: C) => void>()
  let state: LiveState = { isReady: false, connection: 'connecting', error: undefined }
  let value = ports.snapshot(state)
  let running: AbortController | undefined
  let isForgotten = false

  const setState = (change: Partial<LiveState>) => {
    state = { ...state, ...change }
  }
  const tell = (...changes: C) => {
    value = ports.snapshot(state)
    for (const listener of [...listeners]) listener(value, ...changes)
  }
  const run = async (signal: AbortSignal) => {
    for (let failures = 0; ; failures += 1) {
      try {
        return await ports.follow(signal)
      } catch (error) {
        if (signal.aborted) return
        const isAnother = error instanceof ClientError && error.code === 'after_unknown'
        // Twice in a row, the log and the stream contradict each other: what there is stays.
        if (isAnother && !isForgotten) {
          isForgotten = true
          setState({ isReady: false })
          ports.forget()
        } else {
          const isOver = !(error instanceof ClientError) || isFinalError(error) || error.code === 'client_ended'
          setState({ connection: isOver ? 'ended' : 'lost', error: toError(error) })
          tell(...noChanges)
          if (isOver) return
        }
        await waitOrPageWake(backoffDelay(ports.backoff, failures), signal).catch(() => {})
      }
    }
  }
  const start = () => {
    running?.abort()
    running = new AbortController()
    setState({ connection: 'connecting', error: undefined })
    value = ports.snapshot(state)
    void run(running.signal)
  }
  const live: LiveValue<V, C> = {
    get value() {
      return value
    },
    subscribe(listener) {
      // The same function can listen twice.
      const own: typeof listener = (...given) => listener(...given)
      listeners.add(own)
      if (listeners.size === 1) start()
      return () => {
        if (listeners.delete(own) && listeners.size === 0) running?.abort()
      }
    },
    until: (test, options) => waitFor(live, test, options),
    restart() {
      if (listeners.size > 0) start()
    },
  }
  return {
    live,
    tell,
    setState,
    heard() {
      isForgotten = false
    },
  }
}

function waitFor<V extends LiveState, C extends unknown[]>(
  live: LiveValue<V, C>,
  test: (value: V) => boolean,
  { signal }: CallOptions = {},
): Promise<V> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const end = (settle: () => void) => {
      leave()
      signal?.removeEventListener('abort', abort)
      settle()
    }
    const look = (value: V, ..._changes: unknown[]) => {
      if (value.isReady && test(value)) end(() => resolve(value))
      else if (value.connection === 'ended') end(() => reject(value.error))
    }
    const abort = () => end(() => reject(signal?.reason))
    signal?.addEventListener('abort', abort, { once: true })
    const leave = live.subscribe(look)
    look(live.value)
  })
}
