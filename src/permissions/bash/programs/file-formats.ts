/** Programs that show what is in a file of some format: which forms only look, and every file that they may open. */
import { knownWord } from '../syntax/shell-words.js'
import { type ShellWord, valueAt } from '../syntax/syntax.js'
import { readOperands } from './arguments.js'

type Form = (words: readonly ShellWord[]) => readonly ShellWord[] | undefined

/** Every word is known, and none can turn out to be another. */
function areKnown(words: readonly ShellWord[]): boolean {
  return words.every((word) => !word.dynamic && !word.glob)
}

/** With one operand it prints; what follows that would be written, even `-p`. It takes `-c 8`, `-c8` and a few long names with one dash. */
function readXxd(words: readonly ShellWord[]): readonly ShellWord[] | undefined {
  if (!areKnown(words)) return undefined
  const files: ShellWord[] = []
  for (let i = 1; i < words.length; i++) {
    const value = valueAt(words, i)
    if (files.length > 0) return undefined
    if (/^-[cglso]$/.test(value)) {
      if (!/^[-+]?(?:0x[\da-f]+|\d+)$/i.test(valueAt(words, ++i))) return undefined
    } else if (value.startsWith('-') && value !== '-') {
      if (!/^-(?:[abeEuirpdCv]|ps|[cglso](?:0x[\da-f]+|\d+))$/i.test(value)) return undefined
    } else files.push(words[i] ?? knownWord(''))
  }
  return files.filter(({ value }) => value !== '-')
}

/** `@file` is a list of options. */
function readStrings(words: readonly ShellWord[]): readonly ShellWord[] | undefined {
  const { certain, loose, operands } = readOperands(
    words,
    '-afow# -n= -t= -e= --all --bytes= --radix= --encoding= --print-file-name --include-all-whitespace --help --version',
  )
  if (!certain || loose || operands.some(({ head }) => head.startsWith('@') || head === '')) return undefined
  return operands
}

/** It has no command that runs or writes anything. */
function readBc(words: readonly ShellWord[]): readonly ShellWord[] | undefined {
  const { certain, loose, operands } = readOperands(words, '-lqsw --mathlib --quiet --standard --warn --help --version')
  return certain && !loose && operands.every((word) => !word.dynamic) ? operands : undefined
}

/** Only what lists an archive of this machine: before a colon tar sees the name of another one. */
function readTar(words: readonly ShellWord[]): readonly ShellWord[] | undefined {
  if (!areKnown(words)) return undefined
  const [, first] = words
  if (first === undefined) return undefined
  // The old way of writing the options, without a dash: their values follow in order.
  const args = first.value.startsWith('-')
    ? words
    : [...words.slice(0, 1), { ...first, value: `-${first.value}`, head: `-${first.value}` }, ...words.slice(2)]
  const { certain, options, reads } = readOperands(
    args,
    '-tvzjJZ -f< --list --verbose --gzip --bzip2 --xz --zstd --lzma --file<',
  )
  const lists = options.has('-t') || options.has('--list')
  return certain && lists && reads.length === 1 && !reads.some(({ value }) => value === '-' || value.includes(':'))
    ? reads
    : undefined
}

/** Without an ending it tries those of archives. Signs of a pattern it expands itself. */
function readUnzip(words: readonly ShellWord[]): readonly ShellWord[] | undefined {
  const [archive, ...members] = words.slice(1).filter(({ value }) => !value.startsWith('-'))
  const options = words.slice(1).filter(({ value }) => value.startsWith('-'))
  if (!areKnown(words) || !archive || /[*?[\\]/.test(archive.value)) return undefined
  if (!options.some(({ value }) => /l|v|t/.test(value)) || !options.every(({ value }) => /^-[lvtqz1]+$/.test(value)))
    return undefined
  // What stands behind the archive is the name of something in it.
  return members.every(({ value }) => !value.startsWith('@')) ? withEndings(archive, ['', '.zip', '.ZIP']) : undefined
}

/** Where there is no file of that name, gzip takes one with an ending. */
function readCompressed(endings: readonly string[]): Form {
  return (words) => {
    const files = words.slice(1)
    if (!areKnown(words) || files.length === 0 || files.some(({ value }) => value.startsWith('-'))) return undefined
    return files.flatMap((file) => withEndings(file, endings))
  }
}

function withEndings(file: ShellWord, endings: readonly string[]): ShellWord[] {
  return endings.map((ending) => ({ ...file, value: `${file.value}${ending}`, head: `${file.value}${ending}` }))
}

const GZIP = ['', '.gz', '.z', '-gz', '-z', '_z', '.Z', '.tgz', '.taz']

export const FORMAT_FORMS: Readonly<Record<string, Form>> = {
  xxd: readXxd,
  strings: readStrings,
  bc: readBc,
  tar: readTar,
  unzip: readUnzip,
  zcat: readCompressed(GZIP),
  gzcat: readCompressed(GZIP),
  xzcat: readCompressed(['', '.xz', '.lzma']),
  bzcat: readCompressed(['', '.bz2', '.bz', '.tbz', '.tbz2']),
}
