/** Sed: its scripts can run programs and write files. */
import { createLiteralWord } from '../../syntax/shell-words.js'
import { orEmpty, type ShellWord } from '../../syntax/syntax.js'
import type { FileUse, KnownPrograms, ProgramKnowledge } from '../program-knowledge.js'
import { fileWords } from '../word-files.js'
import { isHarmlessSedScript } from './sed-script.js'

const SED: ProgramKnowledge = {
  files: sedFiles,
  risks: { danger: (words) => (readHarmlessSed(words) ? undefined : 'runs'), hasScript: true },
}

export const SED_PROGRAMS: KnownPrograms = {
  sed: {
    ...SED,
    looks: {
      form: (words) => {
        const form = readHarmlessSed(words)
        return form && !form.inPlace && !hasBareGlob(form) ? form.files : undefined
      },
      version: /^--version$/,
    },
    edits: (words) => {
      const form = readHarmlessSed(words)
      return form?.inPlace === true && !hasBareGlob(form)
    },
    makes: 'named',
    waits: 'never',
  },
  gsed: SED,
}

export type HarmlessSedCommand = { inPlace: boolean; files: readonly ShellWord[] }

/** Endings of copies that are nothing but copies: with another one the copy may be a file that programs take orders from. */
const BACKUP = /^(?:\.(?:bak|orig|old|backup|tmp|sav)|~)?$/

/**
 * Reads a sed command line that is known to be harmless. Undefined when an option or a piece of the script is not
 * known to be harmless.
 */
export function readHarmlessSed(words: readonly ShellWord[]): HarmlessSedCommand | undefined {
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
  return scripts.every((script) => !script.glob && isHarmlessSedScript(script.value))
    ? { inPlace, files: operands }
    : undefined
}

/** A file that a glob finds may be named like an option. */
function hasBareGlob({ files }: HarmlessSedCommand): boolean {
  return files.some((word) => word.glob && word.head === '')
}

function sedFiles(words: readonly ShellWord[]): FileUse {
  const form = readHarmlessSed(words)
  const operands = form?.files ?? fileWords(words.slice(1), true)
  const named = form ? [] : filesInScript(words)
  const writes = !form || form.inPlace ? [...operands, ...named] : []
  return { reads: [...operands, ...named], writes, known: true, recursive: false }
}

/** Files that a script which is not harmless may read or write. */
function filesInScript(words: readonly ShellWord[]): ShellWord[] {
  return words.slice(1).flatMap((word) => {
    const named = new Set([...word.value.matchAll(/[rRwW][ \t]*([^\s;}]+)/g)].map((match) => orEmpty(match[1])))
    return [...named].slice(0, MOST_FILES).map((name) => createLiteralWord(name))
  })
}

/** No script of that kind names more. */
const MOST_FILES = 100
