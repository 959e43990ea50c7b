/** The sessions on this disk, for the functions of the library. */
import { KedgeError } from '../errors.js'
import { type ProcessLockPorts, waitForLock } from '../platform/files/process-lock.js'
import { basename, dirname, join } from '../platform/paths.js'
import { findSession, findSessionOrThrow, listSessionFoldersOfProject, type SessionsLocation } from './find-session.js'
import { forkToFile } from './fork-session.js'
import { createJsonlSessionStore } from './jsonl-store.js'
import { writeArchiveMark } from './marks/archive.js'
import { removeOutputFiles } from './marks/output-file-list.js'
import { readMessagePage } from './message-pages.js'
import { readSessionInfoFromFile, readSessionInfosFromFiles, sessionFiles } from './session-file-lists.js'
import { type StoredSessions, SUBAGENT_KEY_PATTERN } from './stored-sessions-port.js'
import { agentTranscriptPath, lockPath, transcriptPathInFolder } from './transcript-paths.js'

export type SessionFilesPorts = SessionsLocation & ProcessLockPorts & { newId(): string }

export function createStoredSessionsOnDisk(dir: string | undefined, ports: SessionFilesPorts): StoredSessions {
  const { files, configDir } = ports
  const store = createJsonlSessionStore(files, configDir)
  const find = (sessionId: string) => findSession(ports, sessionId, dir)
  const keyOf = (path: string, sessionId: string) => ({ projectKey: basename(dirname(path)), sessionId })
  return {
    async list(options) {
      const folders = await listSessionFoldersOfProject(ports, dir, options)
      return readSessionInfosFromFiles(files, await sessionFiles(files, folders), options)
    },
    async info(sessionId) {
      const found = await find(sessionId)
      return found && readSessionInfoFromFile(files, found)
    },
    async messages(sessionId, options) {
      const found = await find(sessionId)
      return found ? readMessagePage(files, found.path, { ...options, sessionId }) : []
    },
    async annotate(sessionId, line) {
      const { path } = await findSessionOrThrow(ports, sessionId, dir)
      await store.append(keyOf(path, sessionId), [line])
    },
    async archive(sessionId, archived) {
      const { path } = await findSessionOrThrow(ports, sessionId, dir)
      await writeArchiveMark(files, path, { archived, at: ports.clock.now() })
    },
    async fork(sessionId, { upToMessageId, title }) {
      const source = await findSessionOrThrow(ports, sessionId, dir)
      const to = ports.newId()
      const shown = title ?? `${(await readSessionInfoFromFile(files, source))?.summary ?? 'Session'} (fork)`
      await forkToFile(files, source.path, transcriptPathInFolder(dirname(source.path), to), {
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
      const { path } = await findSessionOrThrow(ports, sessionId, dir)
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
      return keys.flatMap((key) => SUBAGENT_KEY_PATTERN.exec(key)?.[1] ?? [])
    },
    async subagentMessages(sessionId, agentId, options) {
      const found = await find(sessionId)
      if (!found) return []
      const path = agentTranscriptPath(found.path, agentId)
      return readMessagePage(files, path, { ...options, sessionId, isSubagent: true })
    },
  }
}
