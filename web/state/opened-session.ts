/** The session the web app shows, always current. One at a time. */
import { signal } from '@preact/signals'
import { type FollowedSession, followSession } from './followed-session.js'
import { server } from './server.js'

export const opened = signal<FollowedSession | undefined>(undefined)

export function showSession(id: string): void {
  const before = opened.peek()
  if (before?.id === id) return
  before?.close()
  opened.value = followSession(server, id)
}

export function leaveSession(): void {
  opened.peek()?.close()
  opened.value = undefined
}
