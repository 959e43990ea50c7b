/** Keeps the end of a conversation in sight as items arrive, until the user scrolls up. */
import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { ROOT_MOVED_EVENT, usePageScope } from '../state/page-scope.js'

/** So near to the end counts as at it. */
const NEAR = 60
/** What people scroll with, and how long what moves is taken for theirs. */
const HANDS = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const
const HANDS_MS = 1000
const KEYS = ['PageUp', 'ArrowUp', 'Home']

/** A click on something inside, such as an answer, moves nothing; one on the scrollbar is one on the whole. */
function isScrolling(event: Event): boolean {
  if (event instanceof KeyboardEvent) return KEYS.includes(event.key)
  return event.type !== 'pointerdown' || event.target === event.currentTarget
}

export function useStickToScrollEnd(scroller: RefObject<HTMLDivElement | null>, list: unknown) {
  const { root } = usePageScope()
  const isAtEnd = useSignal(true)
  const before = useRef({ top: 0, height: 0 })
  const movedAt = useRef(-HANDS_MS)

  const toEnd = () => {
    isAtEnd.value = true
    if (scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight
  }

  // Whatever makes it grow: text, output, a card, an image.
  useLayoutEffect(() => {
    const node = scroller.current
    const content = node?.firstElementChild
    if (!node || !content) return
    const stay = () => {
      if (isAtEnd.peek()) node.scrollTop = node.scrollHeight
      before.current.height = node.scrollHeight
    }
    const watcher = new ResizeObserver(stay)
    watcher.observe(content)
    watcher.observe(node)
    stay()
    const moved = (event: Event) => {
      if (isScrolling(event)) movedAt.current = performance.now()
    }
    for (const kind of HANDS) node.addEventListener(kind, moved, { passive: true })
    const restore = () => {
      node.scrollTop = isAtEnd.peek() ? node.scrollHeight : before.current.top
    }
    root.addEventListener(ROOT_MOVED_EVENT, restore)
    return () => {
      watcher.disconnect()
      root.removeEventListener(ROOT_MOVED_EVENT, restore)
      for (const kind of HANDS) node.removeEventListener(kind, moved)
    }
  }, [list])

  const onScroll = ({ currentTarget: node }: { currentTarget: HTMLDivElement }) => {
    const [{ top, height }, now] = [before.current, { top: node.scrollTop, height: node.scrollHeight }]
    before.current = now
    if (now.height - now.top - node.clientHeight < NEAR) isAtEnd.value = true
    // The content might also have grown below, or shrunk. Only scrolling up leaves the end.
    else if (now.top < top && now.height >= height) {
      const isByHand = performance.now() - movedAt.current < HANDS_MS
      if (isByHand) movedAt.current = performance.now()
      // Else a card that went may have moved it, with what came since growing beneath: then the height is another one.
      if (isByHand || now.height === height) isAtEnd.value = false
    }
  }
  return { isAtEnd, toEnd, onScroll }
}
