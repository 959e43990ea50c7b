/** A session for React, which takes what is the same object as unchanged: each item that changes becomes another object. */
import type { LiveView, ViewChange, ViewItem, ViewSnapshot } from '../public-client.js'

/** What a component reads and listens to. */
export type ReactStore<V> = {
  read(): V
  subscribe(listener: () => void): () => void
}

export function createViewStore(view: LiveView): ReactStore<ViewSnapshot> {
  const copies = createItemCopies()
  let from = view.value
  let shown: ViewSnapshot = { ...from, items: copies.of(from.items) }
  const show = (value: ViewSnapshot, changes: readonly ViewChange[]) => {
    for (const { item } of changes) copies.drop(item)
    const isSame = changes.length === 0 && value.items === from.items
    from = value
    shown = { ...value, items: isSame ? shown.items : copies.of(value.items) }
  }
  return {
    read: () => shown,
    subscribe: (listener) =>
      view.subscribe((value, changes) => {
        // The first listener copies; the others find it done.
        if (value !== from) show(value, changes)
        listener()
      }),
  }
}

type ItemCopies = { of(items: readonly ViewItem[]): ViewItem[]; drop(item: ViewItem): void }

function createItemCopies(): ItemCopies {
  const copies = new WeakMap<ViewItem, ViewItem>()
  /** Calls whose sub-agents have items of their own. */
  const calls = new Map<string, ViewItem>()
  const copyOf = (item: ViewItem): ViewItem => {
    const known = copies.get(item)
    if (known) return known
    const copy = item.kind === 'tool' ? { ...item, children: item.children.map(copyOf) } : { ...item }
    if (item.kind === 'tool') calls.set(item.useId, item)
    copies.set(item, copy)
    return copy
  }
  return {
    of: (items) => items.map(copyOf),
    drop(item) {
      for (let one: ViewItem | undefined = item; one; one = calls.get(one.parent)) copies.delete(one)
    },
  }
}
