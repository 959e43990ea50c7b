/** Where the words of a command line point: the folders it may stand in, and the paths its words may mean there. */

import { resolve } from '../../platform/paths.js'
import type { PathFinder, Place } from '../paths.js'
import { toAbsolute } from '../paths.js'
import { programOf, type SimpleCommand, type Word } from './syntax.js'

/** `glob`: the place is the folder the glob starts in; what it matches is somewhere below. */
export type Target = { place: Place; glob: boolean }

const MOST_FOLDERS = 16

export class Whereabouts {
  readonly #finder: PathFinder
  readonly #home: string
  /** Every folder the command line may stand in at some point: a `cd` may fail, or happen in a subshell. */
  readonly folders: readonly string[]
  /** It may stand somewhere that is only known at run time. */
  readonly lost: boolean

  constructor(commands: readonly SimpleCommand[], cwd: string, home: string, finder: PathFinder) {
    this.#finder = finder
    this.#home = home
    const folders = new Set([cwd])
    let lost = false
    for (const { words } of commands) {
      const program = programOf(words)
      if (program === 'popd') lost = true
      if (program !== 'cd' && program !== 'pushd') continue
      const target = words.slice(1).find((word) => !/^-[LPe@n]+$/.test(word.value) && word.value !== '--')
      const value = target?.value ?? '~'
      if (target?.dynamic || target?.glob || /^[-+]/.test(value) || /^~[^/]/.test(value)) lost = true
      else for (const folder of [...folders]) folders.add(resolve('/', toAbsolute(value, folder, home)))
      if (folders.size > MOST_FOLDERS) lost = true
      if (lost) break
    }
    this.folders = [...folders]
    this.lost = lost
  }

  /** Every place a word may mean; undefined when that is only known at run time. */
  async locate(word: Word): Promise<Target[] | undefined> {
    if (word.pipe || word.value === '') return []
    if (word.dynamic) return undefined
    if (word.tilde && !/^~(?:\/|$)/.test(word.value)) return undefined
    const glob = word.glob
    if (glob && word.value.slice(word.head.length).split('/').includes('..')) return undefined
    const path = glob ? word.head.slice(0, word.head.lastIndexOf('/') + 1) || '.' : word.value
    const absolute = path.startsWith('/') || word.tilde
    if (!absolute && this.lost) return undefined
    const folders = absolute ? this.folders.slice(0, 1) : this.folders
    return Promise.all(
      folders.map(async (folder) => {
        // A quoted `~` is a name like any other.
        const full = word.tilde
          ? toAbsolute(path, folder, this.#home)
          : path.startsWith('/')
            ? path
            : `${folder}/${path}`
        return { place: await this.#finder.place(full), glob }
      }),
    )
  }
}
