/** The commands that only look: which forms of them do, and which files they look at. */

import { wordList } from '../word-list.js'
import { isGitRead } from './git.js'
import { hasOption, mayBeOption } from './option-words.js'
import { dangerOf } from './options.js'
import { readSed } from './sed.js'
import type { Word } from './syntax.js'

type Form =
  | 'text'
  | 'names'
  | 'files'
  | 'pattern-files'
  | 'none'
  | ((words: readonly Word[]) => readonly Word[] | undefined)

/** Undefined: not read-only. Otherwise the words that name the files it reads. */
export function readOnlyFiles(words: readonly Word[]): readonly Word[] | undefined {
  const first = words[0]
  // Only the bare name: another path to a program is another program.
  if (!first || first.dynamic || first.glob || !Object.hasOwn(FORMS, first.value)) return undefined
  const form = FORMS[first.value]
  if (form === undefined) return undefined
  if (typeof form === 'function') return form(words)
  const args = words.slice(1)
  if (form === 'text') return args.every((word) => word.plain) ? args.filter((word) => word.glob) : undefined
  if (args.some((word) => word.dynamic && !word.pipe) || dangerOf(words)) return undefined
  if (args.some((word) => hasOption(word.value, UNSAFE[first.value]))) return undefined
  if (form === 'names') return args.filter((word) => word.glob)
  if (form === 'none') return args.every((word) => /^-[a-zA-Z]*$/.test(word.value)) ? [] : undefined
  return fileWords(
    args,
    form === 'pattern-files' && !args.some((word) => /^(?:-[a-zA-Z]*[ef]|--regexp|--file|--files)/.test(word.value)),
  )
}

/** Words that may name files: those that are no option, and what stands after the `=` or in the tail of one. */
export function fileWords(args: readonly Word[], skipFirst = false): Word[] {
  const files: Word[] = []
  let skip = skipFirst
  let options = true
  for (const word of args) {
    if (options && word.value === '--') options = false
    else if (options && /^-./.test(word.value)) {
      const value = /^--[^=]*=(.+)$/s.exec(word.value)?.[1] ?? /^-[A-Za-z]([/~.].+)$/s.exec(word.value)?.[1]
      if (value !== undefined) files.push({ ...word, value, head: value, tilde: value.startsWith('~') })
    } else if (skip) skip = false
    else if (word.value !== '-') files.push(word)
  }
  return files
}

/** Options that read a list of files, write, or start something; everything else these programs can do is to print. */
const UNSAFE: Record<string, { short?: string; long?: string[] }> = {
  du: { short: 'X', long: ['files0-from', 'exclude-from'] },
  wc: { long: ['files0-from'] },
  sort: { long: ['files0-from'] },
  file: { short: 'mfzZC', long: ['magic-file', 'files-from', 'compile', 'uncompress'] },
  diff: { short: 'l', long: ['paginate'] },
  md5sum: { short: 'c', long: ['check'] },
  sha1sum: { short: 'c', long: ['check'] },
  sha256sum: { short: 'c', long: ['check'] },
  sha512sum: { short: 'c', long: ['check'] },
  cksum: { short: 'c', long: ['check'] },
  date: { short: 'sf', long: ['set', 'file'] },
  // Outside of GNU.
  base64: { short: 'o', long: ['output'] },
  rg: { short: 'L', long: ['follow'] },
  which: { long: ['read-alias', 'read-functions'] },
}

const FORMS: Record<string, Form> = {
  ...all('text', 'echo true false : sleep'),
  ...all('names', 'which type basename dirname seq expr tr id groups uname wait'),
  ...all('none', 'pwd whoami nproc arch tty logname uptime'),
  ...all('files', 'ls cat head tail wc stat du file diff cmp comm sort cut nl tac rev od'),
  ...all('files', 'hexdump fold column paste join realpath readlink md5sum sha1sum sha256sum sha512sum'),
  ...all('files', 'cksum base64 tree expand unexpand fmt'),
  ...all('pattern-files', 'grep egrep fgrep rg'),
  printf: (words) => {
    const format = words[1]
    if (!format || format.dynamic || format.glob || format.value.startsWith('-')) return undefined
    return words.every((word) => word.plain) ? words.filter((word) => word.glob) : undefined
  },
  test: testForm,
  '[': testForm,
  cd: (words) => {
    const targets = words.slice(1).filter((word) => !/^-[LPe@]+$/.test(word.value) && word.value !== '--')
    const target = targets[0]
    return targets.length === 1 && target && !target.dynamic && !target.glob && target.value !== '-'
      ? targets
      : undefined
  },
  command: (words) => (/^-[vV]$/.test(words[1]?.value ?? '') && words.every((word) => !word.dynamic) ? [] : undefined),
  date: (words) => {
    const args = words.slice(1)
    if (args.some((word) => word.dynamic || word.glob || hasOption(word.value, UNSAFE.date))) return undefined
    return args.every((word) => /^(?:\+|-[uRI]|--(?:utc|iso-8601|rfc-|universal))/.test(word.value)) ? [] : undefined
  },
  uniq: (words) => {
    const files = fileWords(words.slice(1))
    // The second operand is written to. Values of options count too: better to ask than to miss one.
    return words.every((word) => !word.dynamic && !word.glob) && files.length <= 1 ? files : undefined
  },
  find: (words) => {
    if (words.some((word) => word.dynamic || word.glob) || dangerOf(words)) return undefined
    const args = words.slice(1)
    if (args.some((word) => /^-(?:files0-from|L|H|follow)$/.test(word.value))) return undefined
    const end = args.findIndex((word) => /^[-(!]/.test(word.value))
    return end < 0 ? args : args.slice(0, end)
  },
  sed: (words) => {
    const form = readSed(words)
    return form && !form.inPlace && !form.files.some((word) => word.glob) ? form.files : undefined
  },
  git: (words) => (isGitRead(words) ? fileWords(words.slice(1)) : undefined),
  docker: (words) => {
    const args = words.slice(2).map((word) => word.value)
    return /^(?:ps|images)$/.test(words[1]?.value ?? '') &&
      args.every((value) => /^-[aqln]+$|^--(?:all|quiet|latest|no-trunc|size)$/.test(value))
      ? []
      : undefined
  },
  set: (words) =>
    words.length > 1 && words.slice(1).every((word) => /^(?:[-+][eux]+|[-+][eux]*o|pipefail)$/.test(word.value))
      ? []
      : undefined,
  ...Object.fromEntries(['node', 'npm', 'python', 'python3'].map((name) => [name, versionForm])),
}

function all(form: Form, names: string): Record<string, Form> {
  return Object.fromEntries(wordList(names).map((name) => [name, form]))
}

/** `-v` looks a name up and evaluates its subscript. */
function testForm(words: readonly Word[]): readonly Word[] | undefined {
  return words.every((word) => word.plain && !/^-[vR]$/.test(word.value)) && !words.slice(1).some(isUnquotedOption)
    ? []
    : undefined
}

/** A bare `$x` may turn into any number of words, `-v` among them; quoted it stays one, and one alone is never an operator. */
function isUnquotedOption(word: Word): boolean {
  return mayBeOption(word) && !word.source.startsWith('"')
}

/** Python's `-v` starts it. */
function versionForm(words: readonly Word[]): readonly Word[] | undefined {
  const options = words[0]?.value.startsWith('python') ? /^(?:--version|-V)$/ : /^(?:--version|-v)$/
  return words.length === 2 && options.test(words[1]?.value ?? '') ? [] : undefined
}
