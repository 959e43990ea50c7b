/**
 * Words that one command prints and another takes for files: `find … | xargs`, `find -exec`, loops over `git ls-files`. They are
 * known as far as this goes: nothing but names of files inside the working directories that can't be taken for anything else. Where
 * names could be cut to pieces, or be links that lead out, the folders are looked at, all of them, when the command is judged.
 */
import { dirname, join } from '../../platform/posix-paths.js'
import { isDecodableFileName, type PathFinder } from '../path-finder.js'
import { type PathResolver, realPathOf } from './path-resolver.js'
import { readOperands } from './programs/arguments.js'
import { trackedFileNames } from './programs/git/tracked-names.js'
import type { PipedNames } from './programs/piped-names.js'
import { knowledgeOf } from './programs/program-table.js'
import { type ShellStream, type ShellWord, type SimpleCommand, wordValueAt } from './syntax/syntax.js'

/** What a stream is known to consist of; undefined when that is nothing. */
export function pipedNames({ known, from }: ShellStream): PipedNames | undefined {
  const [first, ...filters] = from
  if (!known || !first) return undefined
  const names = namesFrom(first.words)
  if (!names || filters.length === 0) return names
  return !names.exact && filters.every(({ words }) => isFilter(words)) ? names : undefined
}

function namesFrom(words: readonly ShellWord[]): PipedNames | undefined {
  return knowledgeOf(wordValueAt(words, 0))?.prints?.names?.(words)
}

function isFilter(words: readonly ShellWord[]): boolean {
  const filter = knowledgeOf(wordValueAt(words, 0))?.prints?.filter
  if (!filter || words.some((word) => word.dynamic || word.glob)) return false
  const { certain, operands, options } = readOperands(words, filter.options)
  return certain && operands.length === (filter.pattern && !options.has('-e') ? 1 : 0)
}

export type PipedNamesContext = {
  resolver: PathResolver
  finder: PathFinder
  directories: readonly string[]
  /** All of the command line. */
  commands: readonly SimpleCommand[]
  /** What was looked at for this command line, so that nothing is twice, and not too much in all. */
  looked: { names: number; answers: Map<string, Promise<boolean>> }
}

/** All that is looked at below the roots. */
const MOST_NAMES = 20_000
/** Maximum entries listed per folder. */
const MOST_IN_FOLDER = 2_000
/** No spaces, quotes, backslashes, or globs; nothing that could be an option. */
const PLAIN_NAME = /^(?!-)[\w.@%+=:,~()$#&!{}^;-]+$/

/** Does a glob find only names that stay one word, and none that could be an option? */
export async function hasOnlyPlainGlobMatches(
  word: ShellWord,
  { resolver, finder }: PipedNamesContext,
): Promise<boolean> {
  if (word.dynamic || word.tilde || !finder.lists || !/^[\w./@%+:,*?[\]-]+$/.test(word.value)) return false
  const found = await resolver.found(word)
  return found?.every((path) => path.split('/').every((name) => name === '' || PLAIN_NAME.test(name))) === true
}

/** Are they what the words stand for, in the folders as they are now? */
export function arePipedNamesInside(names: PipedNames, ground: PipedNamesContext): Promise<boolean> {
  const { roots, exact, regular, tracked, depth, without = [] } = names
  const key = JSON.stringify([roots.map(({ value }) => value), exact, regular, tracked, depth, ...without])
  const { answers } = ground.looked
  const answer = answers.get(key) ?? lookInside(names, ground)
  answers.set(key, answer)
  return answer
}

async function lookInside(names: PipedNames, ground: PipedNamesContext): Promise<boolean> {
  const { resolver, finder, directories } = ground
  const [folder, ...others] = resolver.folders
  if (folder === undefined || others.length > 0 || resolver.lost || !finder.lists) return false
  const starts: string[] = []
  for (const root of names.roots) {
    if (!names.exact && !/^[\w./@%+:,-]+$/.test(root.value)) return false
    const targets = await resolver.locate(root)
    if (!targets) return false
    for (const { place } of targets) {
      if (!(await finder.isWithin(place, directories))) return false
      starts.push(realPathOf(place))
    }
  }
  if (names.tracked) return areTrackedInside(folder, names, ground)
  if (names.exact && names.regular) return true
  return isPlainBelow(starts, names, ground)
}

async function isPlainBelow(
  starts: readonly string[],
  names: PipedNames,
  { finder, directories, looked }: PipedNamesContext,
): Promise<boolean> {
  const waiting = starts.map((at) => ({ at, depth: 1 }))
  const top = new Set(starts)
  const { depth: deepest = Number.POSITIVE_INFINITY } = names
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { at, depth } = next
    if (depth > deepest) continue
    const entries = await finder.entries(at, MOST_IN_FOLDER + 1)
    looked.names += entries.length
    if (looked.names > MOST_NAMES || entries.length > MOST_IN_FOLDER) return false
    for (const { name, kind } of entries) {
      // A name that isn't text leads somewhere else than what it is read as.
      if (!isDecodableFileName(name) || (!names.exact && !PLAIN_NAME.test(name))) return false
      const path = join(at, name)
      if (kind === 'symlink' && !names.regular && !(await finder.isWithin(await finder.place(path), directories)))
        return false
      const skipped = names.without?.has(name) || (top.has(at) && names.without?.has(`./${name}`))
      if (kind === 'directory' && !skipped) waiting.push({ at: path, depth: depth + 1 })
    }
  }
  return true
}

/** What git has in its index need not be there, nor be what it was: each folder on the way is looked at. */
async function areTrackedInside(
  folder: string,
  names: PipedNames,
  { finder, directories, looked }: PipedNamesContext,
): Promise<boolean> {
  const { real = folder } = await finder.place(folder)
  const holds = async (at: string, name: string) => (await finder.kind(join(at, name))) !== undefined
  let top = real
  while (top !== '/' && !(await holds(top, '.git')) && !(await holds(top, 'HEAD'))) top = dirname(top)
  // Without a repository git prints nothing.
  if (top === '/' && !(await holds(top, '.git')) && !(await holds(top, 'HEAD'))) return true
  const tracked = await trackedFileNames(join(top, '.git'), finder)
  looked.names += tracked?.length ?? 0
  if (!tracked || looked.names > MOST_NAMES) return false
  for (const name of tracked) {
    const parts = name.split('/')
    if (!parts.every((part) => part !== '' && !/^\.{1,2}$|^-/.test(part) && (names.exact || PLAIN_NAME.test(part))))
      return false
    const place = await finder.place(join(top, name))
    if (place.real !== place.lexical && !(await finder.isWithin(place, directories))) return false
  }
  return true
}
