/** How programs read options: what a word on their command line could mean to them. */
import type { ShellWord } from '../syntax/syntax.js'

/** What an option can do beyond what the program's name says. */
export type OptionDanger = 'runs' | 'writes'

export type OptionNames = { short?: string; long?: readonly string[] }

/** Could this word turn out to be an option at run time? */
export function mayBeOption(word: ShellWord): boolean {
  return (word.dynamic || word.glob) && !word.pipe && (word.head === '' || word.head === '-' || word.head === '--')
}

/** Long options may be cut short, as getopt allows; short ones stand anywhere in a cluster. */
export function hasOption(value: string, names: OptionNames | undefined): boolean {
  if (!names || !value.startsWith('-')) return false
  if (value.startsWith('--')) {
    const name = value.slice(2).replace(/=.*$/s, '')
    return name !== '' && names.long?.some((long) => long.startsWith(name)) === true
  }
  return [...(names.short ?? '')].some((letter) => value.includes(letter, 1))
}
