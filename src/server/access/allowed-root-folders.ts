/** Where sessions may work: under the folders the server was started with, links followed. */
import { realpathSync, statSync } from 'node:fs'
import { isAbsolute, normalize, relative } from 'node:path'

export class AllowedRootFolders {
  readonly #roots: string[]
  /** They are on other machines. */
  readonly areRemote: boolean

  /** Throws when one of them is not there. `areRemote`: they are on other machines, which check them. */
  constructor(roots: readonly string[], { areRemote = false } = {}) {
    this.areRemote = areRemote
    if (areRemote) {
      this.#roots = roots.map((root) => normalize(root))
      return
    }
    this.#roots = roots.map((root) => {
      const real = realpathSync(root)
      if (!statSync(real).isDirectory()) throw new Error(`${root} is not a folder.`)
      return real
    })
  }

  get first(): string {
    return this.#roots[0] ?? ''
  }

  get all(): readonly string[] {
    return this.#roots
  }

  /** Returns the folder's real path; undefined if it isn't a folder under a root. */
  resolve(folder: string): string | undefined {
    if (!isAbsolute(folder) || folder.includes('\0')) return undefined
    if (this.areRemote) return this.#named(folder)
    try {
      const real = realpathSync(folder)
      return statSync(real).isDirectory() && this.#roots.some((root) => isInsideRoot(root, real)) ? real : undefined
    } catch {
      return undefined
    }
  }

  /** Also for one that is gone: a session may be looked at whose folder was removed. */
  holds(folder: string): boolean {
    if (this.resolve(folder) !== undefined) return true
    return !this.areRemote && !exists(folder) && this.#roots.some((root) => isInsideRoot(root, folder))
  }

  #named(folder: string): string | undefined {
    const named = normalize(folder).replace(/(.)\/$/, '$1')
    return this.#roots.some((root) => isInsideRoot(root, named)) ? named : undefined
  }
}

export function isInsideRoot(root: string, path: string): boolean {
  const way = relative(root, path)
  return way === '' || (!/^\.\.([/\\]|$)/.test(way) && !isAbsolute(way))
}

function exists(path: string): boolean {
  try {
    realpathSync(path)
    return true
  } catch {
    return false
  }
}
