/** A `ReadableStream` of what an async generator yields: read when somebody asks for more, ended when nobody does. */

export function streamOfGenerator<S, C>(
  read: (signal: AbortSignal) => AsyncGenerator<S, void>,
  translate: (step: S) => readonly C[],
  given?: AbortSignal,
): ReadableStream<C> {
  const ended = new AbortController()
  const end = () => ended.abort()
  if (given?.aborted) end()
  given?.addEventListener('abort', end, { once: true })
  const steps = read(ended.signal)
  const release = () => given?.removeEventListener('abort', end)
  return new ReadableStream<C>({
    async pull(controller) {
      for (;;) {
        const { value, done } = await steps.next()
        if (done) {
          release()
          return controller.close()
        }
        const chunks = translate(value)
        for (const chunk of chunks) controller.enqueue(chunk)
        if (chunks.length > 0) return
      }
    },
    async cancel() {
      release()
      end()
      await steps.return()
    },
  })
}

const KEEP_ALIVE_MS = 15_000

/** Returns the stream as server-sent events. A comment every 15 seconds keeps proxies from ending a quiet one. */
export function toServerSentEvents(stream: ReadableStream<object>, last?: string): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const reader = stream.getReader()
  let timer: ReturnType<typeof setInterval> | undefined
  const stop = () => clearInterval(timer)
  return new ReadableStream<Uint8Array>({
    start(controller) {
      timer = setInterval(() => controller.enqueue(encoder.encode(': waiting\n\n')), KEEP_ALIVE_MS)
    },
    async pull(controller) {
      const { value, done } = await reader.read().catch((error: unknown) => {
        stop()
        throw error
      })
      if (!done) return controller.enqueue(encoder.encode(`data: ${JSON.stringify(value)}\n\n`))
      stop()
      if (last !== undefined) controller.enqueue(encoder.encode(`data: ${last}\n\n`))
      controller.close()
    },
    async cancel(reason) {
      stop()
      await reader.cancel(reason)
    },
  })
}
