/**
 * Keeps keys that were typed ahead from answering. A card takes keys only after it has been on the screen for a while
 * without typing, and never while the prompt contains text, until the user opens it with Tab.
 */

/** Longer than a key takes through a slow line, and shorter than it takes to read a question. */
export const TYPE_AHEAD_QUIET_MS = 600

export class TypeAheadGuard {
  #shownAt: number | undefined
  #lastKey = Number.NEGATIVE_INFINITY
  #isOpen = false

  /** A question is on the screen from now on. */
  shown(now: number): void {
    this.#shownAt = now
    this.#isOpen = false
  }

  hidden(): void {
    this.#shownAt = undefined
    this.#isOpen = false
  }

  /** Whether this key can answer. `hasDraft`: the user is writing something else. */
  admits(now: number, id: string, hasDraft: boolean): boolean {
    const since = Math.max(this.#shownAt ?? Number.POSITIVE_INFINITY, this.#lastKey)
    const isQuiet = now - since >= TYPE_AHEAD_QUIET_MS
    this.#lastKey = now
    if (this.#shownAt === undefined) return false
    if (this.#isOpen) return true
    if (!isQuiet) return false
    if (hasDraft && id !== 'tab') return false
    this.#isOpen = true
    // With something in the prompt, Tab only turns to the question.
    return !hasDraft
  }

  /** Closes the gate, because the user began to write something else. */
  turnAway(): void {
    this.#isOpen = false
  }

  get isOpen(): boolean {
    return this.#isOpen
  }
}
