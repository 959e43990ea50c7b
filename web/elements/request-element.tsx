/** `<kedge-request>`: one request, with everything a user needs to answer it. */
import { AskCard } from '../cards/ask-card.js'
import { T } from '../texts.js'
import { ConnectionNotice } from './connection-notice.js'
import { dispatchRequestAndErrorEvents } from './element-events.js'
import { createElementScope } from './element-scope.js'
import type { KedgeRequestElement } from './element-types.js'
import { type ElementPart, KedgeElement } from './kedge-element.js'
import { followRequests, type RequestList } from './request-lists.js'
import type { SharedClient } from './shared-client.js'

export class RequestElement extends KedgeElement implements Pick<KedgeRequestElement, 'session' | 'request'> {
  static readonly observedAttributes = ['server', 'session', 'request']
  protected readonly needed = ['session', 'request']

  get session(): string {
    return this.getAttribute('session') ?? ''
  }
  set session(id: string) {
    this.setAttribute('session', id)
  }

  get request(): string {
    return this.getAttribute('request') ?? ''
  }
  set request(id: string) {
    this.setAttribute('request', id)
  }

  protected show(shared: SharedClient, root: ShadowRoot): ElementPart {
    const { session, request } = this
    const list = followRequests(shared.client, (ask) => ask.id === request && ask.session === session)
    const { sessionOf, onClosed } = list
    const scope = createElementScope({ element: this, shared, root, sessionOf, onClosed })
    const unwatch = dispatchRequestAndErrorEvents(scope, list)
    return {
      scope,
      content: <RequestPart list={list} />,
      end() {
        unwatch()
        list.close()
      },
    }
  }
}

function RequestPart({ list: { requests, state, restart } }: { list: RequestList }) {
  const [ask] = requests.value
  const { isReady, error } = state.value
  return (
    <>
      <ConnectionNotice state={state.value} onRetry={restart} />
      {ask && <AskCard key={ask.id} ask={ask} isActive seen={ask.id} />}
      {!ask && (isReady || !error) && (
        <p class="quiet padded" role="status">
          {isReady ? T.requestClosed : T.loading}
        </p>
      )}
    </>
  )
}
