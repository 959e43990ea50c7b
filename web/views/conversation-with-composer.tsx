/** The conversation of a session, the prompts that wait, and where to write. */
import type { WatchedSession } from '../state/watched-session.js'
import { T } from '../texts.js'
import { Composer } from './composer.js'
import { ConversationView } from './conversation-view.js'
import { WaitingPromptList } from './waiting-prompts.js'

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
  return (
    <div class="talk">
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
