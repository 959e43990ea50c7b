/** Whether a rule about files can be meant by a glob, or by a folder that is read with all it holds. */

import { basename, dirname, join } from '../../platform/posix-paths.js'
import { type FilePattern, matcherForNamesInFolder } from '../file-pattern.js'
import { isDecodableFileName, type PathFinder, type PathLocation } from '../path-finder.js'
import type { RuleWithContent } from '../rule-set.js'
import { realPathOf } from './path-resolver.js'
import { expandGlob, hasGlob, mayGlobMatchName } from './syntax/globs.js'
import { orEmpty } from './syntax/syntax.js'

/** Looking at more would take longer than a question. */
const MOST_ENTRIES = 1_000
const MOST_FOLDERS = 200
const DEEPEST = 50

export type ReadScope = {
  folder: PathLocation
  glob: string | undefined
  recursive: boolean
  /** The folder is the working directory or holds it: all of that is too much to look through. */
  atHome: boolean
}

type Matters = (pattern: FilePattern) => boolean
/** Names of what is in a folder. */
export type FolderListings = { folder: string; names: string[] }[]
type FindRule = (matters: Matters) => RuleWithContent | undefined

/**
 * The rule that is meant by what is read. A pattern with names matters when the glob can find them, whether they are there or not;
 * one for any place only when the disk has such a file, provided that could be looked up. `find` looks among the patterns that matter.
 */
export async function findRuleInReadScope(
  reach: ReadScope,
  find: FindRule,
  listed: () => Promise<FolderListings | undefined>,
): Promise<RuleWithContent | undefined> {
  const { folder, glob, recursive, atHome } = reach
  const selects = glob !== undefined && !recursive
  const may: Matters = (pattern) => !selects || mayFind(pattern, folder.lexical, glob)
  const found = find(may)
  const all = found && (await listed())
  if (!all) return found
  return find((pattern) => {
    if (!may(pattern)) return false
    // It finds a name that the rule spells out, or the rule is about one place.
    if (selects && atHome ? !pattern.segments.every(hasGlob) : pattern.segments[0] !== '**') return true
    return all.some(({ folder: at, names }) => names.some(matcherForNamesInFolder(pattern, at)))
  })
}

/** Everything that would be read; undefined when there is too much, or nothing at all. */
export async function listFilesInReadScope(
  { folder, glob, recursive, atHome }: ReadScope,
  finder: PathFinder,
): Promise<FolderListings | undefined> {
  if (recursive && atHome) return undefined
  const at = realPathOf(folder)
  if ((await finder.kind(at)) !== 'directory') return undefined
  const roots = glob === undefined ? [at] : await expandGlob(at, glob, finder, true)
  if (!roots || roots.length === 0) return undefined
  const found = byFolder(roots)
  const looking = recursive ? roots : []
  let left = MOST_ENTRIES - roots.length
  // What is found while looking is looked at too.
  for (const path of looking) {
    const entries = await finder.entries(path, left + 1)
    left -= entries.length
    if (left < 0 || looking.length > MOST_FOLDERS || !entries.every(({ name }) => isDecodableFileName(name)))
      return undefined
    found.push({ folder: path, names: entries.map(({ name }) => name) })
    for (const { name, kind } of entries) if (kind === 'directory') looking.push(join(path, name))
  }
  return found
}

function byFolder(paths: readonly string[]): FolderListings {
  const folders = new Map<string, string[]>()
  for (const path of paths) {
    const names = folders.get(dirname(path)) ?? []
    folders.set(dirname(path), names)
    names.push(basename(path))
  }
  return [...folders].map(([folder, names]) => ({ folder, names }))
}

/** Can the glob find a path that the pattern matches, or one below it? Both are compared from the root, name by name. */
function mayFind({ base, segments }: FilePattern, folder: string, glob: string): boolean {
  const wanted = [...names(base), ...segments]
  const given = [...names(folder), ...names(glob)]
  if (given.length > DEEPEST) return true
  const meet = (i: number, j: number): boolean => {
    if (i === wanted.length) return true
    if (wanted[i] === '**') return meet(i + 1, j) || (j < given.length && meet(i, j + 1))
    if (j === given.length) return false
    return mayBeSame(orEmpty(wanted[i]), orEmpty(given[j])) && meet(i + 1, j + 1)
  }
  return meet(0, 0)
}

function names(path: string): string[] {
  return path.split('/').filter((name) => name !== '')
}

/** Two patterns may always mean the same name; a pattern and a name only when they match. */
function mayBeSame(rule: string, word: string): boolean {
  const open = /[*?[\\]/.test(rule)
  if (open && hasGlob(word)) {
    const ending = (text: string) => text.replace(/^.*[*?[\]\\]/s, '')
    return ending(rule).endsWith(ending(word)) || ending(word).endsWith(ending(rule))
  }
  return open ? mayGlobMatchName(rule.replaceAll('\\', ''), word, true) : mayGlobMatchName(word, rule)
}
