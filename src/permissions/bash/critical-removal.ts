/**
 * Removals that only the user can approve: the root and its children, home, the working directory, and the folders
 * above it.
 */
import { dirname, isInsidePosix, resolve } from '../../platform/posix-paths.js'
import { isTooLongForPath, type PathResolver, realPathOf } from './path-resolver.js'
import { knowledgeOf } from './programs/program-table.js'
import { createLiteralWord } from './syntax/shell-words.js'
import { orEmpty, programOf, type ShellWord, type SimpleCommand } from './syntax/syntax.js'

export type SessionFolders = { cwd: string; home: string; directories: readonly string[] }

/** The words of the first removal that must be asked about. */
export async function findCriticalRemoval(
  commands: readonly SimpleCommand[],
  resolver: PathResolver,
  given: SessionFolders,
): Promise<string | undefined> {
  const real = await Promise.all(
    [given.cwd, ...given.directories].map(async (folder) => realPathOf(await resolver.finder.place(folder))),
  )
  // Folders behind links are the same folders under both names.
  const folders = [...given.directories, ...real]
  const ground = { ...given, directories: folders, vital: withAncestors([given.cwd, given.home, ...folders]) }
  const seenBy = new Map<SimpleCommand['values'], Set<string>>()
  for (const command of commands) {
    const { words, more } = command
    // Commands of one text share the values of its variables, and may be many.
    const seen = seenBy.get(command.values) ?? new Set()
    seenBy.set(command.values, seen)
    const isNew = (word: ShellWord, how: string) => {
      const key = `${how} ${word.source} ${word.value}`
      return !seen.has(key) && seen.add(key)
    }
    const withValues = (given: readonly ShellWord[], how: string) =>
      given
        .filter((word) => isNew(word, `given ${how}`))
        .flatMap((word) => [word, ...valuesOf(word, command)])
        .filter((word) => isNew(word, how))
    const program = programOf(words)
    const removal = program === undefined ? undefined : knowledgeOf(program)?.removes?.(words)
    if (!removal) continue
    const { targets, recursive, searches, selective } = removal
    // What is read may be anything, the root too; what is found is below what find was given, which is judged there.
    if (!searches && more === 'read' && recursive) return `${words.map((word) => word.source).join(' ')} …`
    for (const word of withValues(targets, `${searches} ${recursive} ${selective}`)) {
      // Searching the working directory for something is what such a program is for.
      if (selective && /^\.?\/*$/.test(word.value)) continue
      if (await isCritical(word, recursive, resolver, ground)) return `${program} ${word.source}${searches ? ' …' : ''}`
    }
  }
  return undefined
}

/** What a variable may stand for: its default, and every value it is given in the same text, also by way of others. */
function valuesOf(word: ShellWord, { values = [] }: SimpleCommand): ShellWord[] {
  const found: ShellWord[] = []
  const names = new Set<string>()
  const add = (one: ShellWord) => {
    const whole = /^\$(?:(\w+|@|\*)|\{(\w+|@|\*)(?:\[[^\]]*\])?(?::?[-=+]([^}]*)|[^}]*)\})\/*$/.exec(
      one.dynamic ? one.value : '',
    )
    if (!whole) return
    if (whole[3] !== undefined) found.push(createLiteralWord(whole[3]))
    const name = orEmpty(whole[1] ?? whole[2])
    if (names.has(name)) return
    names.add(name)
    for (const { name: given, value } of values) {
      if (!value || !isNamed(given, name)) continue
      found.push(value)
      add(value)
    }
  }
  add(word)
  return found
}

/** `set --` gives its words to all of `$1`, `$2` and `$@`. */
function isNamed(given: string, wanted: string): boolean {
  return given === wanted || (given === '@' && /^(?:\d+|@|\*)$/.test(wanted))
}

/** `vital`: the folders and all that hold them, in lower case. */
type VitalGround = SessionFolders & { vital: ReadonlySet<string> }

function withAncestors(folders: readonly string[]): Set<string> {
  const found = new Set<string>()
  for (const folder of folders)
    for (let at = resolve(folder).toLowerCase(); !found.has(at); at = dirname(at)) found.add(at)
  return found
}

async function isCritical(
  word: ShellWord,
  recursive: boolean,
  resolver: PathResolver,
  ground: VitalGround,
): Promise<boolean> {
  if (word.dynamic) {
    if (/^\$(?:HOME|PWD|OLDPWD|\{(?:HOME|PWD|OLDPWD)\b[^}]*\})\/*$/.test(word.value)) return true
    // A slash or a glob right after a variable: with the variable empty that is the root.
    if (/^\/+\.{0,2}\/*$|^\/*\.{0,2}[*?[{]/.test(word.tail)) return true
    // The same for what stands before it.
    if (word.tail === '' && word.head.endsWith('/')) {
      const before = word.tilde ? `${ground.home}${word.head.slice(1)}` : word.head
      if (before.startsWith('/') && isVital(resolve(before), ground)) return true
    }
    return recursive && /\$\(|`|\$\{[ |]/.test(word.value)
  }
  if (word.tilde && /^~[^/]/.test(word.value)) return true
  const all = /(?:^|\/)\.{0,2}[*?]+\/*$/.test(word.value)
  const bare = all || /^(?:\.\/+)*\.{1,2}\/*$/.test(word.value)
  const targets = await resolver.locate(word)
  // Somewhere unknown, but all of it.
  if (!targets)
    return bare || word.glob || isTooLongForPath(word) || (recursive && /^\/+(?:.*\/)?proc\//.test(word.value))
  return targets.some(({ place, glob }) => {
    const paths = [place.lexical, realPathOf(place)]
    if (!glob) return paths.some((path) => isVital(path, ground))
    // The glob must stand in the first name below the folder to reach the folder's own entries.
    return paths.some((path) => holdsAll(path, bare, ground))
  })
}

/** Compared without case: on some disks it does not count, and asking once too often is the safe side. */
function isVital(path: string, { vital }: VitalGround): boolean {
  return dirname(path) === '/' || vital.has(path.toLowerCase())
}

/** A glob right below the root, home, an additional directory or a folder that holds one; in the working directory only `*` itself. */
function holdsAll(folder: string, bare: boolean, { cwd, home, directories }: SessionFolders): boolean {
  if (folder === '/' || folder === home) return true
  if (folder === resolve(cwd)) return bare
  return [cwd, ...directories].some((directory) => isInsidePosix(resolve(directory), folder))
}
