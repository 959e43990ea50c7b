/** The conversation of a session, the prompts that wait, and where to write. */

import { Composer } from '../composer/composer.js'
import { WaitingPromptList } from '../composer/waiting-prompts.js'
import { usePageScope } from '../state/page-scope.js'
import type { WatchedSession } from '../state/watched-session.js'
import { T } from '../texts.js'
import { ConversationView } from './conversation-view.js'

type Props = {
  session: WatchedSession
  /** What there was before is there, or never will be. */
  isReady: boolean
  ask?: string | undefined
  seq?: number | undefined
  /** Prompts can be sent. */
  isWritable?: boolean
}

export function ConversationWithComposer({
  session: { id, conversation },
  isReady,
  ask,
  seq,
  isWritable = true,
}: Props) {
  const scope = usePageScope()
  return (
    <div
      class="talk"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented || conversation.facts.value.status !== 'running') return
        if (isWritable) void scope.client.interrupt(id).catch(scope.fail)
      }}
    >
      {isReady ? (
        <ConversationView id={id} conversation={conversation} ask={ask} seq={seq} />
      ) : (
        <p class="quiet padded grow">{T.loading}</p>
      )}
      {isWritable && <WaitingPromptList id={id} conversation={conversation} />}
      {isWritable && <Composer id={id} conversation={conversation} />}
    </div>
  )
}
