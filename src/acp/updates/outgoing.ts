/** What goes to the client: an update of a session, or a notification of our own that it asked for. */
import type { SessionNotification } from '@agentclientprotocol/sdk/unstable'

export type OutgoingUpdate =
  | SessionNotification
  | { method: `_${string}` | 'elicitation/complete'; params: Record<string, unknown> }
