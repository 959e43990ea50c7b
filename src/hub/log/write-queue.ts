/** Writes what is added, in order. What comes while something is being written is written together after it. */
import { toError } from '../../protocol/thrown.js'

export class WriteQueue<T> {
  readonly #write: (items: T[]) => Promise<void>
  /** Nothing more is written. Called once. */
  readonly #onBroken: (error: Error) => void
  #pending: T[] = []
  #writing: Promise<void> | undefined
  broken: Error | undefined

  constructor(write: (items: T[]) => Promise<void>, onBroken: (error: Error) => void) {
    this.#write = write
    this.#onBroken = onBroken
  }

  get isWriting(): boolean {
    return this.#writing !== undefined
  }

  add(item: T): void {
    if (this.broken) return
    this.#pending.push(item)
    this.#writing ??= this.#writeAll()
  }

  /** Resolves when all that was added is written; rejects when that can't be. */
  async flushed(): Promise<void> {
    while (this.#writing) await this.#writing
    if (this.broken) throw this.broken
  }

  async #writeAll(): Promise<void> {
    // A tick later: what is added together is written together.
    await Promise.resolve()
    try {
      while (this.#pending.length > 0) await this.#write(this.#pending.splice(0))
    } catch (error) {
      this.broken = toError(error)
    }
    this.#writing = undefined
    if (this.broken) this.#onBroken(this.broken)
  }
}
