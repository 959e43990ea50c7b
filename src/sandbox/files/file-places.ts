/**
 * Where a path leads on the real file system, one component at a time. Looks are taken on the spot: a command needs a hundred of
 * them, and asking another thread each time takes ten times as long.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  type Stats,
} from 'node:fs'
import { basename, dirname, join } from '../../platform/paths.js'

export type PathLookupResult =
  | { kind: 'there'; path: string }
  /** The first component that does not exist. */
  | { kind: 'missing'; path: string }
  /** The first component that is a symbolic link. */
  | { kind: 'link'; path: string; target: string }

/** Undefined when there is nothing, or nothing we may look at: then the command, being the same user, may not either. */
export type StatOrNothing = (path: string) => Promise<Stats | undefined>

export const statOrNothing: StatOrNothing = async (path) =>
  tryOrUndefined(() => lstatSync(path, { throwIfNoEntry: false }))

/** For many names in few folders, most of which are not there: reads each folder once. For a moment's use. */
export function createCachedStat(): StatOrNothing {
  const listings = new Map<string, Promise<ReadonlySet<string> | undefined>>()
  return async (path) => {
    const folder = dirname(path)
    const listing = listings.get(folder) ?? list(folder)
    listings.set(folder, listing)
    return (await listing)?.has(basename(path)) === false ? undefined : statOrNothing(path)
  }
}

async function list(folder: string): Promise<ReadonlySet<string> | undefined> {
  return tryOrUndefined(() => new Set(readdirSync(folder)))
}

/** Undefined when it throws: files come and go, and not all may be looked at. */
export function tryOrUndefined<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch {
    return undefined
  }
}

/** Marks the empty folders we make (placeholders.ts), also those of a session that could not remove them any more. */
export const PLACEHOLDER_FOLDER_MARKER_MTIMES = { own: 1_000_000_000, shared: 1_000_000_002 }

/** Something put into it would have changed the time. */
export function isPlaceholder(stats: Stats): boolean {
  return stats.isDirectory() && Object.values(PLACEHOLDER_FOLDER_MARKER_MTIMES).includes(stats.mtimeMs / 1000)
}

/** Follows `parts` down from `root`, which is real. A file in the way of further parts counts as the place. */
export async function followLinks(
  root: string,
  parts: readonly string[],
  look: StatOrNothing,
): Promise<PathLookupResult> {
  let path = root
  for (const part of parts) {
    path = join(path, part)
    const stats = await look(path)
    if (!stats || isPlaceholder(stats)) return { kind: 'missing', path }
    if (stats.isSymbolicLink()) return { kind: 'link', path, target: readlinkSync(path) }
    if (!stats.isDirectory()) break
  }
  return { kind: 'there', path }
}

/** All links resolved, also above a part that does not exist. */
export async function resolveLinks(path: string): Promise<string> {
  // Most do not exist, and an error takes longer than a look.
  const real = (await statOrNothing(path)) && tryOrUndefined(() => realpathSync.native(path))
  if (real !== undefined) return real
  const parent = dirname(path)
  return parent === path ? path : join(await resolveLinks(parent), basename(path))
}

/**
 * Can a command get to this real path? Root gives up its rights in the sandbox, so that what belongs to others is closed to it
 * like to anybody. Only when that is certain the answer is no: a group, or an access list, which shows as one, may let it in.
 */
export async function isReachableWithoutRoot(path: string): Promise<boolean> {
  if (process.geteuid?.() !== 0) return true
  const folder = dirname(path)
  if (folder === path) return true
  const stats = await statOrNothing(folder)
  const isClosed = stats !== undefined && stats.uid !== 0 && (stats.mode & 0o011) === 0
  return !isClosed && isReachableWithoutRoot(folder)
}

/**
 * Returns the content of a regular file. Undefined for what isn't a file: a pipe in its place would keep us waiting for
 * ever.
 */
export function readRegularFile(path: string): string | undefined {
  const descriptor = tryOrUndefined(() => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK))
  if (descriptor === undefined) return undefined
  try {
    return fstatSync(descriptor).isFile() ? readFileSync(descriptor, 'utf8') : undefined
  } finally {
    closeSync(descriptor)
  }
}
