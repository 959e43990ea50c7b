/** Calls one hook of the host, with a limit on its time. */

export type CallbackPorts = {
  /** Rejects when the callback threw, the connection is gone or `signal` aborted. */
  invoke(signal: AbortSignal): Promise<unknown>
  after(ms: number, callback: () => void): () => void
}

export type CallbackEnd = { answer: unknown } | { timedOutAfter: number } | { cancelled: true } | { threw: string }

export async function runCallback(seconds: number, ports: CallbackPorts, signal: AbortSignal): Promise<CallbackEnd> {
  const cancel = new AbortController()
  let late = false
  const stop = ports.after(seconds * 1000, () => {
    late = true
    cancel.abort()
  })
  const follow = () => cancel.abort()
  signal.addEventListener('abort', follow, { once: true })
  try {
    return { answer: await ports.invoke(cancel.signal) }
  } catch (error) {
    if (late) return { timedOutAfter: seconds }
    if (cancel.signal.aborted) return { cancelled: true }
    return { threw: error instanceof Error ? error.message : String(error) }
  } finally {
    stop()
    signal.removeEventListener('abort', follow)
  }
}
