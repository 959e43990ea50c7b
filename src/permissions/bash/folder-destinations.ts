/** Folders that a command line puts somewhere, with everything in them: the targets of links in them are unknown. */
import { basename, dirname, isAbsolute, isInsidePosix, join, resolve } from '../../platform/posix-paths.js'
import { isDecodableFileName, type PathFinder } from '../path-finder.js'
import { isProtectedPath } from '../protected-paths.js'
import { type PathResolver, realPathOf } from './path-resolver.js'
import { hasOption } from './programs/option-words.js'
import type { ProgramKnowledge } from './programs/program-knowledge.js'
import { knowledgeOf } from './programs/program-table.js'
import { fileUseOf } from './questions/file-use.js'
import { listWrappedCommands } from './questions/wrappers.js'
import { expandGlob } from './syntax/globs.js'
import { type ShellWord, type SimpleCommand, wordValueAt } from './syntax/syntax.js'

type Mover = SimpleCommand | 'several'

/** Where commands put whole folders: what is below is not what it was, nor is the place itself when it may be a link now. */
export class FolderDestinations {
  readonly #below = new Map<string, Mover>()
  readonly #itself = new Map<string, Mover>()

  add(path: string, command: SimpleCommand, itself: boolean): void {
    for (const movers of itself ? [this.#below, this.#itself] : [this.#below]) {
      const before = movers.get(path)
      movers.set(path, before === undefined || before === command ? command : 'several')
    }
  }

  /** Did another command than this one put something there, or where it is in? */
  has(path: string, command: SimpleCommand | undefined): boolean {
    const byOther = (mover: Mover | undefined) => mover !== undefined && mover !== command
    if (this.#below.size === 0) return false
    if (byOther(this.#itself.get(path))) return true
    for (let at = path; at !== '/'; ) {
      at = dirname(at)
      if (byOther(this.#below.get(at))) return true
    }
    return false
  }
}

/** Whether the command line puts whole folders somewhere else. Only the bare name: another path to a program is another program. */
function carriesOf(words: readonly ShellWord[]): ProgramKnowledge['carries'] {
  return knowledgeOf(wordValueAt(words, 0))?.carries
}

type Ground = { resolver: PathResolver; finder: PathFinder }

export async function findFolderDestinations(
  commands: readonly SimpleCommand[],
  ground: Ground,
): Promise<FolderDestinations> {
  const found = new FolderDestinations()
  if (commands.length < 2) return found
  for (const command of commands) {
    for (const words of [command.words, ...listWrappedCommands(command.words)]) {
      const moves = carriesOf(words) ? await movesMore(words, ground) : undefined
      if (!moves) continue
      const { reads, writes } = fileUseOf(words)
      for (const word of writes.filter((one) => !reads.includes(one))) {
        for (const { place } of (await ground.resolver.locate(word)) ?? [])
          found.add(place.lexical, command, moves === 'link')
      }
    }
  }
  return found
}

/** A file is a file wherever it stands; a folder may hold links, and a link may lead elsewhere from another place. */
async function movesMore(
  words: readonly ShellWord[],
  { resolver, finder }: Ground,
): Promise<'link' | 'folder' | undefined> {
  let found: 'folder' | undefined
  for (const word of fileUseOf(words).reads) {
    const targets = word.glob ? undefined : await resolver.locate(word)
    if (!targets) return 'link'
    for (const { place } of targets) {
      const kind = await finder.kind(place.lexical)
      if (kind === 'symlink') return 'link'
      if (kind !== 'file') found = 'folder'
    }
  }
  return found
}

/** Does a copy of a folder go into one that is there? Then any of its files may be one that is protected, or a link that leads out. */
export async function copiesOntoExistingFolder(
  words: readonly ShellWord[],
  { resolver, finder }: Ground,
): Promise<boolean> {
  const { reads, writes, recursive } = fileUseOf(words)
  if (carriesOf(words) !== 'copy' || !recursive) return false
  const onto =
    reads.some((word) => /(?:^|\/)\.{0,2}$/.test(word.value)) ||
    words.some((word) => hasOption(word.value, { short: 'T', long: ['no-target-directory'] }))
  // The target itself may be there: then the copy is made inside, under its own name.
  for (const word of onto ? writes : writes.slice(1)) {
    for (const { place, glob } of (await resolver.locate(word)) ?? []) {
      if (!glob && (await finder.kind(realPathOf(place))) !== undefined) return true
    }
  }
  return false
}

/** What is looked at in folders that are put somewhere else, and in one of them. */
const MOST_NAMES = 5_000
const MOST_IN_FOLDER = 2_000

/**
 * Whether a copy or move creates names that weren't examined: a protected name in a folder, a link that leads out or
 * would from there, or more names than the limit.
 */
export async function createsUnseenNames(
  words: readonly ShellWord[],
  { resolver, finder, directories }: Ground & { directories: readonly string[] },
): Promise<boolean> {
  const { reads, recursive } = fileUseOf(words)
  const keepsLinks = words.some((word) => hasOption(word.value, KEEPING_LINKS))
  const carries = carriesOf(words)
  if (carries !== 'move' && !(carries === 'copy' && (recursive || keepsLinks))) return false
  const waiting: { at: string; top: string }[] = []
  for (const word of reads) {
    for (const { place, glob } of (await resolver.locate(word)) ?? []) {
      const found = glob === undefined ? [place.lexical] : await expandGlob(realPathOf(place), glob, finder, true)
      if (!found) return true
      waiting.push(...found.map((at) => ({ at, top: at })))
    }
  }
  let names = waiting.length
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { at, top } = next
    const kind = await finder.kind(at)
    if (kind === 'symlink' && !(await leadsTheSame(at, top, { finder, directories }))) return true
    if (kind === 'directory' && !finder.lists) return true
    const entries = kind === 'directory' ? await finder.entries(at, MOST_IN_FOLDER + 1) : []
    names += entries.length
    if (names > MOST_NAMES || entries.length > MOST_IN_FOLDER) return true
    for (const { name, kind } of entries) {
      if (!isDecodableFileName(name) || isProtectedPath(`/${basename(at)}/${name}`)) return true
      if (kind === 'directory' || kind === 'symlink') waiting.push({ at: join(at, name), top })
    }
  }
  return false
}

const KEEPING_LINKS = { short: 'adP', long: ['archive', 'no-dereference', 'preserve'] }

/** Does a link lead to the same file from any other place? `top` is what is moved or copied. */
async function leadsTheSame(
  at: string,
  top: string,
  { finder, directories }: { finder: PathFinder; directories: readonly string[] },
): Promise<boolean> {
  const target = await finder.target(at)
  if (target === undefined) return false
  if (isAbsolute(target)) return finder.isWithin(await finder.place(at), directories)
  // Behind a name, `..` leaves the folder that a link leads to.
  return !/[^./]\/+(?:.*\/)?\.\.(?:\/|$)/.test(target) && at !== top && isInsidePosix(resolve(dirname(at), target), top)
}
