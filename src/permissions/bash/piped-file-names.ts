/**
 * Words that one command prints and another takes for files: `find … | xargs`, `find -exec`, loops over `git ls-files`. They are
 * known as far as this goes: nothing but names of files inside the working directories that can't be taken for anything else. Where
 * names could be cut to pieces, or be links that lead out, the folders are looked at, all of them, when the command is judged.
 */
import { dirname, join } from '../../platform/posix-paths.js'
import { isText, type PathFinder } from '../path-places.js'
import { readOperands } from './programs/arguments.js'
import { findRoots, readFind } from './programs/find.js'
import type { PipedNames } from './programs/piped-names.js'
import { knowledgeOf } from './programs/program-table.js'
import { knownWord } from './syntax/shell-words.js'
import { type ShellWord, type SimpleCommand, type Stream, valueAt } from './syntax/syntax.js'
import { trackedNames } from './tracked-names.js'
import { type PathResolver, realOf } from './working-directories.js'

/** What a stream is known to consist of; undefined when that is nothing. */
export function pipedNames({ known, from }: Stream): PipedNames | undefined {
  const [first, ...filters] = from
  if (!known || !first) return undefined
  const names = namesFrom(first.words)
  if (!names || filters.length === 0) return names
  return !names.exact && filters.every(({ words }) => isFilter(words)) ? names : undefined
}

function namesFrom(words: readonly ShellWord[]): PipedNames | undefined {
  const names = knowledgeOf(valueAt(words, 0))?.prints?.names
  if (names) return names(words)
  switch (valueAt(words, 0)) {
    case 'find':
      return namesFromFind(words)
    case 'grep':
    case 'rg':
      return namesSearched(words)
    case 'ls':
      return namesListed(words)
    default:
      return undefined
  }
}

/** They take some of the lines, in another order perhaps, and change none. */
const FILTERS: Readonly<Record<string, string>> = {
  head: '-q# -n= --lines=',
  tail: '-q# -n= --lines=',
  sort: '-urnfVbh',
  uniq: '-iud',
  cat: '-u',
  grep: '-viEFPGwxsa -e= --invert-match --ignore-case --extended-regexp --fixed-strings',
}

function isFilter(words: readonly ShellWord[]): boolean {
  const name = valueAt(words, 0)
  const syntax = Object.hasOwn(FILTERS, name) ? FILTERS[name] : undefined
  if (syntax === undefined || words.some((word) => word.dynamic || word.glob)) return false
  const { certain, operands, options } = readOperands(words, syntax)
  return certain && operands.length === (name === 'grep' && !options.has('-e') ? 1 : 0)
}

/** What find prints, or hands to a command in place of `-print0`. */
export function namesFromFind(words: readonly ShellWord[]): PipedNames | undefined {
  if (!readFind(words)) return undefined
  const values = words.map(({ value }) => value)
  const prints = values.filter((value) => /^-(?:print0?|printf|ls|help|version|-help|-version)$/.test(value))
  if (prints.some((value) => value !== prints[0] || !/^-print0?$/.test(value))) return undefined
  const exact = prints[0] === '-print0'
  const roots = findRoots(words)
  // One test after the other, and printed at the end.
  const allHold =
    !values.some((value) => /^(?:-o|-or|,|\(|\))$/.test(value)) &&
    (prints.length === 0 || (prints.length === 1 && prints[0] === values.at(-1)))
  // It counts wherever it stands.
  const depths = values.flatMap((value, i) => (value === '-maxdepth' ? Number(values[i + 1]) : []))
  const depth = depths.length === 1 && Number.isInteger(depths[0]) ? depths[0] : undefined
  const found: PipedNames = { roots, exact, ...(depth === undefined ? {} : { depth }) }
  if (!allHold) return found
  const isNot = (at: number) => /^(?:!|-not)$/.test(values[at] ?? '')
  const regular = values.some((value, i) => value === '-type' && values[i + 1] === 'f' && !isNot(i - 1))
  const without = values.flatMap((value, i) => {
    const folder = /^(\*|\.)\/([\w.-]+)\/\*$/.exec(values[i + 1] ?? '')
    if (value !== '-path' || !folder || !isNot(i - 1) || isNot(i - 2)) return []
    return folder[1] === '*' ? [`${folder[2]}`] : [`./${folder[2]}`]
  })
  return { ...found, regular, without: new Set(without) }
}

const SEARCHES: Readonly<Record<string, string>> = {
  grep: `-rlLiIEFPGwxsZ -e= --recursive --files-with-matches --files-without-match --ignore-case --null --include= --exclude=
    --exclude-dir=`,
  rg: `-liFSwsUu0. -g= -t= -T= -e= --files --files-with-matches --hidden --glob= --type= --type-not= --null --no-ignore --ignore-case`,
}

function namesSearched(words: readonly ShellWord[]): PipedNames | undefined {
  const { certain, loose, operands, options, reads } = readOperands(words, SEARCHES[valueAt(words, 0)] ?? '')
  const has = (...names: string[]) => names.some((name) => options.has(name))
  if (
    !certain ||
    loose ||
    reads.length > 0 ||
    !has('-l', '-L', '--files', '--files-with-matches', '--files-without-match')
  )
    return undefined
  const roots = operands.slice(has('-e', '--files') ? 0 : 1)
  if (roots.some((word) => word.dynamic || word.glob || word.value === '-')) return undefined
  // What it searches without being told where, and without going down, it reads.
  if (roots.length === 0 && valueAt(words, 0) === 'grep' && !has('-r', '--recursive')) return undefined
  return { roots: roots.length > 0 ? roots : [knownWord('.')], exact: has('-Z', '-0', '--null') }
}

/** Names without their folder: what they mean is told by the folder the next command stands in. */
function namesListed(words: readonly ShellWord[]): PipedNames | undefined {
  const { certain, loose, operands } = readOperands(words, '-1Atr')
  if (!certain || loose || operands.length > 1 || operands.some((word) => word.dynamic || word.glob)) return undefined
  return { roots: [...operands, knownWord('.')], exact: false, bare: true }
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
export async function findsOnlyPlainNames(word: ShellWord, { resolver, finder }: PipedNamesContext): Promise<boolean> {
  if (word.dynamic || word.tilde || !finder.lists || !/^[\w./@%+:,*?[\]-]+$/.test(word.value)) return false
  const found = await resolver.found(word)
  return found?.every((path) => path.split('/').every((name) => name === '' || PLAIN_NAME.test(name))) === true
}

/** Are they what the words stand for, in the folders as they are now? */
export function areInside(names: PipedNames, ground: PipedNamesContext): Promise<boolean> {
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
      starts.push(realOf(place))
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
      // A name that is no text leads somewhere else than what it is read as.
      if (!isText(name) || (!names.exact && !PLAIN_NAME.test(name))) return false
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
  const tracked = await trackedNames(join(top, '.git'), finder)
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
