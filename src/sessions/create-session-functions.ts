/** Stored sessions for programs: lists, messages, copies, names. The same for this disk and for a store of the caller's own. */
import { KedgeError } from '../errors.js'
import type {
  ForkSessionOptions,
  GetSessionMessagesOptions,
  GetSubagentMessagesOptions,
  ImportSessionToStoreOptions,
  ListSessionsOptions,
  SessionLookupOptions,
  SessionStore,
} from '../protocol/stored-sessions.js'
import { checkSessionId } from './find-session.js'
import { importToStore } from './import-to-store.js'
import { createStoredSessionsOnDisk, type SessionFilesPorts } from './local-sessions.js'
import { createStoredSessionsInStore } from './store-sessions.js'
import type { StoredSessions } from './stored-sessions-port.js'
import { isAgentId, isSessionId } from './transcript-paths.js'

export function createSessionFunctions(ports: SessionFilesPorts) {
  const sessions = ({ dir, sessionStore }: SessionLookupOptions): StoredSessions =>
    sessionStore ? createStoredSessionsInStore(sessionStore, dir, ports) : createStoredSessionsOnDisk(dir, ports)
  return {
    listSessions: async (options: ListSessionsOptions = {}) => sessions(options).list(options),
    getSessionInfo: async (sessionId: string, options: SessionLookupOptions = {}) =>
      isSessionId(sessionId) ? sessions(options).info(sessionId) : undefined,
    getSessionMessages: async (sessionId: string, options: GetSessionMessagesOptions = {}) =>
      isSessionId(sessionId) ? sessions(options).messages(sessionId, options) : [],
    async forkSession(sessionId: string, options: ForkSessionOptions = {}) {
      checkSessionId(sessionId)
      return sessions(options).fork(sessionId, options)
    },
    async renameSession(sessionId: string, title: string, options: SessionLookupOptions = {}) {
      checkSessionId(sessionId)
      const customTitle = checkText(title, 'title must be non-empty')
      await sessions(options).annotate(sessionId, { type: 'custom-title', customTitle, sessionId })
    },
    async tagSession(sessionId: string, tag: string | null, options: SessionLookupOptions = {}) {
      checkSessionId(sessionId)
      const text = tag === null ? '' : checkText(tag, 'tag must be non-empty (use null to clear)')
      await sessions(options).annotate(sessionId, { type: 'tag', tag: text, sessionId })
    },
    async archiveSession(sessionId: string, archived: boolean, options: SessionLookupOptions = {}) {
      checkSessionId(sessionId)
      await sessions(options).archive(sessionId, archived)
    },
    async deleteSession(sessionId: string, options: SessionLookupOptions = {}) {
      checkSessionId(sessionId)
      await sessions(options).remove(sessionId)
    },
    async importSessionToStore(sessionId: string, store: SessionStore, options: ImportSessionToStoreOptions = {}) {
      checkSessionId(sessionId)
      const { batchSize } = options
      if (typeof store?.append !== 'function') throw new KedgeError('invalid_option', 'store must have append()')
      if (batchSize !== undefined && !(Number.isSafeInteger(batchSize) && batchSize > 0))
        throw new KedgeError('invalid_option', 'batchSize must be a whole number above 0')
      await importToStore(sessionId, store, options, ports)
    },
    listSubagents: async (sessionId: string, options: SessionLookupOptions = {}) =>
      isSessionId(sessionId) ? sessions(options).subagents(sessionId) : [],
    getSubagentMessages: async (sessionId: string, agentId: string, options: GetSubagentMessagesOptions = {}) =>
      isSessionId(sessionId) && isAgentId(agentId)
        ? sessions(options).subagentMessages(sessionId, agentId, options)
        : [],
  }
}

/** One line, as it is shown in lists. */
function checkText(text: string, problem: string): string {
  const line = typeof text === 'string' ? text.replaceAll(/\s+/g, ' ').trim() : ''
  if (line === '') throw new KedgeError('invalid_option', problem)
  return line
}
