/** Find: where it starts, which files its tests name, and what it does to all that it finds. */
import { wordList } from '../../../word-list.js'
import { createLiteralWord } from '../../syntax/shell-words.js'
import { type ShellWord, wordValueAt } from '../../syntax/syntax.js'
import { mayBeOption, type OptionDanger } from '../option-words.js'
import { type PipedNames, replaceBracesWithPipedNames } from '../piped-names.js'
import type { CommandsOnPipedNames, FileUse, KnownPrograms, Removal } from '../program-knowledge.js'
import { fileWords } from '../word-files.js'

const RUNS = /^-(?:exec|execdir|ok|okdir)$/
const WRITES = /^-(?:delete|fprint|fprint0|fprintf|fls)$/

export const FIND_PROGRAM: KnownPrograms = {
  find: {
    looks: { form: readFind, version: /^--version$/ },
    files: findFiles,
    risks: { danger: findDanger },
    runs: { behind: RUNS, followed: true, adds: 'found', onNames: runsOnFound },
    prints: { names: printedNames },
    removes: findRemoval,
    waits: 'never',
  },
}

const ALONE = new Set(
  wordList(`
    ( ) ! , -a -and -o -or -not -daystart -depth -d -empty -executable -readable -writable -false -true -nouser -nogroup -mount
    -xdev -x -noleaf -print -print0 -prune -quit -ls -ignore_readdir_race -noignore_readdir_race -warn -nowarn -help -version --help --version
  `),
)
const WITH_TEXT = new Set(
  wordList(`
    -amin -cmin -mmin -atime -ctime -mtime -fstype -gid -group -uid -user -inum -ilname -iname -ipath -iregex -iwholename -links
    -lname -maxdepth -mindepth -name -path -perm -printf -regex -regextype -size -type -xtype -used -wholename -context -flags
  `),
)
const WITH_FILE = /^-(?:anewer|cnewer|newer(?:[aBcm][aBcm])?|samefile)$/

/** Where it starts, whatever else it does. */
function findRoots(words: readonly ShellWord[]): ShellWord[] {
  return split(words).roots
}

function split(words: readonly ShellWord[]): { options: ShellWord[]; roots: ShellWord[]; tests: ShellWord[] } {
  let i = 1
  while (/^-(?:[PLH]|O\d*|D)$/.test(wordValueAt(words, i))) i += words[i]?.value === '-D' ? 2 : 1
  const end = words.findIndex((word, at) => at >= i && /^[-(!,]|^\)$/.test(word.value))
  const roots = words.slice(i, end < 0 ? undefined : end)
  return {
    options: words.slice(1, i),
    roots: roots.length > 0 ? roots : [createLiteralWord('.')],
    tests: end < 0 ? [] : words.slice(end),
  }
}

/**
 * Where the command ends that begins at `from`, right behind `-exec`. A `+` ends it only right behind `{}`. Elsewhere `+` is a word
 * of the command, which some versions of find take for its end, so `certain` is false then. It is also false if a word that is only
 * known at run time stands before the end, because that word might be a `;`.
 */
export function endOfExecCommand(
  words: readonly ShellWord[],
  from: number,
): { at: number; certain: boolean } | undefined {
  let certain = true
  for (let at = from; at < words.length; at++) {
    const word = words[at]
    if (word?.dynamic || word?.glob) certain = false
    if (word?.value === ';') return { at, certain }
    if (word?.value !== '+') continue
    if (at > from && wordValueAt(words, at - 1) === '{}') return { at, certain }
    certain = false
  }
  return undefined
}

/** Undefined when it may do more, or a word of it is not known. */
function readFind(words: readonly ShellWord[]): readonly ShellWord[] | undefined {
  const { options, roots, tests } = split(words)
  // With -P, links aren't followed; with the other options, the targets are unknown.
  if (!options.every((word) => /^-(?:P|O\d+)$/.test(word.value))) return undefined
  const reads = [...roots]
  for (let i = 0; i < tests.length; i++) {
    const word = tests[i]
    if (!word || word.dynamic || word.glob) return undefined
    if (ALONE.has(word.value)) continue
    const next = tests[++i]
    if (!next?.single) return undefined
    if (WITH_FILE.test(word.value)) reads.push(next)
    else if (!WITH_TEXT.has(word.value) && !/^-newer[aBcm]t$/.test(word.value)) return undefined
  }
  return reads.some((word) => word.dynamic || word.glob) ? undefined : reads
}

/** Alone it only prints names; with an action it does something to all it finds. */
function findFiles(words: readonly ShellWord[]): FileUse {
  const looked = readFind(words)
  if (looked) return { reads: looked, writes: [], known: true, recursive: false }
  const args = words.slice(1)
  const roots = findRoots(words)
  const has = (option: RegExp) => args.some((word) => option.test(word.value))
  const acts = has(/^-(?:exec|execdir|ok|okdir|delete|files0-from)$/)
  const files = args.filter((_, i) => /^-(?:fprint0?|fprintf|fls)$/.test(wordValueAt(args, i - 1)))
  const follows = has(/^-(?:L|H|follow|files0-from)$/)
  return { reads: fileWords(args), writes: [...(acts ? roots : []), ...files], known: true, recursive: acts, follows }
}

function findDanger(words: readonly ShellWord[]): OptionDanger | undefined {
  const args = words.slice(1)
  if (args.some((word) => mayBeOption(word) || RUNS.test(word.value))) return 'runs'
  return args.some((word) => WRITES.test(word.value)) ? 'writes' : undefined
}

function findRemoval(words: readonly ShellWord[]): Removal | undefined {
  if (!removes(words)) return undefined
  return { targets: findRoots(words), recursive: false, searches: true, selective: isSelective(words) }
}

function removes(words: readonly ShellWord[]): boolean {
  return words.some(
    (word, i) =>
      word.value === '-delete' ||
      (/^-(?:exec|ok)/.test(wordValueAt(words, i - 1)) && /(?:^|\/)rm(?:dir)?$/.test(word.value)),
  )
}

function isSelective(words: readonly ShellWord[]): boolean {
  return words.some((word) =>
    /^-(?:i?name|i?path|i?regex|[acm]min|[acm]time|newer.*|size|empty|type|user|perm)$/.test(word.value),
  )
}

/** What it prints, or hands to a command in place of `-print0`. */
function printedNames(words: readonly ShellWord[]): PipedNames | undefined {
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

/** The commands that it runs on what it finds, and what that is. */
function runsOnFound(words: readonly ShellWord[]): CommandsOnPipedNames | undefined {
  const commands: (readonly ShellWord[])[] = []
  const rest: ShellWord[] = []
  for (let i = 0; i < words.length; i++) {
    const word = words[i]
    if (!word) continue
    if (word.value !== '-exec') rest.push(word)
    else {
      const end = endOfExecCommand(words, i + 1)
      if (!end?.certain) return undefined
      commands.push(words.slice(i + 1, end.at).map((one) => replaceBracesWithPipedNames(one)))
      i = end.at
      // In its place: what comes before decides, what comes after does not.
      if (commands.length === 1) rest.push(createLiteralWord('-print0'))
    }
  }
  if (commands.length === 0 || rest.filter(({ value }) => value === '-print0').length > 1) return undefined
  const names = printedNames(rest)
  return names && { commands, exact: names.exact, names }
}
