/** The requests that wait for the user: one card at a time, the oldest first. */
import type { Ask, AskAnswer } from '../../protocol/session-log/ask-types.js'
import type { DiffHunk } from '../blocks/diff-lines.js'
import type { Card } from '../cards/card.js'
import { elicitationCard } from '../cards/elicitation-card.js'
import { permissionCard } from '../cards/permission-card.js'
import { planCard } from '../cards/plan-card.js'
import { questionCard } from '../cards/question-card.js'
import { signInCard } from '../cards/sign-in-card.js'
import { TypeAheadGuard } from '../cards/type-ahead-guard.js'

export type OpenAskCardsPorts = {
  cwd: string
  canBypass: boolean
  now(): number
  answer(ask: Ask, answer: AskAnswer): void
  editOutside(text: string, name: string): Promise<string | undefined>
  /** Compares two versions of a file. */
  compare(before: string, after: string): Promise<DiffHunk[]>
  /** Called when a request that needs the user is shown. */
  onShown(ask: Ask, card: Card): void
  onChange(): void
}

export class OpenAskCards {
  readonly #ports: OpenAskCardsPorts
  #waiting: readonly Ask[] = []
  /** Answered here; the log doesn't have it yet. */
  readonly #answered = new Set<string>()
  readonly gate = new TypeAheadGuard()
  #current: { ask: Ask; card: Card } | undefined

  constructor(ports: OpenAskCardsPorts) {
    this.#ports = ports
  }

  get card(): Card | undefined {
    return this.#current?.card
  }

  get count(): number {
    return this.#waiting.filter(({ id }) => !this.#answered.has(id)).length
  }

  /** `waiting`: the open requests of the session. */
  show(waiting: readonly Ask[]): void {
    if (waiting === this.#waiting) return
    this.#waiting = waiting
    const current = this.#current?.ask.id
    if (current !== undefined && !this.#isOpen(current)) this.#close(current)
    void this.#next()
  }

  clear(): void {
    this.#waiting = []
    this.#answered.clear()
    this.#current = undefined
    this.gate.hidden()
  }

  #close(id: string): void {
    if (this.#current?.ask.id !== id) return
    this.#current = undefined
    this.gate.hidden()
    this.#ports.onChange()
  }

  #isOpen(id: string): boolean {
    return !this.#answered.has(id) && this.#waiting.some((ask) => ask.id === id)
  }

  async #next(): Promise<void> {
    if (this.#current) return
    const ask = this.#waiting.find(({ id }) => !this.#answered.has(id))
    if (!ask) return
    const { preview } = ask
    const hunks =
      preview?.type === 'diff'
        ? await this.#ports.compare(preview.oldText ?? '', preview.newText).catch(() => undefined)
        : undefined
    // Meanwhile, another person might have answered.
    if (this.#current || !this.#isOpen(ask.id)) return
    const card = this.#cardOf(ask, hunks)
    this.#current = { ask, card }
    this.#ports.onShown(ask, card)
    this.gate.shown(this.#ports.now())
    this.#ports.onChange()
  }

  #cardOf(ask: Ask, hunks: DiffHunk[] | undefined): Card {
    const { cwd, canBypass, editOutside } = this.#ports
    const answer = (given: AskAnswer) => {
      this.#answered.add(ask.id)
      this.#close(ask.id)
      this.#ports.answer(ask, given)
      void this.#next()
    }
    const show = (card: Card) => {
      if (this.#current?.ask.id !== ask.id) return
      this.#current = { ask, card }
      this.#ports.onChange()
    }
    const ports = { cwd, canBypass, editOutside, answer, show, hunks }
    switch (ask.kind) {
      case 'permission':
        return permissionCard(ask, ports)
      case 'question':
        return questionCard(ask, ports)
      case 'plan':
        return planCard(ask, ports)
      case 'elicitation':
        return elicitationCard(ask, ports)
      case 'sign-in':
        return signInCard(ask, ports)
    }
  }
}
