/** Everything that waits for a person, of all sessions: seen and answered in one place. */
import { useSignal } from '@preact/signals'
import { AskCardList } from '../cards/ask-card-list.js'
import { Icon } from '../parts/icons.js'
import { inbox } from '../state/all-sessions.js'
import { readNotificationPermission, subscribeToPush, toast } from '../state/notifications.js'
import { T } from '../texts.js'

export function Inbox() {
  const allowed = useSignal(readNotificationPermission())
  const all = inbox.value
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
      <AskCardList asks={all} />
    </div>
  )
}
