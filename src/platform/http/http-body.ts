/** The body of one HTTP response: text across chunk borders, an end that is known to be one, and a way out early. */
import type { IncomingMessage } from 'node:http'
import { yieldToEventLoopIfDue } from '../yield-to-event-loop.js'
import { HttpError } from './http.js'

/** How long the rest of an abandoned body may take to arrive before its connection is given up. */
const DRAIN_MS = 1000
/** Characters that wait for their reader; the rest waits in the connection. */
const MOST_WAITING = 65_536

export function readResponseBody(
  incoming: IncomingMessage,
  signal: AbortSignal,
  host: string,
  isBinary = false,
): { body: AsyncIterable<string>; discard(): void } {
  let failure: HttpError | undefined
  let ended = false
  let wake = () => {}

  const onAbort = () => {
    failure ??= new HttpError('aborted', host, 'aborted')
    incoming.destroy()
    wake()
  }
  /** Read as soon as it is there: what a broken connection still holds is lost. */
  let arrived = ''
  const take = () => {
    while (arrived.length < MOST_WAITING) {
      const text: unknown = incoming.read()
      if (typeof text !== 'string') return
      arrived += text
    }
  }
  const onReadable = () => {
    take()
    wake()
  }
  const finish = () => {
    signal.removeEventListener('abort', onAbort)
    wake()
  }
  incoming.setEncoding(isBinary ? 'latin1' : 'utf8')
  incoming.on('readable', onReadable)
  incoming.on('end', () => {
    ended = true
    finish()
  })
  incoming.on('error', (error) => {
    failure ??= new HttpError('connection_lost', host, 'code' in error ? String(error.code) : 'connection lost')
    finish()
  })
  incoming.on('close', () => {
    if (!ended) failure ??= new HttpError('connection_lost', host, 'closed early')
    finish()
  })
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })

  /** Reads the rest into nothing, so that the connection can serve the next request. */
  function discard(): void {
    if (ended || incoming.destroyed) return
    incoming.off('readable', onReadable)
    incoming.resume()
    const timer = setTimeout(() => incoming.destroy(), DRAIN_MS)
    timer.unref()
    incoming.on('close', () => clearTimeout(timer))
  }

  async function* chunks(): AsyncGenerator<string> {
    try {
      for (;;) {
        if (failure?.code === 'aborted') throw failure
        if (arrived === '') take()
        if (arrived !== '') {
          const turn = yieldToEventLoopIfDue()
          if (turn) await turn
          const text = arrived
          arrived = ''
          yield text
          continue
        }
        if (failure) throw failure
        if (ended) return
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    } finally {
      discard()
    }
  }

  return { body: chunks(), discard }
}
