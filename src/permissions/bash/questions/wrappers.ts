/** Programs that run another program given in their arguments, and how to find that program among them. */

import type { WrapperShape } from '../programs/program-knowledge.js'
import { knowledgeOf } from '../programs/program-table.js'
import { orEmpty, programNameOrEmpty, type ShellWord, wordValueAt } from '../syntax/syntax.js'
import { fileUseOf } from './file-use.js'

/** How many words a documented wrapper takes before the command it runs; undefined when it is none, or not in a documented form. */
export function countWrapperWords(words: readonly ShellWord[]): number | undefined {
  // Another path to a wrapper is another program.
  if (words[0]?.dynamic || words[0]?.glob) return undefined
  const runs = knowledgeOf(wordValueAt(words, 0))?.runs
  if (runs?.prefix) return runs.prefix(words)
  if (!runs?.transparent) return undefined
  const end = skipOptions(words, runs.transparent)
  return end.certain && end.at < words.length ? end.at : undefined
}

/**
 * Whether its command line contains another command that isn't examined: documented wrappers that couldn't be looked
 * through.
 */
export function isOpaqueWrapper(words: readonly ShellWord[]): boolean {
  const runs = knowledgeOf(programNameOrEmpty(words))?.runs
  return Boolean(runs?.opaque || runs?.transparent || runs?.anyWord === 'opaque')
}

/** Whether it is an unknown program, which might run others. */
export function mayRunItsWords(words: readonly ShellWord[]): boolean {
  const isHarmless = knowledgeOf(programNameOrEmpty(words))?.runs?.nothing
  return !isHarmless && !fileUseOf(words).known && listWrappedCommands(words).length === 0
}

/** Every command line that may start behind a wrapper, for deny and ask rules. Empty when it isn't a wrapper. */
export function listWrappedCommands(words: readonly ShellWord[]): (readonly ShellWord[])[] {
  const name = programNameOrEmpty(words)
  const runs = knowledgeOf(name)?.runs
  if (runs?.not?.(words)) return []
  // `time -f x rm`: the keyword ended at the option, the rest looks like a command.
  if (name.startsWith('-') || runs?.anyWord || /^ld[-\w]*\.so/.test(name)) return suffixes(words, 1)
  const { verbs } = runs ?? {}
  if (verbs) {
    const verb = words.findIndex((word, i) => i > 0 && verbs.includes(word.value))
    return verb < 0 ? [] : suffixes(words, verb + 1)
  }
  const shapes = [runs?.transparent, runs?.opaque].flatMap((shape) => shape ?? [])
  return shapes.flatMap((shape) => {
    const end = skipOptions(words, shape)
    return end.certain ? [words.slice(end.at)] : suffixes(words, 1)
  })
}

/** After this many words, the program has been named. */
const MOST_SUFFIXES = 40

function suffixes(words: readonly ShellWord[], from: number): (readonly ShellWord[])[] {
  const found: (readonly ShellWord[])[] = []
  for (let i = from; i < words.length && found.length < MOST_SUFFIXES; i++) {
    if (!words[i]?.value.startsWith('-')) found.push(words.slice(i))
  }
  return found
}

/** Where the program starts. Not certain: an option is unknown, or a word on the way may turn out to be several or none. */
function skipOptions(words: readonly ShellWord[], shape: WrapperShape): { at: number; certain: boolean } {
  let certain = true
  let i = 1
  for (; i < words.length; i++) {
    const word = words[i]
    const value = wordValueAt(words, i)
    if (word?.dynamic || word?.glob) certain = false
    if (value === '--') {
      i += 1
      break
    }
    if (shape.assignments && /^[A-Za-z_]\w*=/.test(value)) continue
    if (!value.startsWith('-') || value === '-') break
    if (value.startsWith('--')) {
      const long = shape.longs?.find((name) => name === value.split('=')[0])
      if (!long) certain = false
      else if (!value.includes('=') && !['--foreground', '--preserve-status', '--verbose'].includes(long)) i += 1
      continue
    }
    // The niceness as an option: `nice -5`, `nice --5`.
    if (/^-\d+$/.test(value)) continue
    const at = [...value.slice(1)].findIndex((char) => !shape.flags?.includes(char))
    if (at < 0) continue
    if (!shape.values?.includes(orEmpty(value[at + 1]))) certain = false
    else if (at + 2 === value.length) i += 1
  }
  for (let n = 0; n < (shape.operands ?? 0); n++, i++) if (words[i]?.dynamic) certain = false
  if (shape.assignments) while (/^[A-Za-z_]\w*=/.test(wordValueAt(words, i))) i += 1
  return { at: i, certain }
}
