/** Xargs: it runs a command with the words it reads added to it. */
import { createLiteralWord } from '../../syntax/shell-words.js'
import { type ShellWord, wordValueAt } from '../../syntax/syntax.js'
import { PIPED_FILE_NAMES_WORD, replaceBracesWithPipedNames } from '../piped-names.js'
import type { CommandsOnPipedNames, KnownPrograms } from '../program-knowledge.js'

export const XARGS_PROGRAM: KnownPrograms = {
  xargs: {
    looks: { version: /^--version$/ },
    runs: {
      // With options it is a command of its own.
      prefix: ([, first]) => (first && !first.value.startsWith('-') && !first.dynamic ? 1 : undefined),
      opaque: {
        values: 'adEILnPs',
        flags: '0oprtx',
        longs: ['--arg-file', '--delimiter', '--max-lines', '--max-args', '--max-procs', '--max-chars'],
      },
      adds: 'read',
      onNames: runsOnRead,
      mark: markOf,
    },
    waits: 'never',
  },
}

/** `-I{}`, `-I %`, `--replace=x`. */
function markOf(words: readonly ShellWord[]): string | undefined {
  const at = words.findIndex((word) => /^-[a-zA-Z0-9]*[Ii]|^--replace/.test(word.value))
  if (at < 0) return undefined
  return words[at]?.value.replace(/^-[a-zA-Z0-9]*[Ii]|^--replace=?/, '') || words[at + 1]?.value
}

/** The command that it runs, with what it adds; undefined when its options are not known. */
function runsOnRead(words: readonly ShellWord[]): CommandsOnPipedNames | undefined {
  let exact = false
  let mark: string | undefined
  let i = 1
  for (; wordValueAt(words, i).startsWith('-'); i++) {
    const value = wordValueAt(words, i)
    if (/^(?:-0|--null)$/.test(value)) exact = true
    else if (/^-0r$|^-r0$/.test(value)) exact = true
    else if (/^-I$/.test(value)) mark = wordValueAt(words, ++i)
    else if (/^-I./.test(value)) mark = value.slice(2)
    else if (/^-[nPL]$/.test(value)) {
      if (!/^\d+$/.test(wordValueAt(words, ++i))) return undefined
    } else if (!/^-[nPL]\d+$|^-[rt]$|^--no-run-if-empty$|^--max-(?:args|procs)=\d+$/.test(value)) return undefined
  }
  if (mark !== undefined && mark !== '{}') return undefined
  const inner = i < words.length ? words.slice(i) : [createLiteralWord('echo')]
  if (words.slice(1, i + 1).some((word) => word.dynamic || word.glob)) return undefined
  return {
    commands: [
      mark === undefined ? [...inner, PIPED_FILE_NAMES_WORD] : inner.map((word) => replaceBracesWithPipedNames(word)),
    ],
    exact,
  }
}
