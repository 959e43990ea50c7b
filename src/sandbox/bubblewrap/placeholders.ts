/**
 * Empty folders at names that must not come into being while a command runs: a mount needs something to be mounted upon. A
 * folder also where a file is meant, because git does not see empty folders, and removing one can't remove anything else.
 */
import {
  closeSync,
  constants,
  futimesSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
} from 'node:fs'
import { rmdir } from 'node:fs/promises'
import { withHeldFolder } from '../../platform/files/held-folder.js'
import { basename, dirname } from '../../platform/paths.js'
import { isPlaceholder, PLACEHOLDER_FOLDER_MARKER_MTIMES, statOrNothing, tryOrUndefined } from '../files/file-places.js'

export interface MountPlaceholders {
  /** Says which could not be made because we may not write there, so that the command can't either. */
  take(paths: readonly string[]): Promise<{ impossible: ReadonlySet<string> }>
  /** Removes those nobody needs any more. */
  give(paths: readonly string[]): Promise<void>
}

const NOT_WRITABLE = ['EACCES', 'EPERM', 'EROFS']

export function createMountPlaceholders(): MountPlaceholders {
  const holders = new Map<string, number>()

  /** False when nobody can. */
  const make = async (path: string): Promise<boolean> => {
    const isHeld = holders.has(path)
    holders.set(path, (holders.get(path) ?? 0) + 1)
    try {
      await inItsFolder(path, (here) => {
        mkdirSync(here)
        mark(here, PLACEHOLDER_FOLDER_MARKER_MTIMES.own)
      })
      return true
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : ''
      if (code === 'EEXIST') {
        if (!isHeld) await share(path)
        return true
      }
      release(path)
      if (NOT_WRITABLE.includes(code)) return false
      throw error
    }
  }
  /** True for the last one. */
  const release = (path: string): boolean => {
    const others = (holders.get(path) ?? 1) - 1
    if (others > 0) holders.set(path, others)
    else holders.delete(path)
    return others === 0
  }

  return {
    async take(paths) {
      const results = await Promise.allSettled(paths.map(make))
      const failed = results.find((result) => result.status === 'rejected')
      const isMade = results.map((result) => result.status === 'fulfilled' && result.value)
      if (failed) {
        await this.give(paths.filter((_, i) => isMade[i]))
        throw failed.reason
      }
      return { impossible: new Set(paths.filter((_, i) => !isMade[i])) }
    },
    async give(paths) {
      const free = paths.filter(release)
      await Promise.all(
        free.map((path) =>
          inItsFolder(path, async (here) => {
            const stats = await statOrNothing(here)
            if (!stats || !isPlaceholder(stats) || holders.has(path)) return
            const isShared = stats.mtimeMs === PLACEHOLDER_FOLDER_MARKER_MTIMES.shared * 1000
            // Unlike the making it has to wait for others, when the machine is busy: so all of them at once.
            if (!(isShared && isMountPoint(path))) await rmdir(here)
          }).catch(() => undefined),
        ),
      )
    },
  }
}

/** Another session, or one that was killed, left it: from now on nobody removes it without looking who relies on it. */
async function share(path: string): Promise<void> {
  await inItsFolder(path, async (here) => {
    const stats = await statOrNothing(here)
    if (stats && isPlaceholder(stats)) tryOrUndefined(() => mark(here, PLACEHOLDER_FOLDER_MARKER_MTIMES.shared))
  })
}

/** In the very folder: a command that still runs may put a link in its place. */
function inItsFolder(path: string, work: (here: string) => void | Promise<void>): Promise<void> {
  return withHeldFolder(dirname(path), { exact: true }, ({ at }) => work(at(basename(path))))
}

/** Follows no link. */
function mark(path: string, time: number): void {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    futimesSync(descriptor, time, time)
  } finally {
    closeSync(descriptor)
  }
}

/** For a process of this user that sees other mounts than we do; removing the folder would remove its mount as well. */
function isMountPoint(path: string): boolean {
  const uid = process.geteuid?.()
  const seen = new Set([tryOrUndefined(() => readlinkSync('/proc/self/ns/mnt')), undefined])
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    if (lstatSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid !== uid) continue
    const namespace = tryOrUndefined(() => readlinkSync(`/proc/${pid}/ns/mnt`))
    if (seen.has(namespace)) continue
    seen.add(namespace)
    const lines = (tryOrUndefined(() => readFileSync(`/proc/${pid}/mountinfo`, 'utf8')) ?? '').split('\n')
    if (lines.some((line) => decodeField(line.split(' ')[4] ?? '') === path)) return true
  }
  return false
}

/** Blanks and the like are written as octal numbers there. */
function decodeField(field: string): string {
  return field.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)))
}
