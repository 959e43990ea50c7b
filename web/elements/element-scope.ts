/** An element as the place in which parts of the interface are shown. */
import { signal } from '@preact/signals'
import { messageOf, toError } from '../../src/protocol/thrown.js'
import type { PageScope } from '../state/page-scope.js'
import type { Ask, AskAnswer } from '../state/server-types.js'
import { createBrowserStorage } from '../state/stored.js'
import { createToasts, type Toasts } from '../state/toast-list.js'
import type { KedgeElementEvents } from './element-types.js'
import type { SharedClient } from './shared-client.js'

/** For one tab, until it is closed: other users of the browser don't see it. */
const { store, stored } = createBrowserStorage(() => sessionStorage, 'kedge:')

export type ElementScope = {
  page: PageScope
  toasts: Toasts
  shared: SharedClient
  dispatch: DispatchElementEvent
  /** Resolves when no answer to a request is on its way from this element. */
  untilAnswered(ask: Ask): Promise<void>
}

export type DispatchElementEvent = <N extends keyof KedgeElementEvents>(
  name: N,
  detail: KedgeElementEvents[N]['detail'],
) => void

/** What only the element knows. */
export type ElementScopeInput = Pick<PageScope, 'root' | 'sessionOf'> &
  Partial<Pick<PageScope, 'linkToAsk' | 'onClosed'>> & { element: EventTarget; shared: SharedClient }

export function createElementScope({ element, shared, root, sessionOf, ...place }: ElementScopeInput): ElementScope {
  const toasts = createToasts()
  const dispatch: DispatchElementEvent = (name, detail) =>
    void element.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }))
  const { client, me, outbox } = shared
  const answers = new Map<string, Promise<void>>()
  const sendAnswer = async (request: Ask, answer: AskAnswer) => {
    const outcome = await client.answer(request.session, request, answer)
    if (outcome === 'accepted') dispatch('kedge-answered', { request, answer })
    return outcome
  }
  const page: PageScope = {
    client,
    root,
    drafts: { read: stored, write: store },
    me,
    outbox,
    unfolded: signal(new Map()),
    sessionOf,
    linkToAsk: place.linkToAsk ?? (() => undefined),
    toast: (text) => toasts.toast(text),
    fail(problem) {
      toasts.toast(messageOf(problem), { isError: true })
      dispatch('kedge-error', { error: toError(problem) })
    },
    answer(request, answer) {
      const sent = sendAnswer(request, answer)
      const settled = sent.then(
        () => void answers.delete(request.id),
        () => void answers.delete(request.id),
      )
      answers.set(request.id, settled)
      return sent
    },
    onClosed: place.onClosed ?? (() => {}),
  }
  return { page, toasts, shared, dispatch, untilAnswered: async ({ id }) => answers.get(id) }
}
