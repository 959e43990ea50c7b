/** Readers that currently follow events: counted, limited, and cut off when they lose access. */
import type { Caller } from '../access/access-tokens.js'
import { HttpProblem } from '../api/problems.js'

export type ReaderLimits = { maxReaders: number; maxReadersPerSession: number }
/** One reader of an event stream. */
export type OpenEventReader = { signal: AbortSignal; close(): void }

type Open = { caller: Caller; session: string; controller: AbortController }

export class EventReaders {
  readonly #limits: ReaderLimits
  readonly #open = new Set<Open>()
  readonly #perSession = new Map<string, number>()

  constructor(limits: ReaderLimits) {
    this.#limits = limits
  }

  get count(): number {
    return this.#open.size
  }

  /** Throws when there are too many. */
  open(caller: Caller, session: string): OpenEventReader {
    const { maxReaders, maxReadersPerSession } = this.#limits
    const count = this.#perSession.get(session) ?? 0
    if (this.#open.size >= maxReaders || count >= maxReadersPerSession)
      throw new HttpProblem('too_many_readers', 'Too many streams are open.', { headers: { 'retry-after': '5' } })
    const reader: Open = { caller, session, controller: new AbortController() }
    this.#open.add(reader)
    this.#perSession.set(session, count + 1)
    const close = () => {
      reader.controller.abort()
      if (!this.#open.delete(reader)) return
      const left = (this.#perSession.get(session) ?? 1) - 1
      if (left === 0) this.#perSession.delete(session)
      else this.#perSession.set(session, left)
    }
    return { signal: reader.controller.signal, close }
  }

  /** Ends the streams of a token that is no longer valid. */
  cutOff(token: string): void {
    for (const { caller, controller } of this.#open) if (caller.id === token) controller.abort()
  }

  end(): void {
    for (const { controller } of this.#open) controller.abort()
  }
}
