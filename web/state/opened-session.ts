/** The session the page shows, always current. One at a time. */
import { signal } from '@preact/signals'
import { server } from './server.js'
import { SessionSignals } from './session-signals.js'

export type OpenedSession = {
  id: string
  conversation: SessionSignals
  /** All that there was before the page came is there. */
  isReady: boolean
  problem: string | undefined
}

export const opened = signal<OpenedSession | undefined>(undefined)

let close = () => {}

export function showSession(id: string): void {
  if (opened.value?.id === id) return
  close()
  const conversation = new SessionSignals()
  let now: OpenedSession = { id, conversation, isReady: false, problem: undefined }
  opened.value = now
  close = server
    .session(id)
    .view()
    .subscribe((value, changes) => {
      conversation.show(value, changes)
      const problem = value.connection === 'ended' ? value.error?.message : undefined
      const isReady = value.isReady || problem !== undefined
      if (isReady === now.isReady && problem === now.problem) return
      now = { id, conversation, isReady, problem }
      opened.value = now
    })
}

export function leaveSession(): void {
  close()
  opened.value = undefined
}
