/** `<kedge-session>`: a session's conversation, its requests, and a field for prompts. */

import { usePageScope } from '../state/page-scope.js'
import type { Toasts } from '../state/toast-list.js'
import type { WatchedSession } from '../state/watched-session.js'
import { T } from '../texts.js'
import { ConversationWithComposer } from '../views/conversation-with-composer.js'
import { useAnnounceToScreenReader } from '../views/read-aloud.js'
import { ConnectionNotice } from './connection-notice.js'
import { dispatchRequestAndErrorEvents } from './element-events.js'
import { createElementScope } from './element-scope.js'
import type { KedgeSessionElement } from './element-types.js'
import { type ElementPart, KedgeElement } from './kedge-element.js'
import type { SharedClient } from './shared-client.js'

export class SessionElement extends KedgeElement implements Pick<KedgeSessionElement, 'session'> {
  static readonly observedAttributes = ['server', 'session']
  protected readonly needed = ['session']

  get session(): string {
    return this.getAttribute('session') ?? ''
  }
  set session(id: string) {
    this.setAttribute('session', id)
  }

  protected show(shared: SharedClient, root: ShadowRoot): ElementPart {
    const { session, release } = shared.acquireSession(this.session)
    const { facts, openAsks } = session.conversation
    const scope = createElementScope({ element: this, shared, root, sessionOf: () => facts.value })
    const unwatch = dispatchRequestAndErrorEvents(scope, { requests: openAsks, state: session.state })
    return {
      scope,
      content: <SessionPart session={session} toasts={scope.toasts} />,
      end() {
        unwatch()
        release()
      },
    }
  }
}

function SessionPart({ session, toasts }: { session: WatchedSession; toasts: Toasts }) {
  const { me } = usePageScope()
  const state = session.state.value
  useAnnounceToScreenReader(session.conversation, state.isReady, toasts.announcement)
  const scopes = me.value?.scopes ?? ['prompt']
  const isWritable = scopes.includes('prompt') || scopes.includes('admin')
  return (
    <section class="session-part">
      <ConnectionNotice state={state} onRetry={session.restart} lost={T.lost} />
      {(state.isReady || (state.connection !== 'ended' && state.error === undefined)) && (
        <ConversationWithComposer session={session} isReady={state.isReady} isWritable={isWritable} />
      )}
    </section>
  )
}
