/** Tells the page what happens in an element: requests that come and go, and connections that are lost. */
import { effect, type ReadonlySignal } from '@preact/signals'
import type { LiveState } from '../../src/client/live-value.js'
import type { Ask } from '../state/server-types.js'
import type { ElementScope } from './element-scope.js'

type Watched = { requests: ReadonlySignal<readonly Ask[]>; state: ReadonlySignal<LiveState> }

/** Returns what ends it. */
export function dispatchRequestAndErrorEvents(scope: ElementScope, { requests, state }: Watched): () => void {
  const ends = [dispatchRequests(scope, { requests, state }), dispatchErrors(scope, state)]
  return () => {
    for (const end of ends) end()
  }
}

function dispatchRequests({ dispatch, untilAnswered }: ElementScope, { requests, state }: Watched): () => void {
  let before: ReadonlyMap<string, Ask> = new Map()
  return effect(() => {
    const open = new Map(requests.value.map((request) => [request.id, request]))
    // What isn't loaded is not closed.
    if (!state.value.isReady) return
    const [known, now] = [before, open]
    before = open
    // Not within the effect: a listener can change what it depends on.
    queueMicrotask(() => {
      // The stream can be faster than the answer to an answer.
      for (const [id, request] of known)
        if (!now.has(id)) void untilAnswered(request).then(() => dispatch('kedge-closed', { request }))
      for (const [id, request] of now) if (!known.has(id)) dispatch('kedge-request', { request })
    })
  })
}

function dispatchErrors({ shared, dispatch }: ElementScope, state: ReadonlySignal<LiveState>): () => void {
  /** Each attempt to connect fails with an error of its own; one event is enough. */
  let last = ''
  return effect(() => {
    const { connection, error } = state.value
    if (connection === 'live') {
      last = ''
      queueMicrotask(shared.loadCaller)
    } else if (error && error.message !== last) {
      last = error.message
      queueMicrotask(() => dispatch('kedge-error', { error }))
    }
  })
}
