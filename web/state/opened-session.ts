/** The session the web app shows, always current. One at a time. */
import { signal } from '@preact/signals'
import { server } from './server.js'
import { type WatchedSession, watchSession } from './watched-session.js'

export const opened = signal<WatchedSession | undefined>(undefined)

export function showSession(id: string): void {
  const before = opened.peek()
  if (before?.id === id) return
  before?.close()
  opened.value = watchSession(server, id)
}

export function leaveSession(): void {
  opened.peek()?.close()
  opened.value = undefined
}
