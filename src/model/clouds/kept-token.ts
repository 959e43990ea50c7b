/** A token that ends: kept until shortly before, and fetched once however many ask for it at a time. */
import type { Clock } from '../../platform/clock.js'

export type Token = { token: string; from: string; expiresAt?: number | undefined }
export type TokenSearch<Found extends Token = Token> = Found | { reason: string }

export interface KeptToken<Found extends Token = Token> {
  current(signal: AbortSignal): Promise<TokenSearch<Found>>
  /** It was refused: the next one is fetched anew. */
  forget(): void
}

const BEFORE_END_MS = 300_000
const KEPT_MS = 3_000_000

export function keepToken<Found extends Token>(
  clock: Pick<Clock, 'now'>,
  fetch: (signal: AbortSignal) => Promise<TokenSearch<Found>>,
): KeptToken<Found> {
  let kept: { answer: Promise<TokenSearch<Found>>; at: number } | undefined
  return {
    async current(signal) {
      const before = await kept?.answer
      const end = before && 'token' in before ? (before.expiresAt ?? (kept?.at ?? 0) + KEPT_MS) : 0
      if (clock.now() >= end - BEFORE_END_MS) kept = undefined
      kept ??= { answer: fetch(signal), at: clock.now() }
      return kept.answer
    },
    forget() {
      kept = undefined
    },
  }
}
