/** Where a path leads: its normal spelling, those of the links on the way, and the one after every link was followed. All are judged. */
import type { FileStat, WorkspaceFiles } from '../platform/files/files.js'
import type { OpenFile } from '../platform/files/open-file.js'
import { dirname, isAbsolute, isInsidePosix, join, resolve } from '../platform/posix-paths.js'

/** Without `entries` a glob stands for all of its folder, and links it may find are not looked at; without `snapshot` and `open` no file can be read. */
export type PathFinderFiles = Pick<WorkspaceFiles, 'lstat' | 'readLink'> &
  Partial<Pick<WorkspaceFiles, 'entries' | 'realpath' | 'snapshot' | 'open'>>

type FolderEntry = Awaited<ReturnType<WorkspaceFiles['entries']>>[number]

export type PathLocation = {
  readonly lexical: string
  /** Undefined: a link on the way can't be followed (a loop, no access), so the target is unknown. */
  readonly real: string | undefined
  /** What the path is called after each link on the way but the last. */
  readonly via?: readonly string[]
  /** A file that has other names too: hard links, which may be anywhere. */
  readonly shared?: boolean
}

/** The kernel's limit on symbolic links in one path. */
const MOST_LINKS = 40
/** Those of a folder that are ever looked at, and one more to tell that there are others. */
const MOST_ENTRIES = 2_001
/** No system takes a longer one, whatever folder it starts from. */
export const LONGEST_PATH = 8192

/** False for a name that the disk has as bytes that aren't text: read as text, it is the name of something else. */
export function isDecodableFileName(name: string): boolean {
  return !/\uFFFD|[\uD800-\uDFFF]/u.test(name)
}

/** Looks each path up once; made new for every decision, because links can change between two. */
export class PathFinder {
  readonly #files: PathFinderFiles
  readonly #places = new Map<string, Promise<PathLocation>>()
  readonly #stats = new Map<string, Promise<FileStat | undefined>>()
  readonly #realpaths = new Map<string, Promise<string>>()
  readonly #entries = new Map<string, Promise<FolderEntry[]>>()

  constructor(files: PathFinderFiles) {
    this.#files = files
  }

  /** `path` is absolute and may hold `..`, which after a link does not mean what it looks like. */
  place(path: string): Promise<PathLocation> {
    const found = this.#places.get(path) ?? this.#find(path)
    this.#places.set(path, found)
    return found
  }

  async isWithin(place: PathLocation, directories: readonly string[]): Promise<boolean> {
    if (place.real === undefined) return false
    const places = await Promise.all(directories.map((directory) => this.place(directory)))
    const real = place.real
    return (
      places.some(
        (p) =>
          isInsidePosix(place.lexical, p.lexical) || (p.real !== undefined && isInsidePosix(place.lexical, p.real)),
      ) && places.some((p) => p.real !== undefined && isInsidePosix(real, p.real))
    )
  }

  /** What stands there, links not followed. Undefined: nothing, or nothing that may be looked at. */
  async kind(path: string): Promise<FileStat['kind'] | undefined> {
    return (await this.#look(resolve('/', path)).catch(() => undefined))?.kind
  }

  /** Where a link says that it leads. Undefined: it isn't one, or can't be read. */
  async target(path: string): Promise<string | undefined> {
    const target = await this.#files.readLink(path).catch(() => undefined)
    return target !== undefined && isDecodableFileName(target) ? target : undefined
  }

  /** What a folder holds, or `limit` of it, at most `MOST_ENTRIES`; nothing when it is none. */
  async entries(path: string, limit: number): Promise<FolderEntry[]> {
    const found = this.#entries.get(path) ?? this.#list(path)
    this.#entries.set(path, found)
    return (await found).slice(0, limit)
  }

  /** What a file holds, as it is now. Undefined: there is none; null: it is a link, too long, or can't be read. */
  async content(path: string, most: number): Promise<Uint8Array | null | undefined> {
    try {
      // A look that fails costs more than one that finds nothing.
      if (!(await this.#look(path))) return undefined
      return (await this.#files.snapshot?.(path, most))?.content ?? null
    } catch {
      return null
    }
  }

  /** What `use` makes of a file while it is held open. Undefined: there is none; null: it is a link, or can't be read. */
  async reading<T>(path: string, use: (file: OpenFile) => Promise<T>): Promise<T | null | undefined> {
    try {
      if (!(await this.#look(path))) return undefined
      const file = (await this.#files.open?.(path))?.file
      if (!file) return null
      try {
        return await use(file)
      } finally {
        await file.close()
      }
    } catch {
      return null
    }
  }

  /** Can it say what is in a folder? */
  get lists(): boolean {
    return this.#files.entries !== undefined
  }

  async #list(path: string): Promise<FolderEntry[]> {
    return (await this.#files.entries?.(path, MOST_ENTRIES).catch(() => [])) ?? []
  }

  async #find(path: string): Promise<PathLocation> {
    const lexical = resolve('/', path)
    const via: string[] = []
    try {
      const { at, rest, stat } = await this.#walk(path, via)
      // Disks that take `A` for `a` know what it is really called.
      const real = join(await this.#realpath(at), ...rest)
      const shared = stat?.kind === 'file' && stat.links > 1
      return { lexical, real, ...(via.length > 1 ? { via: via.slice(0, -1) } : {}), ...(shared ? { shared } : {}) }
    } catch {
      return { lexical, real: undefined, ...(via.length > 0 ? { via } : {}) }
    }
  }

  /**
   * As the kernel does it: a `..` leaves the folder a link led to, and a link to nothing leads where a file would be made.
   * `at` is there, `rest` is not.
   */
  async #walk(path: string, via: string[]): Promise<{ at: string; rest: string[]; stat: FileStat | undefined }> {
    if (path.length > LONGEST_PATH) throw new Error('too long')
    if (!isDecodableFileName(path)) throw new Error('not text')
    const names = path.split('/').reverse()
    const rest: string[] = []
    let at = '/'
    let stat: FileStat | undefined
    for (let name = names.pop(); name !== undefined; name = names.pop()) {
      if (name === '' || name === '.') continue
      if (name === '..') {
        stat = undefined
        if (rest.pop() === undefined) at = dirname(at)
        continue
      }
      const next = join(at, name)
      stat = rest.length > 0 ? undefined : await this.#look(next)
      if (!stat) rest.push(name)
      else if (stat.kind !== 'symlink') at = next
      else {
        if (via.length >= MOST_LINKS) throw new Error('too many links')
        const target = await this.#files.readLink(next)
        if (!isDecodableFileName(target)) throw new Error('not text')
        if (isAbsolute(target)) at = '/'
        names.push(...target.split('/').reverse())
        via.push(resolve(at, ...names.filter((segment) => segment !== '').reverse()))
      }
    }
    return { at, rest, stat }
  }

  async #realpath(at: string): Promise<string> {
    const known = this.#realpaths.get(at) ?? this.#files.realpath?.(at)
    if (!known) return at
    this.#realpaths.set(at, known)
    return known
  }

  #look(path: string): Promise<FileStat | undefined> {
    const seen = this.#stats.get(path) ?? this.#files.lstat(path)
    this.#stats.set(path, seen)
    return seen
  }
}

/** An absolute path from what a tool or a command line names. `file:` addresses and the like are not paths. */
export function toAbsolute(path: string, cwd: string, home: string): string {
  if (path === '~') return home
  if (path.startsWith('~/')) return `${home}/${path.slice(2)}`
  return isAbsolute(path) ? path : `${cwd}/${path}`
}
