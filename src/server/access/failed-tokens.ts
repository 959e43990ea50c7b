/**
 * Slows down clients that guess tokens: failures are counted per address for a minute. A token that was right there
 * before still works.
 */
import { createHash } from 'node:crypto'

const WINDOW_MS = 60_000
const MOST_FAILURES = 20
/** Maximum number of addresses, and of right tokens per address. */
const MOST_KEPT = 10_000
const MOST_RIGHT = 50

type Address = { failures: number; since: number; right: Set<string> }

export class FailedTokenGuard {
  readonly #now: () => number
  readonly #addresses = new Map<string, Address>()

  constructor(now: () => number) {
    this.#now = now
  }

  /** Seconds; 0: it may be tried. */
  wait(from: string, secret: string): number {
    const address = this.#addresses.get(from)
    if (!address || address.failures < MOST_FAILURES || address.right.has(short(secret))) return 0
    return Math.max(0, Math.ceil((address.since + WINDOW_MS - this.#now()) / 1000))
  }

  note(from: string, secret: string, isRight: boolean): void {
    const now = this.#now()
    const known = this.#addresses.get(from)
    const address = known ?? { failures: 0, since: now, right: new Set() }
    if (now >= address.since + WINDOW_MS) Object.assign(address, { failures: 0, since: now })
    if (!isRight) {
      address.failures += 1
      // One that was revoked is no longer right.
      address.right.delete(short(secret))
    } else if (address.right.size < MOST_RIGHT) address.right.add(short(secret))
    if (!known && this.#addresses.size >= MOST_KEPT) {
      const [oldest = ''] = this.#addresses.keys()
      this.#addresses.delete(oldest)
    }
    this.#addresses.set(from, address)
  }
}

function short(secret: string): string {
  return createHash('sha256').update(secret).digest('base64')
}
