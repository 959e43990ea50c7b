/** A session that an interface shows: its live view as signals. */
import { batch, type ReadonlySignal, signal } from '@preact/signals'
import type { LiveState } from '../../src/client/live-value.js'
import type { Client } from './server-types.js'
import { SessionSignals } from './session-signals.js'

export type WatchedSession = {
  id: string
  conversation: SessionSignals
  state: ReadonlySignal<LiveState>
  /** Connects again after an error. */
  restart(): void
  /** Ends the stream. */
  close(): void
}

export function watchSession(client: Client, id: string): WatchedSession {
  const conversation = new SessionSignals()
  const view = client.session(id).view()
  const state = signal<LiveState>(toLiveState(view.value))
  const close = view.subscribe((value, changes) =>
    batch(() => {
      conversation.show(value, changes)
      if (hasLiveStateChanged(value, state.peek())) state.value = toLiveState(value)
    }),
  )
  const restart = () => {
    view.restart()
    state.value = toLiveState(view.value)
  }
  return { id, conversation, state, restart, close }
}

export function toLiveState({ isReady, connection, error }: LiveState): LiveState {
  return { isReady, connection, error }
}

export function hasLiveStateChanged(value: LiveState, before: LiveState): boolean {
  return value.isReady !== before.isReady || value.connection !== before.connection || value.error !== before.error
}
