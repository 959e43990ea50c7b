/** The conversation: only what can be seen is in the page, however long it is. New things keep the end in sight. */
import { useComputed, useSignal } from '@preact/signals'
import {
  elementScroll,
  measureElement,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
} from '@tanstack/virtual-core'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import type { ViewItem } from '../../src/view/view-items.js'
import { Icon } from '../parts/icons.js'
import { lazyComponent } from '../parts/lazy.js'
import { useRegionLabel } from '../state/page-scope.js'
import type { SessionSignals } from '../state/session-signals.js'
import { T } from '../texts.js'
import { ConversationRow } from './conversation-row.js'
import { useStickToScrollEnd } from './end-in-sight.js'
import { useSessionSearch } from './find-in-session.js'

const FindBar = lazyComponent(() => import('./find-bar.js').then((part) => part.FindBar))
const AskCards = lazyComponent(() => import('../cards/ask-card-switcher.js').then((part) => part.AskCardSwitcher))

type Props = {
  id: string
  conversation: SessionSignals
  ask?: string | undefined
  seq?: number | undefined
  isReplay?: boolean
}

export function ConversationView({ id, conversation, ask, seq, isReplay = false }: Props) {
  const label = useRegionLabel(id, T.conversation)
  const scroller = useRef<HTMLDivElement>(null)
  const drawn = useSignal(0)
  const { items } = conversation
  conversation.rev.value
  drawn.value

  const list = useMemo(() => {
    const made = new Virtualizer<HTMLDivElement, HTMLDivElement>({
      count: items.length,
      getScrollElement: () => scroller.current,
      overscan: 6,
      estimateSize: (at) => estimate(items[at]),
      getItemKey: (at) => items[at]?.key ?? at,
      scrollToFn: elementScroll,
      observeElementRect,
      observeElementOffset,
      measureElement,
      onChange: () => {
        drawn.value = drawn.peek() + 1
      },
    })
    return made
  }, [conversation])
  list.setOptions({ ...list.options, count: items.length })

  useLayoutEffect(() => list._didMount(), [list])
  useLayoutEffect(() => list._willUpdate())

  const { isAtEnd, toEnd, onScroll } = useStickToScrollEnd(scroller, list)
  useEffect(() => {
    if (seq === undefined) return
    const at = items.findIndex((item) => item.seq >= seq)
    if (at < 0) return
    isAtEnd.value = false
    list.scrollToIndex(at, { align: 'start' })
  }, [list, seq])

  const showRow = (index: number) => {
    isAtEnd.value = false
    list.scrollToIndex(index, { align: 'center' })
  }
  const search = useSessionSearch({ items, scroller, showRow })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || (event.key !== 'Home' && event.key !== 'End')) return
    // The browser scrolls smoothly, and gives up when a row on the way gets its true height.
    event.preventDefault()
    if (event.key === 'End') return toEnd()
    isAtEnd.value = false
    list.scrollToOffset(0)
  }

  const waits = useComputed(() => conversation.openAsks.value.length > 0)
  return (
    <div class="scroll-frame">
      {search.isOpen.value && (
        <FindBar items={items} rev={conversation.rev.value} onFound={search.onFound} onClose={search.close} />
      )}
      <div
        class="scroller"
        ref={scroller}
        tabIndex={0}
        role="region"
        aria-label={label}
        onScroll={onScroll}
        onKeyDown={onKeyDown}
      >
        <div class="content">
          <div class="rows" style={{ height: `${list.getTotalSize()}px` }}>
            {list.getVirtualItems().map(({ index, key, start }) => {
              const item = items[index]
              return (
                item && (
                  <div
                    key={key}
                    data-index={index}
                    ref={list.measureElement}
                    class="row"
                    style={{ transform: `translateY(${start}px)` }}
                  >
                    <ConversationRow
                      item={item}
                      session={id}
                      conversation={conversation}
                      isReplay={isReplay}
                      isMarked={search.found.value?.index === index || (seq !== undefined && item.seq === seq)}
                    />
                  </div>
                )
              )
            })}
          </div>
          {items.length === 0 && <p class="quiet">{T.sayFirst}</p>}
          {!isReplay && waits.value && <AskCards asks={conversation.openAsks} wanted={ask} />}
          <Busy conversation={conversation} isReplay={isReplay} />
        </div>
      </div>
      {!isAtEnd.value && (
        <button type="button" class={waits.value && !isReplay ? 'to-end waits' : 'to-end'} onClick={toEnd}>
          {waits.value && !isReplay ? T.needsYouBelow : T.toEnd} <Icon name="down" />
        </button>
      )}
    </div>
  )
}

function Busy({ conversation, isReplay }: { conversation: SessionSignals; isReplay: boolean }) {
  if (isReplay || conversation.facts.value.status !== 'running') return null
  return (
    <p class="busy" role="status">
      <span class="dot running" aria-hidden="true" /> {T.working}
    </p>
  )
}

const LINE = 22

function estimate(item: ViewItem | undefined): number {
  if (!item) return LINE
  if (item.kind === 'text') return 24 + LINE * Math.ceil(item.text.length / 90)
  return item.kind === 'prompt' ? 70 : 44
}
