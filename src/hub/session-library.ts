/** The public functions for stored sessions that the hub builds on. */
import type * as SessionFunctions from '../sdk/session-functions.js'

export type SessionLibrary = Pick<
  typeof SessionFunctions,
  'listSessions' | 'getSessionInfo' | 'getSessionMessages' | 'forkSession' | 'renameSession' | 'deleteSession'
>
