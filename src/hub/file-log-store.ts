/** Logs as files: `hub.log` in the folder beside the transcript, line n is entry n, removed with the session. */
import { KedgeError } from '../errors.js'
import { Buffer } from '../platform/bytes.js'
import { codeOf } from '../platform/files/file-stat.js'
import type { FileSystem } from '../platform/files/files.js'
import { join } from '../platform/paths.js'
import { isObject } from '../protocol/json.js'
import { type LockPorts, waitForLock } from '../sessions/session-lock.js'
import type { Entry, WrittenEntry } from './entries.js'
import { endOfLines, linesFrom } from './log-lines.js'
import type { HubStore, LogSummary, StoredLog } from './log-store.js'
import { fenced, inUse, notFound } from './memory-log-store.js'

/** Not `.jsonl`: what reads transcripts by that name has no use for it. */
const NAME = 'hub.log'
const SUMMARY = 'hub.json'

export type FileLogPorts = LockPorts & {
  /** The folder beside the transcript of a session. */
  folderOf(session: string, cwd: string): string
  /** The folder that holds those of all projects. */
  projects: string
  /** Where the log over all sessions is kept: `all` among the sessions, and not in their list. */
  feedFolder: string
}

/** Where an entry begins in its file. */
type Mark = { seq: number; offset: number }

export function fileLogStore(ports: FileLogPorts): HubStore {
  const { files, folderOf, projects, feedFolder } = ports
  /** Some places in each file, by path, in order: who comes late need not read from the beginning. */
  const marks = new Map<string, Mark[]>()
  /** Lines of each file, from the first on, that this process has written or read: they are whole. */
  const whole = new Map<string, number>()
  /** Folders of sessions that were looked for. */
  const known = new Map([['all', feedFolder]])

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

  /** Lines after a number, some at a time; `first` is the number of the first of them. */
  async function* linesAfter(path: string, after: number): AsyncGenerator<{ lines: string[]; first: number }, void> {
    const from = marks.get(path)?.findLast(({ seq }) => seq <= after + 1) ?? { seq: 1, offset: 0 }
    let next = from.seq
    for await (const { lines, start } of linesFrom(files, path, from.offset)) {
      remember(marks, path, { seq: next, offset: start })
      const first = next
      next += lines.length
      if (next - 1 <= after) continue
      const skipped = Math.max(0, after + 1 - first)
      yield { lines: skipped === 0 ? lines : lines.slice(skipped), first: first + skipped }
    }
  }

  return {
    async list() {
      const found: StoredLog[] = []
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
      if (folder === undefined) throw notFound(session)
      known.set(session, folder)
      const path = join(folder, NAME)
      files.makeDirectorySync(folder, 0o700)
      const lock = await waitForLock(`${path}.lock`, ports)
      if ('holder' in lock) {
        const { pid, host } = lock.holder
        throw new KedgeError('session_in_use', `Session ${session} is open in process ${pid} on ${host}.`)
      }
      const { count, end, size } = await endOfLines(files, path).catch((error: unknown) => {
        lock.release()
        throw error
      })
      // A process was killed in the middle of a line: nobody was told of it.
      if (size > end) await files.truncate(path, end)
      let last = count
      let length = end
      return {
        get last() {
          return last
        },
        async append(entries) {
          if (!lock.isHeld()) throw fenced(session)
          const text = entries.map(toLine).join('')
          try {
            files.appendSync(path, text)
          } catch (error) {
            // All or none: a part of it may be there.
            await files.truncate(path, length).catch(() => {})
            throw error
          }
          remember(marks, path, { seq: last + 1, offset: length })
          if ((whole.get(path) ?? 0) === last) whole.set(path, last + entries.length)
          last += entries.length
          length += Buffer.byteLength(text)
        },
        summarise: (summary) => files.replace(join(folder, SUMMARY), JSON.stringify(summary), 0o600).then(() => {}),
        release: async () => lock.release(),
      }
    },

    async *read(session, after) {
      const folder = await find(session)
      if (folder === undefined) return
      const path = join(folder, NAME)
      for await (const { lines, first } of linesAfter(path, after)) {
        const entries = lines.map((line, n) => toEntry(line, session, first + n))
        const broken = entries.findIndex(({ at }) => at === '')
        const end = first + (broken < 0 ? entries.length : broken) - 1
        const known = whole.get(path) ?? 0
        if (first <= known + 1 && end > known) whole.set(path, end)
        yield entries
      }
    },

    async *readTexts(session, after) {
      const folder = await find(session)
      if (folder === undefined) return
      const path = join(folder, NAME)
      const head = `{"session":${JSON.stringify(session)},`
      for await (const { lines, first } of linesAfter(path, after)) {
        const known = whole.get(path) ?? 0
        yield lines.map((line, n): WrittenEntry => {
          const seq = first + n
          const kind = seq <= known ? kindOf(line, seq) : undefined
          if (kind) return { seq, kind, text: head + line.slice(1) }
          const entry = toEntry(line, session, seq)
          return { seq, kind: entry.kind, text: JSON.stringify(entry) }
        })
      }
    },

    async receive({ session, cwd = '' }, given) {
      const folder = folderOf(session, cwd)
      const isTaken = async () => (await find(session)) !== undefined
      await receiveLog(folder, given, { files, name: ports.token(), isTaken }).catch((error: unknown) => {
        throw error === TAKEN ? inUse(session) : error
      })
      known.set(session, folder)
    },

    async remove(session) {
      const folder = await find(session)
      if (folder === undefined || session === 'all') return
      known.delete(session)
      marks.delete(join(folder, NAME))
      whole.delete(join(folder, NAME))
      for (const name of [NAME, SUMMARY]) await files.remove(join(folder, name))
      // The folder may hold more.
      await files.removeFolder(folder).catch(() => {})
    },
  }
}

const TAKEN = new Error('There is a log already.')

async function receiveLog(
  folder: string,
  given: AsyncIterable<readonly Entry[]>,
  { files, name, isTaken }: { files: FileSystem; name: string; isTaken(): Promise<boolean> },
): Promise<void> {
  const path = join(folder, NAME)
  // Of a name that nobody reads, until it is all there.
  const temporary = `${path}.${name}`
  files.makeDirectorySync(folder, 0o700)
  try {
    files.createSync(temporary, '')
    for await (const entries of given) files.appendSync(temporary, entries.map(toLine).join(''))
    if ((await isTaken()) || files.existsSync(path)) throw TAKEN
    await files.rename(temporary, path)
  } catch (error) {
    await files.remove(temporary)
    await files.removeFolder(folder).catch(() => {})
    throw error
  }
}

/** Marks closer than this would only take memory. */
const DISTANCE = 256 * 1024

function remember(marks: Map<string, Mark[]>, path: string, mark: Mark): void {
  const known = marks.get(path) ?? []
  const last = known.at(-1)
  if (last && mark.offset < last.offset + DISTANCE) return
  known.push(mark)
  marks.set(path, known)
}

function toLine({ session: _, ...entry }: Entry): string {
  return `${JSON.stringify(entry)}\n`
}

/** Undefined: not as `toLine` writes the entry of that number. */
function kindOf(line: string, seq: number): Entry['kind'] | undefined {
  const [, number, kind] = /^\{"seq":(\d+),"at":"[^"\\]+","kind":"(\w+)","data":/.exec(line) ?? []
  return Number(number) === seq && line.endsWith('}') ? (kind as Entry['kind']) : undefined // as it was written
}

/** A line that somebody damaged keeps its number: it says nothing, and the others are where they were. */
function toEntry(line: string, session: string, seq: number): Entry {
  const nothing: Entry = { session, seq, at: '', kind: 'state', data: {} }
  try {
    const entry = JSON.parse(line) // written by `toLine`
    return typeof entry?.kind === 'string' && isObject(entry.data) ? { session, ...entry, seq } : nothing
  } catch {
    return nothing
  }
}

async function namesIn(files: FileSystem, folder: string): Promise<string[]> {
  try {
    return await files.list(folder)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error) ?? '')) return []
    throw error
  }
}

async function readSummary(files: FileSystem, path: string): Promise<LogSummary | undefined> {
  try {
    return JSON.parse(files.readTextSync(path, 64 * 1024)) // written by `summarise`
  } catch {
    return undefined
  }
}
