/** Where the words of a command line point: the folders it may stand in, and the paths its words may mean there. */
import { resolve } from '../../platform/posix-paths.js'
import type { PathFinder, PathLocation } from '../path-finder.js'
import { isDecodableFileName, LONGEST_PATH, toAbsolute } from '../path-finder.js'
import { knowledgeOf } from './programs/program-table.js'
import { expandGlob } from './syntax/globs.js'
import { createLiteralWord, sliceWord } from './syntax/shell-words.js'
import { programNameOrEmpty, programOf, type ShellWord, type SimpleCommand } from './syntax/syntax.js'

/**
 * A place that a word of a command line means. `glob`: the place is the folder that this glob starts in; what it
 * finds is somewhere below.
 */
export type PathTarget = { place: PathLocation; glob?: string | undefined }

const MOST_FOLDERS = 16
/** Limit on lookups of words in folders: a user reads no list of more files, and each lookup takes time. */
const MOST_LOOKS = 800

export class PathResolver {
  readonly finder: PathFinder
  readonly home: string
  /** Globs find other names than usual: hidden ones, or none at all. */
  readonly #otherGlobs: boolean
  readonly #located = new Map<string, Promise<PathTarget[] | undefined>>()
  #looks = 0
  #exhausted = false
  /** Every folder the command line may stand in at some point: a `cd` may fail, or happen in a subshell. */
  readonly folders: readonly string[]
  /** Where it starts. */
  readonly start: string
  /** It may stand somewhere that is only known at run time. */
  readonly lost: boolean
  /** It may stand somewhere else than where it starts. */
  readonly moved: boolean
  /** Where each `cd` leads, from wherever it may stand then. */
  readonly #entered = new Map<SimpleCommand, readonly string[]>()

  constructor(commands: readonly SimpleCommand[], cwd: string, home: string, finder: PathFinder) {
    this.finder = finder
    this.home = home
    let folders = new Set([cwd])
    let lost = false
    const hasMoved = () => folders.size > 1 || !folders.has(cwd)
    this.#otherGlobs = commands.some(changesGlobs)
    for (const command of commands) {
      if (isLosing(command.words)) lost = true
      for (const target of entered(command.words)) {
        const { value } = target
        // Each time round it continues from where it came to the time before.
        if (command.repeated && !value.startsWith('/') && !target.tilde) lost = true
        // `cd` goes up from what a folder is called, programs from where it is; after a `cd` through a link these differ.
        else if (hasMoved() && isUpward(value) && !isChange(command.words)) lost = true
        else if (target.dynamic || target.glob || isTooLongForPath(target) || isUnclear(target)) lost = true
        else if (/^[-+]/.test(value) || /^~[^/]/.test(value)) lost = true
        else {
          const reached = [...folders].map((folder) => resolve('/', toAbsolute(value, folder, home)))
          if (isChange(command.words)) this.#entered.set(command, reached)
          folders = new Set(command.leads ? reached : [...folders, ...reached])
        }
      }
      if (folders.size > MOST_FOLDERS) lost = true
      if (lost) break
    }
    this.folders = [...folders]
    this.start = cwd
    this.lost = lost
    this.moved = lost || this.folders.some((folder) => folder !== resolve('/', cwd))
  }

  /** Where a `cd` leads. Undefined: it is none, or that is only known at run time. */
  async entered(command: SimpleCommand): Promise<PathLocation[] | undefined> {
    const paths = this.#entered.get(command)
    return paths && Promise.all(paths.map((path) => this.finder.place(path)))
  }

  /** True if the limit of lookups was reached: the locations of later words are unknown. */
  get exhausted(): boolean {
    return this.#exhausted
  }

  /** Every place a word may mean; undefined when that is only known at run time, or never, or there are too many. */
  locate(word: ShellWord): Promise<PathTarget[] | undefined> {
    if (word.from) return this.#find(word)
    const key = `${word.pipe} ${word.dynamic} ${word.tilde} ${word.glob} ${word.head.length} ${word.value}`
    const known = this.#located.get(key)
    if (known) return known
    this.#looks += this.folders.length
    if (this.#looks > MOST_LOOKS) this.#exhausted = true
    const found = this.#exhausted ? Promise.resolve(undefined) : this.#find(word)
    this.#located.set(key, found)
    return found
  }

  async #find(word: ShellWord): Promise<PathTarget[] | undefined> {
    if (word.pipe || word.value === '') return []
    if (word.dynamic || isTooLongForPath(word) || isUnclear(word)) return undefined
    if (word.tilde && !/^~(?:\/|$)/.test(word.value)) return undefined
    const absolute = word.value.startsWith('/') || word.tilde
    if (!absolute && this.lost) return undefined
    const folders = absolute ? this.folders.slice(0, 1) : this.folders
    const targets: PathTarget[] = []
    for (const folder of folders) {
      const found = word.glob ? await this.#glob(word, folder) : [await this.#target(this.#path(word, folder))]
      if (!found || found.some(isOwnView)) return undefined
      targets.push(...found)
    }
    return targets
  }

  async #target(path: string): Promise<PathTarget> {
    return { place: await this.finder.place(path) }
  }

  /** The folder a glob starts in, and where the links lead that it finds there. */
  async #glob(word: ShellWord, cwd: string): Promise<PathTarget[] | undefined> {
    if (this.#otherGlobs) return undefined
    const { folder, pattern } = await this.#split(word, cwd)
    if (pattern.split('/').includes('..')) return undefined
    const at = realPathOf(folder)
    const found = word.from ? await this.#copied(word.from, at, cwd) : await expandGlob(at, pattern, this.finder, false)
    if (found === undefined) this.#exhausted = true
    if (!found) return undefined
    return [{ place: folder, glob: pattern }, ...(await Promise.all(found.map((path) => this.#target(path))))]
  }

  /** Returns all paths that a glob finds now, as named from where the command runs; undefined if they are unknown. */
  async found(word: ShellWord): Promise<string[] | undefined> {
    const [cwd, ...others] = this.folders
    if (cwd === undefined || others.length > 0 || this.lost || this.#otherGlobs) return undefined
    const { folder, pattern } = await this.#split(word, cwd)
    const at = realPathOf(folder)
    const paths = await expandGlob(at, pattern, this.finder, true)
    return paths?.map((path) => path.slice(at.length + 1))
  }

  /** What the files another glob finds are called in the folder they are put into. */
  async #copied(source: ShellWord, to: string, cwd: string): Promise<string[] | null | undefined> {
    const { folder, pattern } = await this.#split(source, cwd)
    const found = await expandGlob(realPathOf(folder), pattern, this.finder, true)
    return found ? found.map((path) => `${to}/${path.slice(path.lastIndexOf('/') + 1)}`) : found
  }

  async #split(word: ShellWord, cwd: string): Promise<{ folder: PathLocation; pattern: string }> {
    const start = word.head.slice(0, word.head.lastIndexOf('/') + 1)
    const folder = await this.finder.place(start === '' ? cwd : this.#path({ ...word, value: start }, cwd))
    return { folder, pattern: word.value.slice(start.length) }
  }

  #path({ value, tilde }: ShellWord, folder: string): string {
    // A quoted `~` is a name like any other.
    if (tilde) return toAbsolute(value, folder, this.home)
    return value.startsWith('/') ? value : `${folder}/${value}`
  }
}

/** The kernel does not take it for a path, but a program may, piece by piece. */
export function isTooLongForPath({ value }: ShellWord): boolean {
  return value.length > LONGEST_PATH
}

/** Escapes in `$'…'` that every shell reads alike. Others stand for bytes, or end the word. */
const PLAIN_ESCAPES = /^(?:[^\\]|\\[\\'"?abefnrtvE])*$/

/** Might the shell open another path than the one that it reads as? */
function isUnclear({ value, source }: ShellWord): boolean {
  if (!isDecodableFileName(value)) return true
  return [...source.matchAll(/\$'((?:[^'\\]|\\[\s\S])*)'/g)].some(([, text = '']) => !PLAIN_ESCAPES.test(text))
}

/** Returns the real path, or the written one if the real one is unknown. */
export function realPathOf({ real, lexical }: PathLocation): string {
  return real ?? lexical
}

/** What these mean depends on the process: ours sees another file there than the command does. */
function isOwnView({ place, glob }: PathTarget): boolean {
  const own = (path: string) =>
    /^\/(?:proc\/(?:self|thread-self|\d+)|dev\/fd)(?:\/|$)/.test(glob === undefined ? path : `${path}/self`)
  return [place.lexical, ...(place.via ?? []), realPathOf(place)].some(own)
}

/**
 * Where these lead is not told by their words: to a folder of the stack, to the other one, or (`-P`) to where links lead, so that
 * what comes after continues from there and not from what it is called.
 */
function isLosing(words: readonly ShellWord[]): boolean {
  const program = programOf(words)
  const args = words.slice(1)
  if (program === 'popd') return true
  if (program === 'pushd' && !args.some(({ value }) => !value.startsWith('-'))) return true
  return isChange(words) && args.some(({ value }) => /^-[a-zA-Z@]*P/.test(value))
}

/** `shopt -s dotglob`, `GLOBIGNORE=x`, `bash -O …`: what a `*` finds is told by more than its folder. */
function changesGlobs({ words, assignments, values = [] }: SimpleCommand): boolean {
  const names = /GLOBIGNORE|BASHOPTS|SHELLOPTS/
  return (
    programOf(words) === 'shopt' ||
    words.some(({ value }) => names.test(value) || /^[-+]O$/.test(value)) ||
    [...assignments, ...values].some(({ name }) => names.test(name))
  )
}

function isChange(words: readonly ShellWord[]): boolean {
  return /^(?:cd|pushd)$/.test(programNameOrEmpty(words))
}

function isUpward(path: string): boolean {
  return path.split('/').includes('..')
}

/** The folders a command goes to, before or while it does what it does. */
function entered(words: readonly ShellWord[]): ShellWord[] {
  if (isChange(words)) {
    const target = words.slice(1).find((word) => !/^-[LPe@n]+$/.test(word.value) && word.value !== '--')
    return [target ?? createLiteralWord('~')]
  }
  const option = knowledgeOf(programNameOrEmpty(words))?.obeys?.enters
  if (!option) return []
  return words.flatMap((word, i) => {
    if (!option.test(word.value)) return /^-C[^=]/.test(word.value) ? [sliceWord(word, 2)] : []
    const next = words[i + 1]
    const equals = word.value.indexOf('=')
    return equals >= 0 ? [sliceWord(word, equals + 1)] : next ? [next] : []
  })
}
