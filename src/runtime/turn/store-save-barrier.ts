/** Asks the host whether its store has all that was told so far. One question at a time answers for all who ask meanwhile. */
import type { SaveFailure } from '../../engine/ports.js'

export type StoreSaveBarrierPorts = {
  /** What the host's store says; rejects when the host does not answer any more. */
  ask(): Promise<SaveFailure | undefined>
  /** The host can be asked at all: it said so in `initialize`. */
  isAnswered(): boolean
}

export function createStoreSaveBarrier({
  ask,
  isAnswered,
}: StoreSaveBarrierPorts): () => Promise<SaveFailure | undefined> {
  let current: Promise<SaveFailure | undefined> | undefined
  /** Begins when the current one is over: what was told meanwhile may have come too late for that. */
  let next: Promise<SaveFailure | undefined> | undefined

  const begin = () => {
    // Without an answer nobody knows what is kept.
    const asked = ask().catch((): SaveFailure => 'session_store_failed')
    current = asked.finally(() => {
      current = next
      next = undefined
    })
    return current
  }
  return async () => {
    if (!isAnswered()) return undefined
    if (!current) return begin()
    next ??= current.then(begin)
    return next
  }
}
