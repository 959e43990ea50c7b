/** The view of a session as signals: what changes in it is drawn again, and nothing else. */
import { batch, type Signal, signal } from '@preact/signals'
import { addTranscript, applyToView, dropUnfinished } from '../../src/hub/view/session-view.js'
import type { ViewChange, ViewItem } from '../../src/hub/view/view-items.js'
import { createSessionView } from '../../src/hub/view/view-state.js'
import { T } from '../texts.js'
import type { LogItem, SessionMessage } from '../wire/wire-types.js'

const revs = new WeakMap<ViewItem, Signal<number>>()

/** Returns a signal that changes with the item: what reads its value is drawn again. */
export function revOf(item: ViewItem): Signal<number> {
  const rev = revs.get(item) ?? signal(0)
  revs.set(item, rev)
  return rev
}

export class SessionSignals {
  readonly #view = createSessionView()
  /** Changes when the list has other items than before. */
  readonly rev = signal(0)
  readonly facts = signal(this.#view.facts)
  readonly waiting = signal(this.#view.waitingPrompts)
  readonly openAsks = signal(this.#view.openRequests)
  readonly tasks = signal(this.#view.tasks)
  readonly activity = signal(this.#view.activity)
  /** Something to be read out. */
  readonly said = signal('')

  get items(): readonly ViewItem[] {
    return this.#view.items
  }

  get seq(): number {
    return this.#view.seq
  }

  add(items: readonly LogItem[]): void {
    batch(() => {
      for (const item of items) this.#show(applyToView(this.#view, item))
      this.facts.value = this.#view.facts
      this.waiting.value = this.#view.waitingPrompts
      this.openAsks.value = this.#view.openRequests
      this.tasks.value = this.#view.tasks
      this.activity.value = this.#view.activity
    })
  }

  /** The transcript from before the log, above everything else. */
  addHistory(page: { messages: readonly SessionMessage[]; earlier: number }): void {
    batch(() => this.#show(addTranscript(this.#view, page)))
  }

  /** What was under way comes again, from its beginning. */
  dropLive(): void {
    batch(() => this.#show(dropUnfinished(this.#view)))
  }

  #call(useId: string): ViewItem | undefined {
    return this.#view.open.calls.get(useId)
  }

  #show(changes: readonly ViewChange[]): void {
    for (const { item, what } of changes) {
      if (what === 'added' || what === 'removed') {
        const parent = this.#call(item.parent)
        const list = parent ? revOf(parent) : this.rev
        list.value += 1
      } else revOf(item).value += 1
      if (item.kind === 'turn') this.said.value = T.turnOver
      else if (item.kind === 'text' && item.parent === '' && !item.isLive)
        this.said.value = item.text.slice(0, 600).replace(/[*_`#|]+/g, ' ')
    }
  }
}
