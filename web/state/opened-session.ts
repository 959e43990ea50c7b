/** The session the web app shows, always current. One at a time. */
import { signal } from '@preact/signals'
import { serverClient } from './server.js'
import { type WatchedSession, watchSession } from './watched-session.js'

export const openedSession = signal<WatchedSession | undefined>(undefined)

export function showSession(id: string): void {
  const before = openedSession.peek()
  if (before?.id === id) return
  before?.close()
  openedSession.value = watchSession(serverClient, id)
}

export function leaveSession(): void {
  openedSession.peek()?.close()
  openedSession.value = undefined
}
