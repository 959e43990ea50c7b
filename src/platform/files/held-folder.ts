/**
 * A folder held open, so that what is made, replaced or removed in it can't end up in another one that took its name.
 *
 * What it promises: names in it are looked up by the handle (Linux, and macOS where volumes can be addressed by number),
 * so a link that takes the place of the folder, or of one above it, leads nobody away. The folder itself may be moved by
 * whoever may do that; it is still the one that was judged, and `isInPlace` tells. Elsewhere names are looked up by path
 * and `isInPlace` is all there is: a swap is noticed before and after each step, but not in the middle of it.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { systemErrorCode } from './file-stat.js'

export interface HeldFolder {
  /** For system calls: this very folder, whatever stands at its path now. */
  readonly self: string
  /** The same for what is called `name` in it. */
  at(name: string): string
  /** Does it stand where it was found? If it was to be exact, also: is there no link on the way? */
  isInPlace(): boolean
  close(): void
}

export type HoldFolderOptions = {
  /** The path is a real one: reached by a link, or moved, it is refused (`ELOOP`). */
  exact: boolean
  /** Opened by this name instead, that of an entry of a folder which is held itself. */
  by?: string
}

/** Linux: no right to read the folder is needed, and nothing is opened in the sense that devices would notice. */
const O_PATH = process.platform === 'linux' ? 0o10000000 : constants.O_RDONLY

export function holdFolder(path: string, { exact, by = path }: HoldFolderOptions): HeldFolder {
  const fd = openFolder(path, by, exact)
  const self = fd === undefined ? path : nameOf(fd, path)
  const close = () => {
    if (fd !== undefined) closeSync(fd)
  }
  const isInPlace = () => !exact || (fd === undefined ? isReal(path) : isHandleAt(fd, path))
  if (!isInPlace()) {
    close()
    throw createMovedFolderError(path)
  }
  return { self, at: (name) => join(self, name), isInPlace, close }
}

/** Works in a folder that is held meanwhile. Errors name its path, not the handle. */
export async function withHeldFolder<T>(
  path: string,
  holding: HoldFolderOptions,
  work: (folder: HeldFolder) => T | Promise<T>,
): Promise<T> {
  const folder = holdFolder(path, holding)
  try {
    return await work(folder)
  } catch (error) {
    if (error instanceof Error) error.message = error.message.replaceAll(folder.self, path)
    throw error
  } finally {
    folder.close()
  }
}

export function createMovedFolderError(path: string): Error {
  const message = `ELOOP: the folder was moved or replaced by a link meanwhile, open '${path}'`
  return Object.assign(new Error(message), { code: 'ELOOP' })
}

/** Is this handle the file or folder at `path`, with no link on the way? */
export function isHandleAt(fd: number, path: string): boolean {
  if (process.platform === 'linux') {
    // The kernel's own word on what the handle is; without /proc the same is concluded from the outside.
    const found = orUndefined(() => readlinkSync(`/proc/self/fd/${fd}`))
    if (found !== undefined) return found === path
  }
  const [now, held] = [orUndefined(() => lstatSync(path)), fstatSync(fd)]
  return now?.ino === held.ino && now.dev === held.dev && isReal(path)
}

function openFolder(path: string, by: string, exact: boolean): number | undefined {
  // Folders can't be opened everywhere.
  if (process.platform === 'win32') return void statSync(by)
  const { O_DIRECTORY = 0, O_NOFOLLOW = 0 } = constants
  try {
    return openSync(by, O_PATH | O_DIRECTORY | (exact ? O_NOFOLLOW : 0))
  } catch (error) {
    // A link that is not followed isn't a folder to the kernel.
    if (exact && orUndefined(() => lstatSync(by))?.isSymbolicLink()) throw createMovedFolderError(path)
    if (error instanceof Error) error.message = error.message.replaceAll(dirname(by), dirname(path))
    throw error
  }
}

/** What the handle is called in paths; its path where the system has no other name for it. */
function nameOf(fd: number, path: string): string {
  if (process.platform === 'linux') {
    const name = `/proc/self/fd/${fd}`
    return orUndefined(() => readlinkSync(name)) === undefined ? path : name
  }
  const { dev, ino } = fstatSync(fd)
  const name = `/.vol/${dev}/${ino}`
  const found = process.platform === 'darwin' ? orUndefined(() => statSync(name)) : undefined
  return found?.dev === dev && found.ino === ino ? name : path
}

function isReal(path: string): boolean {
  return orUndefined(() => realpathSync.native(path)) === path
}

function orUndefined<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error
    return undefined
  }
}
