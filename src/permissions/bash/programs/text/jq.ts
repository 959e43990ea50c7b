/** `jq` and `yq`: their filters can read the environment and other files. */
import { wordList } from '../../../word-list.js'
import { type ShellWord, wordValueAt } from '../../syntax/syntax.js'
import { fileUseOfSearcher } from '../file-uses.js'
import { requireKnownFiles } from '../knowledge-parts.js'
import { hasOption, mayBeOption, type OptionDanger } from '../option-words.js'
import type { KnownPrograms } from '../program-knowledge.js'
import { isHarmlessJqFilter } from './jq-filter.js'

export const JQ_PROGRAMS: KnownPrograms = {
  jq: {
    looks: { form: (words) => requireKnownFiles(filesReadByJq(words)), version: /^--version$/ },
    files: fileUseOfSearcher,
    risks: { danger: filterDanger },
    waits: 'never',
  },
  yq: {
    files: (words) => ({ ...fileUseOfSearcher(words), writes: changedInPlace(words.slice(1)) }),
    risks: { danger: filterDanger, options: { writes: '-is --inplace --split-exp' } },
  },
}

function changedInPlace(args: readonly ShellWord[]): readonly ShellWord[] {
  return args.some((word) => hasOption(word.value, { short: 'i', long: ['inplace'] })) ? args : []
}

/** Modules and files of filters might print the environment, as `env` does. */
function filterDanger(words: readonly ShellWord[]): OptionDanger | undefined {
  const shows = ({ value }: ShellWord) =>
    /\benv\b|\$ENV\b|\$__prog_args|\b(?:import|include|strenv|envsubst|load\w*|system)\b/.test(value) ||
    hasOption(value, { short: 'fL', long: ['from-file', 'library-path'] })
  return words.slice(1).some((word) => shows(word) || mayBeOption(word)) ? 'runs' : undefined
}

const FLAGS = /^-[rcnseSMCajR]+$/
const LONG_FLAGS = new Set(
  wordList(`
    --raw-output --compact-output --null-input --slurp --exit-status --sort-keys --monochrome-output --color-output --ascii-output
    --join-output --raw-input --raw-output0 --tab --unbuffered --seq --stream --stream-errors
  `),
)

/** The files it reads; undefined when an option or the filter is not known to be harmless. */
export function filesReadByJq(words: readonly ShellWord[]): readonly ShellWord[] | undefined {
  const operands: ShellWord[] = []
  for (let i = 1; i < words.length; i++) {
    const word = words[i]
    const value = wordValueAt(words, i)
    // A file that a glob finds may be called like an option.
    if (!word || (word.dynamic && !word.pipe) || (word.glob && word.head === '')) return undefined
    if (!value.startsWith('-') || value === '-') operands.push(word)
    else if (value === '--arg' || value === '--argjson') {
      if (!/^[a-z]\w*$/.test(wordValueAt(words, i + 1)) || !words[i + 2]?.single) return undefined
      i += 2
    } else if (value === '--indent') {
      if (!/^\d$/.test(wordValueAt(words, ++i))) return undefined
    } else if (!FLAGS.test(value) && !LONG_FLAGS.has(value)) return undefined
  }
  const [filter, ...files] = operands
  if (!filter || filter.glob || filter.pipe) return undefined
  return isHarmlessJqFilter(filter.value) ? files : undefined
}
