/** Opens the search of a session by its key, shows the row that is found, and marks the words. */
import { type Signal, useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect } from 'preact/hooks'
import type { ViewItem } from '../../src/view/view-items.js'
import { usePageScope } from '../state/page-scope.js'
import type { FoundRow } from './find-bar.js'

type Session = {
  items: readonly ViewItem[]
  scroller: RefObject<HTMLDivElement | null>
  showRow(index: number): void
}

export type FindBarState = {
  isOpen: Signal<boolean>
  found: Signal<FoundRow | undefined>
  onFound(found: FoundRow | undefined): void
  close(): void
}

export function useSessionSearch({ items, scroller, showRow }: Session): FindBarState {
  const { root, unfolded } = usePageScope()
  const isOpen = useSignal(false)
  const found = useSignal<FoundRow | undefined>(undefined)
  useEffect(() => {
    const open = (event: Event) => {
      if (!(event instanceof KeyboardEvent) || event.key.toLowerCase() !== 'f') return
      if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
      if (event.defaultPrevented || document.querySelector('dialog[open]')) return
      event.preventDefault()
      isOpen.value = true
    }
    root.addEventListener('keydown', open)
    return () => root.removeEventListener('keydown', open)
  }, [root])
  // What is drawn changes with every scroll.
  useLayoutEffect(() => {
    if (!isOpen.value && !found.value) return
    void import('./find-bar.js').then(({ markWords }) => markWords(scroller.current, found.value?.words))
  })
  const onFound = (row: FoundRow | undefined) => {
    found.value = row
    const item = row && items[row.index]
    if (!item) return
    if (item.kind === 'tool' || item.kind === 'thinking')
      unfolded.value = new Map([...unfolded.value, [item.key, true]])
    showRow(row.index)
  }
  const close = () => {
    found.value = undefined
    isOpen.value = false
    scroller.current?.focus({ preventScroll: true })
  }
  return { isOpen, found, onFound, close }
}
