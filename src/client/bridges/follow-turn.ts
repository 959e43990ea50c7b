/** Follows a turn in a live view for as long as somebody reads: a slow reader gets less often more. */
import type { ClientSession, ViewSnapshot } from '../public-client.js'
import { noticeSentence, type TurnEvent } from './turn-events.js'
import type { TurnReader } from './turn-reader.js'

export type FollowTurnOptions = {
  /** Ends it. The turn continues. */
  signal?: AbortSignal | undefined
  /** A connection that is lost for this long ends the stream with an error, in milliseconds. Default: 30 000. */
  lostAfterMs?: number | undefined
  /** Returns the words for an error of the connection to Kedge's server. Default: its message and fix, with the address. */
  describeError?: ((error: Error) => string) | undefined
}

/** Returns an error as a sentence, with its fix. */
export function errorSentence(error: Error): string {
  const fix = 'fix' in error && typeof error.fix === 'string' ? { fix: error.fix } : {}
  return noticeSentence({ text: error.message, ...fix })
}

export type TurnStep = { events: readonly TurnEvent[]; value: ViewSnapshot }

const LOST_AFTER_MS = 30_000

/** The session, as far as a turn needs it. */
export type TurnSource = Pick<ClientSession, 'id' | 'view' | 'info'>

export async function* followTurn(
  session: TurnSource,
  reader: TurnReader,
  { signal, lostAfterMs = LOST_AFTER_MS }: FollowTurnOptions = {},
): AsyncGenerator<TurnStep, void> {
  const view = session.view()
  try {
    // A view that wasn't connected shows an earlier state.
    if (reader.since === undefined) reader.since = (await session.info({ signal })).seq
  } catch (error) {
    if (signal?.aborted) return
    return yield { events: reader.giveUp(error), value: view.value }
  }
  let wake = () => {}
  let hasNews = true
  let isGivenUp = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const news = () => {
    hasNews = true
    wake()
  }
  const giveUp = () => {
    isGivenUp = true
    news()
  }
  const watch = ({ connection }: ViewSnapshot) => {
    if (connection === 'lost') timer ??= setTimeout(giveUp, lostAfterMs)
    else if (connection === 'live') {
      clearTimeout(timer)
      timer = undefined
    }
  }
  const leave = view.subscribe((value, changes) => {
    reader.note(changes)
    watch(value)
    news()
  })
  signal?.addEventListener('abort', news, { once: true })
  try {
    while (!reader.isOver && !signal?.aborted) {
      hasNews = false
      const { value } = view
      const events = isGivenUp ? reader.giveUp(value.error) : reader.read(value)
      if (events.length > 0) yield { events, value }
      if (reader.isOver || signal?.aborted) return
      // Changes that come together are read together.
      await new Promise<void>((resolve) => {
        wake = resolve
        if (hasNews) resolve()
      })
    }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', news)
    leave()
  }
}
