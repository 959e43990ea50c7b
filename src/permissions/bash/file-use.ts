/** Which files a command reads and writes, as far as its words tell. What is not certain counts as used. */
import { wordList } from '../word-list.js'
import { readOperands } from './programs/arguments.js'
import { copiedFiles } from './programs/copies.js'
import { findRoots, readFind } from './programs/find.js'
import { hasOption } from './programs/option-words.js'
import type { FileUse } from './programs/program-knowledge.js'
import { knowledgeOf } from './programs/program-table.js'
import { PATTERN_GIVEN } from './programs/read-only.js'
import { READER_PROGRAMS } from './programs/reader-programs.js'
import { filesInScript, readSed } from './programs/sed.js'
import { fileWords, mentions, operandsOf, outputs, valuesOf } from './programs/word-files.js'
import { knownWord } from './syntax/shell-words.js'
import { orEmpty, programOf, type ShellWord, valueAt } from './syntax/syntax.js'

/** Beside the reader programs: these read what they are given, and more than that is not asked of them here. */
const READERS = new Set(
  wordList(`
    less more bat strings zcat zless zmore bzcat xzcat zstdcat source .
    shasum md5 df sdiff diff3 colordiff delta icdiff look ul iconv hd vis readelf objdump nm size ldd
  `),
)
const PATTERN_READERS = new Set(
  wordList(`
    rgrep zgrep zegrep zfgrep bzgrep xzgrep pcregrep pcre2grep ag ack awk gawk mawk nawk jq yq xmllint
  `),
)
const WRITERS = new Set(
  wordList(`
    touch mkdir rm rmdir tee truncate chmod chown chgrp chattr unlink shred mkfifo mknod srm trash
    ed red ex vi vim gvim nvim view vimdiff emacs nano pico joe micro kak hx mcedit patch sponge fallocate
  `),
)
const COPIERS = new Set(['cp', 'mv', 'ln', 'install', 'rsync', 'scp', 'gcp', 'ditto'])
/** Their words are text, whatever they look like. */
const TALKERS = new Set(
  wordList(`
    echo printf true false : test [ sleep exit wait type which command seq expr tr basename dirname id uname whoami man
    info whatis apropos whereis
  `),
)
export function fileUseOf(words: readonly ShellWord[]): FileUse {
  const program = programOf(words)
  const args = words.slice(1)
  const none: FileUse = { reads: [], writes: [], known: true, recursive: false }
  if (program === undefined) return { ...none, known: false }
  const files = knowledgeOf(program)?.files
  if (typeof files === 'function') {
    const use = files(words)
    if (use) return use
  }
  if (TALKERS.has(program)) return none
  if (WRITERS.has(program)) {
    const recursive = args.some((word) => hasOption(word.value, { short: 'rR', long: ['recursive'] }))
    return { ...none, writes: modeless(program, fileWords(args)), recursive }
  }
  if (COPIERS.has(program)) return { ...none, ...copiedFiles(words) }
  if (program === 'dd') return { ...none, reads: valuesOf(args, 'if='), writes: valuesOf(args, 'of=') }
  if (program === 'sed' || program === 'gsed') return sedUse(words)
  if (program === 'find') return findUse(words)
  if (ARCHIVERS.has(program)) return archiveUse(program, args)
  if (program === 'xxd') return { ...none, reads: operandsOf(args).slice(0, 1), writes: operandsOf(args).slice(1) }
  if (Object.hasOwn(READER_PROGRAMS, program)) return readerUse(program, words)
  if (PATTERN_READERS.has(program)) return { ...none, ...searches(program, args), writes: inPlace(program, args) }
  if (program === 'cd' || program === 'pushd') return { ...none, reads: entered(words) }
  if (READERS.has(program)) return { ...none, reads: fileWords(args), writes: outputs(args) }
  if (/^(?:perl|ruby)$/.test(program) && args.some((word) => /^-[a-zA-Z0-9]*i/.test(word.value)))
    return { ...none, reads: mentions(args), writes: fileWords(args) }
  return { reads: mentions(args), writes: outputs(args), known: false, recursive: false }
}

function sedUse(words: readonly ShellWord[]): FileUse {
  const form = readSed(words)
  const operands = form?.files ?? fileWords(words.slice(1), true)
  const named = form ? [] : filesInScript(words)
  const writes = !form || form.inPlace ? [...operands, ...named] : []
  return { reads: [...operands, ...named], writes, known: true, recursive: false }
}

/** `find` alone only prints names; with an action it does something to all it finds. */
function findUse(words: readonly ShellWord[]): FileUse {
  const looked = readFind(words)
  if (looked) return { reads: looked, writes: [], known: true, recursive: false }
  const args = words.slice(1)
  const roots = findRoots(words)
  const has = (option: RegExp) => args.some((word) => option.test(word.value))
  const acts = has(/^-(?:exec|execdir|ok|okdir|delete|files0-from)$/)
  const files = args.filter((_, i) => /^-(?:fprint0?|fprintf|fls)$/.test(valueAt(args, i - 1)))
  const follows = has(/^-(?:L|H|follow|files0-from)$/)
  return { reads: fileWords(args), writes: [...(acts ? roots : []), ...files], known: true, recursive: acts, follows }
}

const ARCHIVERS = new Set(
  wordList('tar bsdtar zip unzip gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lz4 7z 7za cpio ar'),
)

function archiveUse(program: string, args: readonly ShellWord[]): FileUse {
  const reads = fileWords(args)
  const recursive = !/^(?:un|g|b|x|zstd|lz4)/.test(program)
  // An archive is the value of -f, or the first file; what is in it goes where -C or -d says.
  const writes = args.filter((_, i) => {
    const before = valueAt(args, i - 1)
    if (/^(?:-C|-d|--directory|--file|-o)$/.test(before)) return true
    return i === 1 && /tar$/.test(program) ? /^-?[a-zA-Z]*f$/.test(before) : /^-[a-zA-Z]*f$/.test(before)
  })
  const operands = operandsOf(args)
  const all = /^(?:g|b|x|zstd|lz4|un[^z]|unzstd)/.test(program)
    ? operands
    : /^(?:zip|7z)/.test(program)
      ? operands.slice(0, 1)
      : []
  // The old way of writing the options of tar has no dash.
  const follows = args.some(({ value }, i) =>
    hasOption(i === 0 && !value.startsWith('-') ? `-${value}` : value, FOLLOWING[program]),
  )
  return { reads, writes: [...writes, ...all, ...outputs(args)], known: true, recursive, follows }
}

function readerUse(program: string, words: readonly ShellWord[]): FileUse {
  const row = READER_PROGRAMS[program]
  const { certain, options, operands, reads, writes } = readOperands(words, orEmpty(row?.options))
  const has = (...names: string[]) => names.some((name) => options.has(name))
  const follows = words.some((word) => hasOption(word.value, FOLLOWING[program]))
  const recursive =
    program === 'rg' ||
    has('--recursive') ||
    words.some((word) => hasOption(word.value, GOING_DOWN[program])) ||
    follows
  const pattern = row?.operands === 'pattern' && certain && !has(...PATTERN_GIVEN) ? 1 : 0
  const files = row?.operands === 'text' || row?.operands === 'none' ? [] : operands.slice(pattern)
  const searched = recursive && files.length === 0 && row?.operands === 'pattern' ? [here] : files
  const output = row?.operands === 'output' ? files.slice(1) : []
  // An option that is not known may take its neighbour for a file, or hide one behind its letter.
  const others = certain ? [] : fileWords(words.slice(1))
  return { reads: [...reads, ...searched, ...others], writes: [...writes, ...output], known: true, recursive, follows }
}

/** `grep -d recurse` too. */
const RECURSIVE = { short: 'rd', long: ['recursive', 'directories'] }
const GOING_DOWN: Record<string, { short: string; long: string[] }> = {
  grep: RECURSIVE,
  egrep: RECURSIVE,
  fgrep: RECURSIVE,
}

/** Options with which a program goes through folders and follows the links it meets there. */
const FOLLOWING: Record<string, { short?: string; long?: string[] }> = {
  grep: { short: 'R', long: ['dereference-recursive'] },
  egrep: { short: 'R', long: ['dereference-recursive'] },
  fgrep: { short: 'R', long: ['dereference-recursive'] },
  rg: { short: 'L', long: ['follow'] },
  diff: { short: 'r', long: ['recursive'] },
  du: { short: 'L', long: ['dereference'] },
  ls: { short: 'L', long: ['dereference'] },
  tree: { short: 'l', long: [] },
  // Also what a list names.
  tar: { short: 'hT', long: ['dereference', 'files-from'] },
  bsdtar: { short: 'hLT', long: ['dereference', 'files-from'] },
}

/** The first operand of chmod and its kin is not a file. */
function modeless(program: string, files: readonly ShellWord[]): readonly ShellWord[] {
  return ['chmod', 'chown', 'chgrp', 'chattr'].includes(program) ? files.slice(1) : files
}

function searches(program: string, args: readonly ShellWord[]): { reads: readonly ShellWord[]; recursive: boolean } {
  const given = args.some((word) => /^(?:-[a-zA-Z]*[ef]|--regexp|--file|--from-file)/.test(word.value))
  const reads = fileWords(args, !given)
  const recursive = /^(?:ag|ack|rgrep)$/.test(program) || args.some((word) => /^-[a-zA-Z]*[rR]/.test(word.value))
  return { reads: recursive && reads.length === 0 ? [here] : reads, recursive }
}

/** No program of that kind names more. */
const MOST_FILES = 100

/** Files an awk program or an option lets these write: all that are named, in the text of the program too. */
function inPlace(program: string, args: readonly ShellWord[]): ShellWord[] {
  if (program === 'yq')
    return args.some((word) => hasOption(word.value, { short: 'i', long: ['inplace'] })) ? args.slice() : []
  if (!/awk$/.test(program)) return []
  const changed = args.some((word) => /^(?:inplace|-iinplace|--include=inplace)$/.test(word.value))
    ? fileWords(args)
    : []
  const named = new Set(
    args.flatMap((word) =>
      word.value.includes('>') ? [...word.value.matchAll(/"([^"]+)"/g)].map((match) => orEmpty(match[1])) : [],
    ),
  )
  return [...changed, ...[...named].slice(0, MOST_FILES).map((name) => knownWord(name))]
}

const here = knownWord('.')

/** Without an operand `cd` goes home; where `-` leads is not known here. */
function entered(words: readonly ShellWord[]): ShellWord[] {
  const targets = operandsOf(words.slice(1))
  if (targets.length === 0) return [knownWord('~')]
  return targets.map((word) => (/^(?:-|[-+]\d+)$/.test(word.value) ? { ...word, dynamic: true } : word))
}
