/** A credential that ends: kept until shortly before, and looked for once however many ask for it at a time. */
import type { Clock } from '../../platform/clock.js'

/** `expiresAt` in milliseconds since the epoch. */
export type CredentialExpiry = { from: string; expiresAt?: number | undefined }
export type CredentialSearchOutcome<Found> = Found | { reason: string }

export type BearerToken = CredentialExpiry & { token: string }

export interface CachedCredential<Found> {
  current(signal: AbortSignal): Promise<CredentialSearchOutcome<Found>>
  /** It was refused: the next one is looked for anew. */
  forget(): void
}

const BEFORE_END_MS = 300_000
const KEPT_MS = 3_600_000

export function cacheCredential<Found extends CredentialExpiry>(
  clock: Pick<Clock, 'now'>,
  find: (signal: AbortSignal) => Promise<CredentialSearchOutcome<Found>>,
  { keepsNothing = false }: { keepsNothing?: boolean } = {},
): CachedCredential<Found> {
  let kept: { search: Promise<CredentialSearchOutcome<Found>>; at: number; signal: AbortSignal } | undefined
  return {
    async current(signal) {
      for (;;) {
        const isNew = kept === undefined
        const running = kept ?? { search: find(signal), at: clock.now(), signal }
        kept = running
        const found = await running.search
        if (!('reason' in found)) {
          const end = (found.expiresAt ?? running.at + KEPT_MS) - BEFORE_END_MS
          if (isNew || (clock.now() < end && !keepsNothing)) return found
        } else if (isNew || !running.signal.aborted) {
          // Not kept: the next request looks again.
          if (kept === running) kept = undefined
          return found
        }
        // It has ended, or who looked for it went away meanwhile.
        if (kept === running) kept = undefined
      }
    },
    forget() {
      kept = undefined
    },
  }
}
