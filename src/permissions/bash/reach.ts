/** Whether a rule about files can be meant by a glob, or by a folder that is read with all it holds. */

import { type FilePattern, matchesFile } from '../file-pattern.js'
import type { PathFinder, Place } from '../paths.js'
import type { ScopedRule } from '../rule-set.js'
import { expandGlob, hasGlob, matchesName } from './globs.js'
import { orEmpty } from './syntax.js'
import { realOf } from './whereabouts.js'

/** Looking at more would take longer than a question. */
const MOST_ENTRIES = 1_000
const DEEPEST = 50

export type Reach = {
  folder: Place
  glob: string | undefined
  recursive: boolean
  /** The folder is the working directory or holds it: all of that is too much to look through. */
  atHome: boolean
}

type Matters = (pattern: FilePattern) => boolean
type FindRule = (matters: Matters) => ScopedRule | undefined

/**
 * The rule that is meant by what is read. A pattern with names matters when the glob can find them, whether they are there or not;
 * one for any place only when the disk has such a file, provided that could be looked up. `find` looks among the patterns that matter.
 */
export async function ruleWithin(
  reach: Reach,
  find: FindRule,
  listed: () => Promise<string[] | undefined>,
): Promise<ScopedRule | undefined> {
  const { folder, glob, recursive, atHome } = reach
  const selects = glob !== undefined && !recursive
  const may: Matters = (pattern) => !selects || mayFind(pattern, folder.lexical, glob)
  const found = find(may)
  const paths = found && (await listed())
  if (!paths) return found
  return find((pattern) => {
    if (!may(pattern)) return false
    // It finds a name that the rule spells out, or the rule is about one place.
    if (selects && atHome ? !pattern.segments.every(hasGlob) : pattern.segments[0] !== '**') return true
    return paths.some((path) => matchesFile(pattern, path))
  })
}

/** Everything that would be read; undefined when there is too much, or nothing at all. */
export async function listReach(
  { folder, glob, recursive, atHome }: Reach,
  finder: PathFinder,
): Promise<string[] | undefined> {
  if (recursive && atHome) return undefined
  const at = realOf(folder)
  if ((await finder.kind(at)) !== 'directory') return undefined
  const found = glob === undefined ? [at] : await expandGlob(at, glob, finder, true)
  if (!found || found.length === 0) return undefined
  const looking = recursive ? [...found] : []
  while (looking.length > 0) {
    const level = looking.splice(0)
    for (const { path, entries } of await Promise.all(
      level.map(async (path) => ({ path, entries: await finder.entries(path) })),
    )) {
      for (const { name, kind } of entries) {
        found.push(`${path}/${name}`)
        if (kind === 'directory') looking.push(`${path}/${name}`)
      }
    }
    if (found.length > MOST_ENTRIES) return undefined
  }
  return found
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
  return open ? matchesName(rule.replaceAll('\\', ''), word, true) : matchesName(word, rule)
}
