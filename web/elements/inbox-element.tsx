/** `<kedge-inbox>`: the open requests of all sessions. */
import { AskCardList } from '../cards/ask-card-list.js'
import type { Ask } from '../state/server-types.js'
import { T } from '../texts.js'
import { ConnectionNotice } from './connection-notice.js'
import { dispatchRequestAndErrorEvents } from './element-events.js'
import { createElementScope } from './element-scope.js'
import type { KedgeInboxElement } from './element-types.js'
import { type ElementPart, KedgeElement } from './kedge-element.js'
import { followRequests, type RequestList } from './request-lists.js'
import type { SharedClient } from './shared-client.js'

export class InboxElement extends KedgeElement implements Pick<KedgeInboxElement, 'sessionLink'> {
  static readonly observedAttributes = ['server', 'session-link']
  protected readonly needed = []
  protected override readonly optional = ['session-link']

  get sessionLink(): string {
    return this.getAttribute('session-link') ?? ''
  }
  set sessionLink(template: string) {
    this.setAttribute('session-link', template)
  }

  protected show(shared: SharedClient, root: ShadowRoot): ElementPart {
    const list = followRequests(shared.client)
    const { sessionOf, onClosed } = list
    const linkToAsk = (ask: Ask) => linkFrom(this.sessionLink, ask)
    const scope = createElementScope({ element: this, shared, root, sessionOf, onClosed, linkToAsk })
    const unwatch = dispatchRequestAndErrorEvents(scope, list)
    return {
      scope,
      content: <InboxPart list={list} />,
      end() {
        unwatch()
        list.close()
      },
    }
  }
}

function linkFrom(template: string, { session, id }: Ask): string | undefined {
  if (template === '') return undefined
  return template.replaceAll('{session}', encodeURIComponent(session)).replaceAll('{request}', encodeURIComponent(id))
}

function InboxPart({ list: { requests, state, restart } }: { list: RequestList }) {
  const { isReady, error } = state.value
  return (
    <>
      <ConnectionNotice state={state.value} onRetry={restart} />
      {isReady && <AskCardList asks={requests.value} />}
      {!isReady && !error && (
        <p class="quiet padded" role="status">
          {T.loading}
        </p>
      )}
    </>
  )
}
