/** Logs as files: `hub.log` in the folder beside the transcript, line n is entry n, removed with the session. */
import { KedgeError } from '../../errors.js'
import { Buffer } from '../../platform/bytes.js'
import { systemErrorCode } from '../../platform/files/file-stat.js'
import type { FileSystem } from '../../platform/files/files.js'
import { type ProcessLockPorts, waitForLock } from '../../platform/files/process-lock.js'
import { join } from '../../platform/paths.js'
import type { LogEntry } from '../../protocol/session-log/entries.js'
import { FEED_LOG_NAME } from './feed.js'
import { countCompleteLines } from './log-lines.js'
import { entryToJsonLine, LogReader } from './log-reader.js'
import type { HubStore, LogSummary, StoredLogInfo } from './log-store.js'
import { fencedError, sessionInUseError, sessionNotFoundError } from './memory-log-store.js'

/** Not `.jsonl`: what reads transcripts by that name has no use for it. */
const NAME = 'hub.log'
const SUMMARY = 'hub.json'

export type FileLogPorts = ProcessLockPorts & {
  files: FileSystem
  token(): string
  /** The folder beside the transcript of a session. */
  folderOf(session: string, cwd: string): string
  /** The folder that holds those of all projects. */
  projects: string
  /** Where the log over all sessions is kept: `all` among the sessions, and not in their list. */
  feedFolder: string
}

export function fileLogStore(ports: FileLogPorts): HubStore {
  const { files, folderOf, projects, feedFolder } = ports
  const lines = new LogReader(files)
  /** Folders of sessions that were looked for. */
  const known = new Map([[FEED_LOG_NAME, feedFolder]])

  const find = async (session: string): Promise<string | undefined> => {
    const folder = known.get(session)
    if (folder !== undefined) return folder
    for (const project of await namesIn(files, projects)) {
      const place = join(projects, project, session)
      if ((await files.lstat(join(place, NAME)))?.kind !== 'file') continue
      known.set(session, place)
      return place
    }
    return undefined
  }

  return {
    async list() {
      const found: StoredLogInfo[] = []
      for (const project of await namesIn(files, projects)) {
        for (const session of await namesIn(files, join(projects, project))) {
          if (session.includes('.')) continue
          const folder = join(projects, project, session)
          const stat = await files.lstat(join(folder, NAME))
          if (stat?.kind !== 'file') continue
          const summary = await readSummary(files, join(folder, SUMMARY))
          found.push({ session, changed: stat.mtimeMs, ...(summary ? { summary } : {}) })
        }
      }
      return found.sort((a, b) => b.changed - a.changed)
    },

    async open({ session, cwd }) {
      const folder = (await find(session)) ?? (cwd === undefined ? undefined : folderOf(session, cwd))
      if (folder === undefined) throw sessionNotFoundError(session)
      known.set(session, folder)
      const path = join(folder, NAME)
      files.makeDirectorySync(folder, 0o700)
      const lock = await waitForLock(`${path}.lock`, ports)
      if ('holder' in lock) {
        const { pid, host } = lock.holder
        const text =
          session === FEED_LOG_NAME
            ? `Another server has the sessions in ${projects} (process ${pid} on ${host}). Use that one, stop it, or set CLAUDE_CONFIG_DIR to another folder.`
            : `Session ${session} is open in process ${pid} on ${host}.`
        throw new KedgeError('session_in_use', text)
      }
      const { count, end, size } = await countCompleteLines(files, path).catch((error: unknown) => {
        lock.release()
        throw error
      })
      // A process was killed in the middle of a line, which was never confirmed.
      if (size > end) await files.truncate(path, end)
      let last = count
      let length = end
      return {
        get last() {
          return last
        },
        async append(entries) {
          if (!lock.isHeld()) throw fencedError(session)
          const text = entries.map(entryToJsonLine).join('')
          try {
            files.appendSync(path, text)
          } catch (error) {
            // All or none: a part of it may be there.
            await files.truncate(path, length).catch(() => {})
            throw error
          }
          lines.wrote(path, { seq: last + 1, offset: length, count: entries.length })
          last += entries.length
          length += Buffer.byteLength(text)
        },
        summarize: (summary) => files.replace(join(folder, SUMMARY), JSON.stringify(summary), 0o600).then(() => {}),
        release: async () => lock.release(),
      }
    },

    async *read(session, after) {
      const folder = await find(session)
      if (folder !== undefined) yield* lines.entries(join(folder, NAME), session, after)
    },

    async *readTexts(session, after) {
      const folder = await find(session)
      if (folder !== undefined) yield* lines.texts(join(folder, NAME), session, after)
    },

    async receive({ session, cwd = '' }, given) {
      const folder = folderOf(session, cwd)
      const isTaken = async () => (await find(session)) !== undefined
      await receiveLog(folder, given, { files, name: ports.token(), isTaken }).catch((error: unknown) => {
        throw error === TAKEN ? sessionInUseError(session) : error
      })
      known.set(session, folder)
    },

    async remove(session) {
      const folder = await find(session)
      if (folder === undefined || session === FEED_LOG_NAME) return
      known.delete(session)
      lines.forget(join(folder, NAME))
      for (const name of [NAME, SUMMARY]) await files.remove(join(folder, name))
      // The folder may hold more.
      await files.removeFolder(folder).catch(() => {})
    },
  }
}

const TAKEN = new Error('There is a log already.')

async function receiveLog(
  folder: string,
  given: AsyncIterable<readonly LogEntry[]>,
  { files, name, isTaken }: { files: FileSystem; name: string; isTaken(): Promise<boolean> },
): Promise<void> {
  const path = join(folder, NAME)
  // Written under a name that readers ignore until it is complete.
  const temporary = `${path}.${name}`
  files.makeDirectorySync(folder, 0o700)
  try {
    files.createSync(temporary, '')
    for await (const entries of given) files.appendSync(temporary, entries.map(entryToJsonLine).join(''))
    if ((await isTaken()) || files.existsSync(path)) throw TAKEN
    await files.rename(temporary, path)
  } catch (error) {
    await files.remove(temporary)
    await files.removeFolder(folder).catch(() => {})
    throw error
  }
}

async function namesIn(files: FileSystem, folder: string): Promise<string[]> {
  try {
    return await files.list(folder)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemErrorCode(error) ?? '')) return []
    throw error
  }
}

async function readSummary(files: FileSystem, path: string): Promise<LogSummary | undefined> {
  try {
    return JSON.parse(files.readTextSync(path, 64 * 1024)) // written by `summarize`
  } catch {
    return undefined
  }
}
