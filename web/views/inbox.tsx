/** Everything that waits for a person, of all sessions: seen and answered in one place. */
import { useSignal } from '@preact/signals'
import { AskCard } from '../cards/ask-card.js'
import { Icon } from '../parts/icons.js'
import { inbox } from '../state/all-sessions.js'
import { readNotificationPermission, subscribeToPush, toast } from '../state/toasts.js'
import { T } from '../texts.js'

/** Cards shown at first, and added by each "Show more": a page of 1,000 cards would freeze. */
const CARDS = 50

export function Inbox() {
  const shown = useSignal(CARDS)
  const active = useSignal('')
  const allowed = useSignal(readNotificationPermission())
  const all = inbox.value
  const first = all.find(({ id }) => id === active.value) ?? all[0]
  const allow = async () => {
    allowed.value = await Notification.requestPermission()
    if (allowed.value !== 'granted') return
    toast(T.willNotify)
    await subscribeToPush().catch(() => {})
  }
  return (
    <div class="page inbox-page">
      <header>
        <a class="button plain only-phone" href="#/" aria-label={T.allSessions}>
          <Icon name="back" />
        </a>
        <h1>{T.inbox}</h1>
        <span class="quiet">{all.length === 0 ? '' : T.waitForYou(all.length)}</span>
        <span class="grow" />
        {allowed.value === 'default' && (
          <button type="button" class="small" onClick={() => void allow()}>
            {T.notifyMe}
          </button>
        )}
      </header>
      {all.length === 0 && <p class="empty">{T.inboxEmpty}</p>}
      <ol class="inbox-cards">
        {all.slice(0, shown.value).map((ask, at) => (
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
      {all.length > shown.value && (
        <button
          type="button"
          onClick={() => {
            shown.value += CARDS
          }}
        >
          {T.showMoreRequests(all.length - shown.value)}
        </button>
      )}
    </div>
  )
}
