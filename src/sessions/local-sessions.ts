/** The sessions on this disk, for the functions of the library. */
import { KedgeError } from '../errors.js'
import { type ProcessLockPorts, waitForLock } from '../platform/files/process-lock.js'
import { basename, dirname, join } from '../platform/paths.js'
import { findSession, requireSession, type SessionsLocation, sessionFolders } from './find-session.js'
import { forkToFile } from './fork-session.js'
import { createJsonlSessionStore } from './jsonl-store.js'
import { describeSession, describeSessions, sessionFiles } from './list.js'
import { agentTranscriptPath, lockPath, transcriptIn } from './location.js'
import { writeArchiveMark } from './marks/archive.js'
import { removeOutputFiles } from './marks/output-list.js'
import { messagesOfFile } from './message-pages.js'
import { AGENT_KEY_PATTERN, type StoredSessions } from './stored-sessions-port.js'

export type LocalPorts = SessionsLocation & ProcessLockPorts & { newId(): string }

export function localSessions(dir: string | undefined, ports: LocalPorts): StoredSessions {
  const { files, configDir } = ports
  const store = createJsonlSessionStore(files, configDir)
  const find = (sessionId: string) => findSession(ports, sessionId, dir)
  const keyOf = (path: string, sessionId: string) => ({ projectKey: basename(dirname(path)), sessionId })
  return {
    async list(options) {
      const folders = await sessionFolders(ports, dir, options)
      return describeSessions(files, await sessionFiles(files, folders), options)
    },
    async info(sessionId) {
      const found = await find(sessionId)
      return found && describeSession(files, found)
    },
    async messages(sessionId, options) {
      const found = await find(sessionId)
      return found ? messagesOfFile(files, found.path, { ...options, sessionId }) : []
    },
    async annotate(sessionId, line) {
      const { path } = await requireSession(ports, sessionId, dir)
      await store.append(keyOf(path, sessionId), [line])
    },
    async archive(sessionId, archived) {
      const { path } = await requireSession(ports, sessionId, dir)
      await writeArchiveMark(files, path, { archived, at: ports.clock.now() })
    },
    async fork(sessionId, { upToMessageId, title }) {
      const source = await requireSession(ports, sessionId, dir)
      const to = ports.newId()
      const shown = title ?? `${(await describeSession(files, source))?.summary ?? 'Session'} (fork)`
      await forkToFile(files, source.path, transcriptIn(dirname(source.path), to), {
        from: sessionId,
        to,
        upTo: upToMessageId,
        title: shown,
        newId: ports.newId,
        now: ports.clock.now,
      })
      return { sessionId: to }
    },
    async remove(sessionId) {
      const { path } = await requireSession(ports, sessionId, dir)
      // Held while it is removed: nobody begins to write to what is going.
      const lock = await waitForLock(lockPath(path), ports)
      if ('holder' in lock) {
        const { pid, host } = lock.holder
        throw new KedgeError(
          'session_in_use',
          `Session ${sessionId} is in use by process ${pid} on ${host}: end that first.`,
        )
      }
      try {
        await removeOutputFiles(files, path)
        await store.delete(keyOf(path, sessionId))
        // Copies of files that it changed, and variables of its hooks.
        for (const name of ['file-history', 'session-env']) await files.removeTree(join(configDir, name, sessionId))
      } finally {
        lock.release()
      }
    },
    async subagents(sessionId) {
      const found = await find(sessionId)
      const keys = found ? await store.listSubkeys(keyOf(found.path, sessionId)) : []
      return keys.flatMap((key) => AGENT_KEY_PATTERN.exec(key)?.[1] ?? [])
    },
    async subagentMessages(sessionId, agentId, options) {
      const found = await find(sessionId)
      if (!found) return []
      const path = agentTranscriptPath(found.path, agentId)
      return messagesOfFile(files, path, { ...options, sessionId, isSubagent: true })
    },
  }
}
