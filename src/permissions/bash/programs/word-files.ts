/** Which words of a program may name files, where nothing more exact is known about it. */
import { LONGEST_PATH } from '../../path-finder.js'
import { createLiteralWord, sliceWord } from '../syntax/shell-words.js'
import { type ShellWord, wordValueAt } from '../syntax/syntax.js'

/** Options after which most programs name a file or folder they write to. */
const OUTPUTS =
  /^(?:-o|-O|-d|-P|-C|-out|--out|--output|--output-(?:document|file|dir|directory)|--out-?dir|--directory(?:-prefix)?|--dest(?:ination)?|--log-?file|--target-directory)$/

export function outputFileWords(args: readonly ShellWord[]): ShellWord[] {
  return args.flatMap((word, i) => {
    const before = wordValueAt(args, i - 1)
    if (OUTPUTS.test(before) || /^-[a-zA-Z]+[oO]$/.test(before)) return [word]
    const long = /^(--[a-z-]+)=./.exec(word.value)?.[1]
    if (long !== undefined && OUTPUTS.test(long)) return [sliceWord(word, long.length + 1)]
    return /^-[oO]./.test(word.value) ? [sliceWord(word, 2)] : []
  })
}

/** Words that may name files: those that are no option, and what stands after the `=` or in the tail of one. */
export function fileWords(args: readonly ShellWord[], skipFirst = false): ShellWord[] {
  const files: ShellWord[] = []
  let skip = skipFirst
  let options = true
  for (const word of args) {
    if (options && word.value === '--') options = false
    else if (options && /^-./.test(word.value)) files.push(...tails(word))
    else if (skip) skip = false
    else if (word.value !== '-') files.push(word)
  }
  return files
}

/** `--file=x`, `-fx/y`, `-rf./x`: the value behind the sign, or behind the letters when it looks like a path. */
function tails(word: ShellWord): ShellWord[] {
  const { value } = word
  const equals = value.indexOf('=')
  const behind = equals < 0 ? [] : [equals + 1]
  if (!value.startsWith('-')) return []
  if (!value.startsWith('--') && /[/.~]/.test(value)) behind.push(2, 3, 4, value.search(/[/.~]/))
  return behind.filter((at) => at < value.length).map((at) => sliceWord(word, at))
}

export function operandWords(args: readonly ShellWord[]): ShellWord[] {
  const end = args.findIndex((word) => word.value === '--')
  return args.filter((word, i) => i !== end && (!/^-./.test(word.value) || (end >= 0 && i > end)))
}

export function assignedValues(args: readonly ShellWord[], prefix: string): ShellWord[] {
  return args.filter((word) => word.value.startsWith(prefix)).map((word) => sliceWord(word, prefix.length))
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * Limits for an unknown program's arguments: more words, or more separators in one, are no list of files that a person
 * wrote.
 */
export const MAX_MENTIONED_PATHS = 300
const MOST_PARTS = 16

/** What is longer isn't a path; what it begins with may be a part of it that is. */
function withoutTail(word: ShellWord): ShellWord {
  if (word.value.length <= LONGEST_PATH) return word
  return { ...word, value: word.value.slice(0, LONGEST_PATH), head: word.head.slice(0, LONGEST_PATH) }
}

/** Any word, and what stands around a `=`, `:`, `,` or `@` in one: `HEAD:secrets/key`, `./secrets:/x`, `--data=@file`. */
export function mentionedPaths(args: readonly ShellWord[]): ShellWord[] {
  return args.slice(0, MAX_MENTIONED_PATHS).flatMap((word) => {
    const found = [word, ...tails(word)]
    for (const { index } of [...word.value.slice(0, 1_000).matchAll(/[=:@,<]/g)].slice(0, MOST_PARTS)) {
      found.push(sliceWord(word, index + 1), {
        ...word,
        value: word.value.slice(0, index),
        head: word.head.slice(0, index),
      })
    }
    if (/^file:/i.test(word.value)) found.push(createLiteralWord(decoded(word.value.replace(/^file:\/*(?=\/)/i, ''))))
    return found.filter(({ value }) => value !== '' && !value.startsWith('-')).map(withoutTail)
  })
}
