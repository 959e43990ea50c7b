/** Calls one hook of the host, with a limit on its time. */
import { messageOf } from '../protocol/thrown.js'
import type { Subscribe } from './listeners.js'

export type CallbackRunPorts = {
  /** Rejects when the callback threw, the connection is gone or `signal` aborted. */
  invoke(signal: AbortSignal): Promise<unknown>
  after(ms: number, callback: () => void): () => void
}

export type CallbackEnd = { answer: unknown } | { timedOutAfter: number } | { canceled: true } | { threw: string }

export async function runCallback(seconds: number, ports: CallbackRunPorts, onAbort: Subscribe): Promise<CallbackEnd> {
  const cancel = new AbortController()
  let late = false
  const stop = ports.after(seconds * 1000, () => {
    late = true
    cancel.abort()
  })
  const unsubscribe = onAbort(() => cancel.abort())
  try {
    return { answer: await ports.invoke(cancel.signal) }
  } catch (error) {
    if (late) return { timedOutAfter: seconds }
    if (cancel.signal.aborted) return { canceled: true }
    return { threw: messageOf(error) }
  } finally {
    stop()
    unsubscribe()
  }
}
