/** Where a path leads: its normal spelling, and the one after every link was followed. Both are judged, always. */
import type { FileSystem } from '../platform/files.js'
import { basename, dirname, isAbsolute, isInside, join, resolve } from '../platform/paths.js'

export type LinkReader = Pick<FileSystem, 'lstat' | 'realpath'>

export type Place = {
  readonly lexical: string
  /** Undefined: a link on the way can't be followed (dangling, a loop, no access), so nobody knows where it leads. */
  readonly real: string | undefined
}

/** Looks each path up once; made new for every decision, because links can change between two. */
export class PathFinder {
  readonly #files: LinkReader
  readonly #places = new Map<string, Promise<Place>>()

  constructor(files: LinkReader) {
    this.#files = files
  }

  /** `path` is absolute and may hold `..`, which after a link does not mean what it looks like. */
  place(path: string): Promise<Place> {
    const found = this.#places.get(path) ?? this.#find(path)
    this.#places.set(path, found)
    return found
  }

  async isWithin(place: Place, directories: readonly string[]): Promise<boolean> {
    if (place.real === undefined) return false
    const places = await Promise.all(directories.map((directory) => this.place(directory)))
    const real = place.real
    return (
      places.some(
        (p) => isInside(place.lexical, p.lexical) || (p.real !== undefined && isInside(place.lexical, p.real)),
      ) && places.some((p) => p.real !== undefined && isInside(real, p.real))
    )
  }

  async #find(path: string): Promise<Place> {
    const lexical = resolve('/', path)
    try {
      return { lexical, real: hasInnerParent(path) ? await this.#walk(path) : await this.#follow(lexical) }
    } catch {
      return { lexical, real: undefined }
    }
  }

  /** The real path of the nearest ancestor that exists, and the rest as it is written. */
  async #follow(path: string): Promise<string> {
    if (await this.#files.lstat(path)) return this.#files.realpath(path)
    const parent = dirname(path)
    return parent === path ? path : join(await this.#follow(parent), basename(path))
  }

  /** As the kernel does it: a `..` leaves the folder the link led to, not the one that holds the link. */
  async #walk(path: string): Promise<string> {
    let current = '/'
    for (const segment of path.split('/')) {
      if (segment === '' || segment === '.') continue
      current = segment === '..' ? dirname(current) : await this.#follow(join(current, segment))
    }
    return current
  }
}

/** An absolute path from what a tool or a command line names. `file:` addresses and the like are not paths. */
export function toAbsolute(path: string, cwd: string, home: string): string {
  if (path === '~') return home
  if (path.startsWith('~/')) return `${home}/${path.slice(2)}`
  return isAbsolute(path) ? path : `${cwd}/${path}`
}

function hasInnerParent(path: string): boolean {
  return path.split('/').includes('..')
}
