/** Reads a find command that does nothing but look: where it starts, and which files its tests name. */
import { wordList } from '../../word-list.js'
import { knownWord } from '../syntax/shell-words.js'
import { type ShellWord, valueAt } from '../syntax/syntax.js'

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
export function findRoots(words: readonly ShellWord[]): ShellWord[] {
  return split(words).roots
}

function split(words: readonly ShellWord[]): { options: ShellWord[]; roots: ShellWord[]; tests: ShellWord[] } {
  let i = 1
  while (/^-(?:[PLH]|O\d*|D)$/.test(valueAt(words, i))) i += words[i]?.value === '-D' ? 2 : 1
  const end = words.findIndex((word, at) => at >= i && /^[-(!,]|^\)$/.test(word.value))
  const roots = words.slice(i, end < 0 ? undefined : end)
  return {
    options: words.slice(1, i),
    roots: roots.length > 0 ? roots : [knownWord('.')],
    tests: end < 0 ? [] : words.slice(end),
  }
}

/**
 * Where the command ends that begins at `from`, right behind `-exec`. A `+` ends it only right behind `{}`. Elsewhere `+` is a word
 * of the command, which some versions of find take for its end, so `certain` is false then. It is also false if a word that is only
 * known at run time stands before the end, because that word might be a `;`.
 */
export function endOfCommand(words: readonly ShellWord[], from: number): { at: number; certain: boolean } | undefined {
  let certain = true
  for (let at = from; at < words.length; at++) {
    const word = words[at]
    if (word?.dynamic || word?.glob) certain = false
    if (word?.value === ';') return { at, certain }
    if (word?.value !== '+') continue
    if (at > from && valueAt(words, at - 1) === '{}') return { at, certain }
    certain = false
  }
  return undefined
}

/** Undefined when it may do more, or a word of it is not known. */
export function readFind(words: readonly ShellWord[]): readonly ShellWord[] | undefined {
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
