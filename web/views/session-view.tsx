/** One session: what it is, the conversation, what waits, and where to write. */
import { lazyComponent } from '../parts/lazy.js'
import { sessions } from '../state/all-sessions.js'
import { announcement } from '../state/notifications.js'
import { openedSession } from '../state/opened-session.js'
import { T } from '../texts.js'
import { useAnnounceToScreenReader } from './read-aloud.js'
import { SessionHeader } from './session-header.js'
import { isPanelOpen } from './session-view-state.js'

const Talk = lazyComponent(() =>
  import('./conversation-with-composer.js').then((part) => part.ConversationWithComposer),
)
const SidePanel = lazyComponent(() => import('./side-panel.js').then((part) => part.SidePanel))

export function SessionScreen({ id, ask, seq }: { id: string; ask?: string | undefined; seq?: number | undefined }) {
  const session = openedSession.value?.id === id ? openedSession.value : undefined
  const conversation = session?.conversation
  const state = session?.state.value
  const problem = state?.connection === 'ended' ? state.error?.message : undefined
  const isReady = state?.isReady === true || problem !== undefined
  useAnnounceToScreenReader(conversation, isReady, announcement)
  if (!session || !conversation) return <p class="quiet padded">{T.loading}</p>
  if (problem !== undefined && !sessions.value.has(id))
    return (
      <p class="quiet padded" role="alert">
        {T.cantOpen(problem)}
      </p>
    )
  return (
    <div class="session-view">
      <SessionHeader id={id} conversation={conversation} />
      <div class="columns">
        <Talk session={session} isReady={isReady} ask={ask} seq={seq} />
        {isPanelOpen.value && <SidePanel id={id} conversation={conversation} />}
      </div>
    </div>
  )
}
