/** The mailboxes of a team: one JSON file per member, each an array of messages. Nothing that was posted is lost. */
import type { FileSystem } from '../platform/files/files.js'
import { join } from '../platform/paths.js'
import type { RunWithFileLock } from './file-lock.js'

export type Mail = {
  from: string
  text: string
  summary?: string
  timestamp: string
  color?: string
  read: boolean
}

export type MailboxPorts = {
  files: Pick<FileSystem, 'readTextSync' | 'replace' | 'rename' | 'makeDirectorySync' | 'lstatSync'>
  whileLocked: RunWithFileLock
  /** The folder of the team. */
  folder: string
  now(): number
  sleep(ms: number): Promise<void>
  /** Somebody has mail, from this process. */
  onPosted?(name: string): void
}

export type Mailboxes = ReturnType<typeof createMailboxes>

/** Messages that were read stay for whoever looks at the files, but not for ever. */
const KEPT_READ = 500
const PAUSE_MS = 100
const MAX_BYTES = 256 * 1024 * 1024

export function createMailboxes({ files, whileLocked, folder, now, sleep, onPosted }: MailboxPorts) {
  const inboxes = join(folder, 'inboxes')
  const pathOf = (name: string) => join(inboxes, `${name}.json`)

  const write = (path: string, entries: readonly unknown[]) =>
    files.replace(path, `${JSON.stringify(entries, null, 2)}\n`)

  const change = <T>(name: string, edit: (entries: unknown[]) => { entries?: unknown[]; answer: T }): Promise<T> => {
    const path = pathOf(name)
    files.makeDirectorySync(inboxes, 0o700)
    return whileLocked(path, async () => {
      const { entries, answer } = edit(await load(path))
      if (entries) await write(path, withoutOld(entries))
      return answer
    })
  }

  /** A file that isn't a list of anything is put aside: its owner may want it back, and mail has to continue. */
  const load = async (path: string): Promise<unknown[]> => {
    for (const pause of [PAUSE_MS, 0]) {
      if (!files.lstatSync(path)) return []
      const entries = parse(files.readTextSync(path, MAX_BYTES))
      if (entries) return entries
      // Another program may be in the middle of writing it.
      if (pause > 0) await sleep(pause)
    }
    await files.rename(path, `${path}.${now()}.unreadable`)
    return []
  }

  return {
    pathOf,
    async post(name: string, mail: Omit<Mail, 'read' | 'timestamp'>): Promise<void> {
      const { from, text, summary, color } = mail
      const entry: Mail = {
        from,
        text,
        ...(summary === undefined ? {} : { summary }),
        timestamp: new Date(now()).toISOString(),
        ...(color === undefined ? {} : { color }),
        read: false,
      }
      await change(name, (entries) => ({ entries: [...entries, entry], answer: undefined }))
      onPosted?.(name)
    },
    /** All unread messages, oldest first; from here on they are read. */
    take(name: string): Promise<Mail[]> {
      return change(name, (entries) => {
        const unread = entries.filter(isUnread)
        if (unread.length === 0) return { answer: [] }
        const read = entries.map((entry) => (isUnread(entry) ? { ...entry, read: true } : entry))
        return { entries: read, answer: unread }
      })
    },
    /** A look without a lock: files are replaced as a whole. */
    hasUnread(name: string): boolean {
      try {
        return (parse(files.readTextSync(pathOf(name), MAX_BYTES)) ?? []).some(isUnread)
      } catch {
        return false
      }
    },
    /** Changes with every message, whoever writes it. */
    mark(name: string): string {
      const stat = files.lstatSync(pathOf(name))
      return stat ? `${stat.ino} ${stat.size} ${stat.mtimeMs}` : ''
    },
  }
}

function parse(text: string): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isUnread(entry: unknown): entry is Mail {
  if (typeof entry !== 'object' || entry === null) return false
  const { from, text, timestamp, read, summary = '', color = '' } = entry as Record<string, unknown> // any object can be looked into
  return read === false && [from, text, timestamp, summary, color].every((field) => typeof field === 'string')
}

function withoutOld(entries: unknown[]): unknown[] {
  const surplus = entries.filter((entry) => !isUnread(entry)).length - KEPT_READ
  let left = Math.max(0, surplus)
  return entries.filter((entry) => isUnread(entry) || --left < 0)
}
