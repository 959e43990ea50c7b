/** One session: what it is, the conversation, what waits, and where to write. */
import { useEffect } from 'preact/hooks'
import { lazyComponent } from '../parts/lazy.js'
import { sessions } from '../state/all-sessions.js'
import { opened } from '../state/opened-session.js'
import { announcement } from '../state/toasts.js'
import { T } from '../texts.js'
import { Composer } from './composer.js'
import { SessionHeader } from './session-header.js'
import { isPanelOpen } from './session-view-state.js'
import { WaitingPromptList } from './waiting-prompts.js'

const ConversationView = lazyComponent(() => import('./conversation-view.js').then((part) => part.ConversationView))
const SidePanel = lazyComponent(() => import('./side-panel.js').then((part) => part.SidePanel))

export function SessionScreen({ id, ask, seq }: { id: string; ask?: string | undefined; seq?: number | undefined }) {
  const session = opened.value?.id === id ? opened.value : undefined
  const conversation = session?.conversation
  useEffect(() => {
    if (!conversation || !session?.isReady) return
    // Skips text from before the view was opened.
    const before = conversation.said.peek()
    return conversation.said.subscribe((text) => {
      if (text !== before) announcement.value = text
    })
  }, [conversation, session?.isReady])
  if (!session || !conversation) return <p class="quiet padded">{T.loading}</p>
  if (session.problem !== undefined && !sessions.value.has(id))
    return (
      <p class="quiet padded" role="alert">
        {T.cantOpen(session.problem)}
      </p>
    )
  return (
    <div class="session-view">
      <SessionHeader id={id} conversation={conversation} />
      <div class="columns">
        <div class="talk">
          {session.isReady ? (
            <ConversationView id={id} conversation={conversation} ask={ask} seq={seq} />
          ) : (
            <p class="quiet padded grow">{T.loading}</p>
          )}
          <WaitingPromptList id={id} conversation={conversation} />
          <Composer id={id} conversation={conversation} />
        </div>
        {isPanelOpen.value && <SidePanel id={id} conversation={conversation} />}
      </div>
    </div>
  )
}
