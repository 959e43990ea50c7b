/** The view of a session as signals: what changes in it is drawn again, and nothing else. */
import { batch, type Signal, signal } from '@preact/signals'
import type { ViewSnapshot } from '../../src/client/live-view.js'
import { EMPTY_VIEW_FACTS } from '../../src/view/empty-view-facts.js'
import type { ViewChange, ViewItem } from '../../src/view/view-items.js'
import { T } from '../texts.js'

const revs = new WeakMap<ViewItem, Signal<number>>()

/** Returns a signal that changes with the item: what reads its value is drawn again. */
export function revisionSignalOfItem(item: ViewItem): Signal<number> {
  const rev = revs.get(item) ?? signal(0)
  revs.set(item, rev)
  return rev
}

type ShownSession = Pick<ViewSnapshot, 'items' | 'facts' | 'waitingPrompts' | 'requests' | 'tasks' | 'activity' | 'seq'>

export class SessionSignals {
  #items: readonly ViewItem[] = []
  #seq = 0
  /** Calls whose sub-agents have items of their own. */
  readonly #calls = new Map<string, ViewItem>()
  /** Changes when the list has other items than before. */
  readonly rev = signal(0)
  readonly facts = signal(EMPTY_VIEW_FACTS)
  readonly waiting: Signal<ShownSession['waitingPrompts']> = signal([])
  readonly openAsks: Signal<ShownSession['requests']> = signal([])
  readonly tasks: Signal<ShownSession['tasks']> = signal([])
  readonly activity: Signal<ShownSession['activity']> = signal([])
  /** Something to be read out. */
  readonly said = signal('')

  get items(): readonly ViewItem[] {
    return this.#items
  }

  get seq(): number {
    return this.#seq
  }

  /** The session shows this now, after these changes of its items. */
  show(shown: ShownSession, changes: readonly ViewChange[]): void {
    this.#items = shown.items
    this.#seq = shown.seq
    batch(() => {
      for (const { item, what } of changes) this.#note(item, what)
      this.facts.value = shown.facts
      this.waiting.value = shown.waitingPrompts
      this.openAsks.value = shown.requests
      this.tasks.value = shown.tasks
      this.activity.value = shown.activity
    })
  }

  #note(item: ViewItem, what: ViewChange['what']): void {
    if (what === 'added' || what === 'removed') {
      if (item.kind === 'tool' && what === 'added') this.#calls.set(item.useId, item)
      const parent = this.#calls.get(item.parent)
      const list = parent ? revisionSignalOfItem(parent) : this.rev
      list.value += 1
    } else revisionSignalOfItem(item).value += 1
    if (item.kind === 'turn') this.said.value = T.turnOver
    else if (item.kind === 'text' && item.parent === '' && !item.isLive)
      this.said.value = item.text.slice(0, 600).replace(/[*_`#|]+/g, ' ')
  }
}
