/** Says what a sed or awk command can do besides printing: their scripts can run programs and write files. */

import { knownWord, restOf, shellWordAt } from '../syntax/shell-words.js'
import { orEmpty, type ShellWord, valueAt } from '../syntax/syntax.js'
import { isHarmlessProgram, isVariable } from './scripts/awk-program.js'
import { isHarmlessScript } from './sed-script.js'

export type SedForm = { inPlace: boolean; files: readonly ShellWord[] }

/** Endings of copies that are nothing but copies: with another one the copy may be a file that programs take orders from. */
const BACKUP = /^(?:\.(?:bak|orig|old|backup|tmp|sav)|~)?$/

/** Undefined when an option or a piece of the script is not known to be harmless. */
export function readSed(words: readonly ShellWord[]): SedForm | undefined {
  const scripts: ShellWord[] = []
  const operands: ShellWord[] = []
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
export function filesInScript(words: readonly ShellWord[]): ShellWord[] {
  return words.slice(1).flatMap((word) => {
    const named = new Set([...word.value.matchAll(/[rRwW][ \t]*([^\s;}]+)/g)].map((match) => orEmpty(match[1])))
    return [...named].slice(0, MOST_FILES).map((name) => knownWord(name))
  })
}

/** No script of that kind names more. */
const MOST_FILES = 100

/** The files an awk command reads; undefined when its options or its program are not known to do no more than print. */
export function readAwk(words: readonly ShellWord[]): readonly ShellWord[] | undefined {
  let i = 1
  for (let option = optionAt(words, i); option; option = optionAt(words, ++i)) {
    const attached = restOf(shellWordAt(words, i), option.length)
    const value = attached.value === '' ? shellWordAt(words, ++i) : attached
    if (value.dynamic || value.glob) return undefined
    if (option === '-v' && !isVariable(value.value.slice(0, Math.max(value.value.indexOf('='), 0)))) return undefined
  }
  if (valueAt(words, i) === '--') i += 1
  const program = words[i]
  if (!program || program.dynamic || program.glob || program.value.startsWith('-')) return undefined
  return isHarmlessProgram(program.value) ? words.slice(i + 1) : undefined
}

/** A separator or a variable; behind the program there are none. */
function optionAt(words: readonly ShellWord[], at: number): string | undefined {
  return /^-[Fv]/.exec(valueAt(words, at))?.[0]
}
