/**
 * Programs that another user might have put in the way: folders of PATH that a repository or every user of the machine
 * can write to.
 */
import { delimiter, isAbsolute, isInsidePosix, join } from '../../platform/posix-paths.js'
import { PathFinder, type PathFinderFiles, type PathLocation } from '../path-finder.js'

const WRITABLE_BY_ALL = 0o002
/**
 * Many programs are scripts that look for one of these on their own: `npm` for `node`, a shim of `python3` for `bash`.
 */
const INTERPRETERS = ['env', 'sh', 'bash', 'node', 'python', 'python3', 'perl', 'ruby']

/** What stands there (asdf, mise, pyenv, rbenv and the like) runs the program that a file of the project names. */
const SHIMS = /\/shims\/?$/

/** These obey one file, by which they choose among the versions that the user has installed. */
const SHIMS_OF_ONE = /\/\.(pyenv|rbenv|nodenv|goenv|jenv)\/shims\/?$/
const VERSIONS: Readonly<Record<string, string>> = {
  pyenv: '.python-version',
  rbenv: '.ruby-version',
  nodenv: '.node-version',
  goenv: '.go-version',
  jenv: '.java-version',
}

type Folder = { place: PathLocation; isOpen: boolean; isShims: boolean }

type PlantingContext = {
  /** Other programs that it starts by name. */
  starts?: readonly string[]
  /** Whether a file of the project names the version that a shim would run. */
  hasVersion?: (file: string) => Promise<boolean>
}

export class PlantedProgramFinder {
  readonly #files: PathFinderFiles
  readonly #path: () => string | undefined
  /** What a folder of PATH is changes as seldom as PATH itself: it is looked at once. */
  readonly #folders = new Map<string, Promise<Folder>>()

  /** Another variable of the environment that commands get. */
  readonly variable: (name: string) => string | undefined

  constructor(
    files: PathFinderFiles,
    path: () => string | undefined,
    variable: (name: string) => string | undefined = () => undefined,
  ) {
    this.#files = files
    this.#path = path
    this.variable = variable
  }

  /** Is there a program of this name, or one that it starts, where it could be planted? Relative parts do not count: commands run without them. */
  async mayBePlanted(
    name: string,
    directories: readonly string[],
    { starts = [], hasVersion = async () => true }: PlantingContext = {},
  ): Promise<boolean> {
    const needed = [name, ...starts]
    for (const folder of (this.#path() ?? '').split(delimiter)) {
      if (!isAbsolute(folder)) continue
      const known = this.#folders.get(folder) ?? this.#look(folder)
      this.#folders.set(folder, known)
      const { place, isOpen, isShims } = await known
      const isUntrusted = isOpen || isWithin(place, directories)
      const versioned = SHIMS_OF_ONE.exec(folder)?.[1]
      if (!isUntrusted && isShims && versioned && !(await hasVersion(VERSIONS[versioned] ?? ''))) continue
      for (const program of isUntrusted ? [...needed, ...INTERPRETERS] : isShims ? needed : [])
        if (await this.#files.lstat(join(place.real ?? folder, program)).catch(() => undefined)) return true
    }
    return false
  }

  /** Is it in a folder of PATH that belongs to a project, or does it hold one? A program could be planted there. */
  async isSearched(path: string, directories: readonly string[]): Promise<boolean> {
    for (const folder of (this.#path() ?? '').split(delimiter)) {
      if (!isAbsolute(folder)) continue
      const known = this.#folders.get(folder) ?? this.#look(folder)
      this.#folders.set(folder, known)
      const { place } = await known
      if (!isWithin(place, directories)) continue
      const names = [place.lexical, place.real ?? place.lexical]
      if (names.some((name) => isInsidePosix(path, name) || isInsidePosix(name, path))) return true
    }
    return false
  }

  async #look(folder: string): Promise<Folder> {
    const place = await new PathFinder(this.#files).place(folder)
    const stat = await this.#files.lstat(place.real ?? folder).catch(() => undefined)
    const isOpen = stat?.kind === 'directory' && (stat.mode & WRITABLE_BY_ALL) !== 0
    return { place, isOpen, isShims: SHIMS.test(folder) }
  }
}

/** By either of its names. Who makes the whole disk a working directory means no project by it. */
function isWithin({ lexical, real = lexical }: PathLocation, directories: readonly string[]): boolean {
  return directories.some(
    (directory) => directory !== '/' && (isInsidePosix(lexical, directory) || isInsidePosix(real, directory)),
  )
}
