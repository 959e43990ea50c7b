/** Says what a sed or awk command can do besides printing: their scripts can run programs and write files. */

import { knownWord } from '../syntax/shell-words.js'
import { orEmpty, valueAt, type Word } from '../syntax/syntax.js'
import { isHarmlessScript } from './sed-script.js'

export type SedForm = { inPlace: boolean; files: readonly Word[] }

/** Endings of copies that are nothing but copies: with another one the copy may be a file that programs take orders from. */
const BACKUP = /^(?:\.(?:bak|orig|old|backup|tmp|sav)|~)?$/

/** Undefined when an option or a piece of the script is not known to be harmless. */
export function readSed(words: readonly Word[]): SedForm | undefined {
  const scripts: Word[] = []
  const operands: Word[] = []
  let inPlace = false
  let options = true
  for (let i = 1; i < words.length; i++) {
    const word = words[i]
    if (!word || word.dynamic) return undefined
    const value = word.value
    if (!options || value === '-' || !value.startsWith('-')) operands.push(word)
    else if (value === '--') options = false
    else if (
      ['--quiet', '--silent', '--regexp-extended', '--separate', '--unbuffered', '--null-data', '--posix'].includes(
        value,
      )
    )
      continue
    else if (value === '--in-place') inPlace = true
    else if (value.startsWith('--expression=')) scripts.push({ ...word, value: value.slice(13) })
    else if (value.startsWith('--')) return undefined
    else {
      const at = [...value].findIndex((char, n) => n > 0 && !'nErsuz'.includes(char))
      if (at < 0) continue
      if (value[at] === 'i' && BACKUP.test(value.slice(at + 1))) inPlace = true
      else if (value[at] === 'e') {
        const next = at + 1 < value.length ? { ...word, value: value.slice(at + 1) } : words[++i]
        if (!next || next.dynamic) return undefined
        scripts.push(next)
      } else return undefined
    }
  }
  if (scripts.length === 0) {
    const script = operands.shift()
    if (!script) return undefined
    scripts.push(script)
  }
  return scripts.every((script) => !script.glob && isHarmlessScript(script.value))
    ? { inPlace, files: operands }
    : undefined
}

/** Files that a script which is not harmless may read or write. */
export function filesInScript(words: readonly Word[]): Word[] {
  return words.slice(1).flatMap((word) => {
    const named = new Set([...word.value.matchAll(/[rRwW][ \t]*([^\s;}]+)/g)].map((match) => orEmpty(match[1])))
    return [...named].slice(0, MOST_FILES).map((name) => knownWord(name))
  })
}

/** No script of that kind names more. */
const MOST_FILES = 100

/** A program text without system(), pipes, redirects, getline, loading or files of its own choice: it can only print. */
export function isHarmlessAwk(words: readonly Word[]): boolean {
  let i = 1
  for (; i < words.length; i++) {
    const value = valueAt(words, i)
    if (words[i]?.dynamic) return false
    if (/^-[Fv]$/.test(value)) i += 1
    else if (!/^-[Fv]./.test(value)) break
  }
  const program = words[i]
  if (!program || program.dynamic || program.glob || program.value.startsWith('-')) return false
  return !/system|getline|@|>|\||\binclude\b|\bload\b|\bARG[VC]\b/.test(program.value.replaceAll('||', ''))
}
