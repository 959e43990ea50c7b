/** The open requests of a server as signals, for elements that show requests of any session. */
import { computed, type ReadonlySignal, signal } from '@preact/signals'
import type { LiveState } from '../../src/client/live-value.js'
import type { PageScope } from '../state/page-scope.js'
import type { Ask, Client } from '../state/server-types.js'
import { hasLiveStateChanged, toLiveState } from '../state/watched-session.js'

export type RequestList = Pick<PageScope, 'sessionOf' | 'onClosed'> & {
  /** Oldest first. */
  requests: ReadonlySignal<readonly Ask[]>
  state: ReadonlySignal<LiveState>
  /** Connects again after an error. */
  restart(): void
  close(): void
}

export function followRequests(client: Client, isWanted: (ask: Ask) => boolean = () => true): RequestList {
  const overview = client.overview()
  const value = signal(overview.value)
  const state = signal<LiveState>(toLiveState(overview.value))
  /** Closed here: the stream says so a moment later. */
  const closed = signal<ReadonlySet<string>>(new Set())
  const requests = computed(() => value.value.requests.filter((ask) => isWanted(ask) && !closed.value.has(ask.id)))
  const sessions = computed(() => new Map(value.value.sessions.map((info) => [info.id, info])))
  const close = overview.subscribe((now) => {
    value.value = now
    if (hasLiveStateChanged(now, state.peek())) state.value = toLiveState(now)
  })
  return {
    requests,
    state,
    sessionOf: (id) => sessions.value.get(id),
    onClosed({ id }) {
      closed.value = new Set([...closed.value, id])
    },
    restart() {
      overview.restart()
      state.value = toLiveState(overview.value)
    },
    close,
  }
}
