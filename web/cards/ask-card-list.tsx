/** Requests below each other, of any session: the one that has the focus has the keys. */
import { useSignal } from '@preact/signals'
import type { Ask } from '../state/server-types.js'
import { T } from '../texts.js'
import { AskCard } from './ask-card.js'

/** Cards shown at first, and added by each "Show more": a page of 1,000 cards would freeze. */
const CARDS = 50

export function AskCardList({ asks }: { asks: readonly Ask[] }) {
  const shown = useSignal(CARDS)
  const active = useSignal('')
  const first = asks.find(({ id }) => id === active.value) ?? asks[0]
  return (
    <>
      {asks.length === 0 && <p class="empty">{T.inboxEmpty}</p>}
      <ol class="inbox-cards" tabIndex={-1}>
        {asks.slice(0, shown.value).map((ask, at) => (
          <li
            key={ask.id}
            onFocusIn={() => {
              active.value = ask.id
            }}
          >
            {/* A card that moves is another one to a finger on its way. */}
            <AskCard ask={ask} isActive={ask === first} seen={`${ask.id} ${at}`} isElsewhere />
          </li>
        ))}
      </ol>
      {asks.length > shown.value && (
        <button
          type="button"
          onClick={() => {
            shown.value += CARDS
          }}
        >
          {T.showMoreRequests(asks.length - shown.value)}
        </button>
      )}
    </>
  )
}
