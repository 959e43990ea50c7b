/** `kedge/react`: the sessions of a server as React hooks. The directive is for servers that render components. */
'use client'

export { KedgeProvider, useClient } from './kedge-provider.js'
export {
  type RequestsOptions,
  type SessionsOptions,
  type ShownRequests,
  type ShownSessions,
  useRequests,
  useSessions,
} from './use-overview.js'
export { type HookOptions, type ShownSession, useSession } from './use-session.js'
