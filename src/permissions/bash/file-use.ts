/** Which files a command reads and writes, as far as its words tell. */

import { wordList } from '../word-list.js'
import { hasOption } from './option-words.js'
import { fileWords } from './read-only.js'
import { readSed } from './sed.js'
import { programOf, type Word } from './syntax.js'
import { knownWord } from './words.js'

export type FileUse = {
  reads: readonly Word[]
  writes: readonly Word[]
  /** False: the program is not known to work on files; `reads` are just words that may name some. */
  known: boolean
  /** What is read are whole folders with all they hold. */
  recursive: boolean
}

const READERS = new Set(
  wordList(`
    cat tac head tail nl wc od hexdump xxd strings less more bat file stat ls du base64 base32 md5sum sha1sum
    sha224sum sha256sum sha384sum sha512sum b2sum cksum sum diff cmp comm join paste cut fold fmt pr expand rev
    column uniq zcat zless source . readlink realpath tree sort find cd pushd tar zip gzip bzip2 xz
  `),
)
const PATTERN_READERS = new Set(
  wordList(`
    grep egrep fgrep rgrep zgrep rg ag ack awk gawk mawk nawk jq
  `),
)
const WRITERS = new Set(
  wordList(`
    touch mkdir rm rmdir mv tee truncate chmod chown chgrp unlink shred mkfifo mknod ln
  `),
)
const COPIERS = new Set(['cp', 'install', 'rsync', 'scp', 'gcp'])
/** Their words are text, whatever they look like. */
const TALKERS = new Set(
  wordList(`
    echo printf true false : test [ sleep exit wait type which command seq expr tr date
  `),
)

export function fileUseOf(words: readonly Word[]): FileUse {
  const program = programOf(words)
  const args = words.slice(1)
  const none: FileUse = { reads: [], writes: [], known: true, recursive: false }
  if (program === undefined) return { ...none, known: false }
  if (TALKERS.has(program)) return none
  const files = fileWords(args)
  if (WRITERS.has(program))
    return { ...none, reads: ['mv', 'ln'].includes(program) ? files : [], writes: modeless(program, files) }
  if (COPIERS.has(program)) return copies(program, args, files)
  if (program === 'dd') return { ...none, reads: valuesOf(args, 'if='), writes: valuesOf(args, 'of=') }
  if (program === 'sed' || program === 'gsed') {
    const form = readSed(words)
    const operands = form?.files ?? fileWords(args, true)
    const writes = !form || form.inPlace ? operands : []
    return { ...none, reads: operands, writes }
  }
  if (program === 'xxd' || program === 'uniq') return { ...none, reads: files.slice(0, 1), writes: files.slice(1) }
  if (PATTERN_READERS.has(program)) return { ...none, ...searches(program, args) }
  const written =
    program === 'sort' ? files.filter((_, i) => /^-[a-zA-Z]*o$|^--o[a-z]*$/.test(args[i - 1]?.value ?? '')) : []
  const recursive =
    ['tar', 'zip'].includes(program) ||
    (program === 'diff' && hasFlag(args, 'r', 'recursive')) ||
    findsContent(program, args)
  if (READERS.has(program)) return { reads: files, writes: written, known: true, recursive }
  return { reads: mentions(args), writes: outputs(args), known: false, recursive: false }
}

/** The first operand of chmod and its kin is not a file. */
function modeless(program: string, files: readonly Word[]): readonly Word[] {
  return ['chmod', 'chown', 'chgrp'].includes(program) ? files.slice(1) : files
}

function copies(program: string, args: readonly Word[], files: readonly Word[]): FileUse {
  const recursive = program === 'rsync' || hasFlag(args, 'rRa', 'recursive') || hasFlag(args, '', 'archive')
  if (hasFlag(args, 't', 'target-directory')) return { reads: files, writes: files, known: true, recursive }
  return { reads: files.slice(0, -1), writes: files.slice(-1), known: true, recursive }
}

function searches(program: string, args: readonly Word[]): { reads: readonly Word[]; recursive: boolean } {
  const patternGiven = args.some((word) => /^(?:-[a-zA-Z]*[ef]|--regexp|--file|--files|--from-file)/.test(word.value))
  const reads = fileWords(args, !patternGiven)
  const greps = /grep$/.test(program)
  const recursive = greps
    ? program === 'rgrep' || hasFlag(args, 'rR', 'recursive') || hasFlag(args, '', 'dereference-recursive')
    : /^(?:rg|ag|ack)$/.test(program)
  return { reads: recursive && reads.length === 0 ? [here] : reads, recursive }
}

const here = knownWord('.')

/** `find` alone only prints names. */
function findsContent(program: string, args: readonly Word[]): boolean {
  return program === 'find' && args.some((word) => /^-(?:exec|execdir|ok|okdir|files0-from)$/.test(word.value))
}

function hasFlag(args: readonly Word[], short: string, long: string): boolean {
  return args.some((word) => hasOption(word.value, { short, long: [long] }))
}

function valuesOf(args: readonly Word[], prefix: string): Word[] {
  return args.filter((word) => word.value.startsWith(prefix)).map((word) => part(word, word.value.slice(prefix.length)))
}

/** What most programs write to: the value of `-o` and `--output`. */
function outputs(args: readonly Word[]): Word[] {
  const attached = args
    .filter((word) => /^--out(?:put)?=./.test(word.value))
    .map((word) => part(word, word.value.slice(word.value.indexOf('=') + 1)))
  return [
    ...attached,
    ...args.filter((_, i) => /^(?:-[oO]|--out(?:put)?(?:-document|-file)?)$/.test(args[i - 1]?.value ?? '')),
  ]
}

/** Any word, and what follows a `=`, `:` or `@` in one: `HEAD:secrets/key`, `@file`, `--data=@file`. */
function mentions(args: readonly Word[]): Word[] {
  return args.flatMap((word) => {
    const values = [word.value, ...word.value.split(/[=:@]/).slice(1)]
    return values.filter((value) => value !== '' && !value.startsWith('-')).map((value) => part(word, value))
  })
}

function part(word: Word, value: string): Word {
  const head = word.dynamic || word.glob ? word.head.slice(Math.max(0, word.head.length - value.length)) : value
  return { ...word, value, head, tilde: value.startsWith('~') }
}
