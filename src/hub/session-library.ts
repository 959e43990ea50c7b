/** The public functions that the hub builds on. */
import type * as TrustFunctions from '../sdk/folder-trust.js'
import type * as SessionFunctions from '../sdk/session-functions.js'

export type SessionLibrary = Pick<
  typeof SessionFunctions,
  | 'listSessions'
  | 'getSessionInfo'
  | 'getSessionMessages'
  | 'listSubagents'
  | 'getSubagentMessages'
  | 'forkSession'
  | 'renameSession'
  | 'deleteSession'
  | 'importSessionToStore'
> &
  Pick<typeof TrustFunctions, 'folderTrust' | 'trustFolder'>
