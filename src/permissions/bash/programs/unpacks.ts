/** Programs that write files which their words do not name: what is in an archive, a patch or a copied tree. */
import { knownName, type ShellWord, valueAt } from '../syntax/syntax.js'
import { hasOption, type OptionNames } from './option-words.js'

/** With one of these they only look, or only make an archive; whatever else they are told, they unpack. */
const LOOKING: Record<string, OptionNames> = {
  unzip: { short: 'ltpcvZ' },
  patch: { short: 'C', long: ['dry-run', 'check', 'help', 'version'] },
  rsync: { short: 'n', long: ['dry-run', 'list-only', 'help', 'version'] },
  cpio: { short: 'ot', long: ['create', 'list', 'help', 'version'] },
  pax: {},
  ditto: {},
  unrar: {},
  unar: {},
}
/** The letter or word that says what is done to the archive, where it is not to be taken apart. */
const TAR_LOOKS =
  /^-?[a-zA-Z]*[ctruA]|^--(?:create|list|append|update|diff|compare|delete|concatenate|catenate|help|version|test-label)$/
const VERBS: Record<string, RegExp> = {
  '7z': /^(?:l|t|a|h|i|u|d|rn|b)$/,
  '7za': /^(?:l|t|a|h|i|u|d|rn|b)$/,
  ar: /^-?[abilNoPsSTuvUDc]*[trdqmps][a-zA-Z]*$/,
  jar: /^(?:-?[vfm0Me]*[ctu][a-zA-Z]*|--(?:create|list|update|help|version)(?:=.*)?)$/,
}

/** Whether it might write a protected name that isn't visible before it exists. */
export function unpacks(words: readonly ShellWord[]): boolean {
  const program = knownName(words)
  const args = words.slice(1)
  if (program === 'tar' || program === 'bsdtar' || program === 'gtar') return !looksAtTar(args)
  const verb = Object.hasOwn(VERBS, program) ? VERBS[program] : undefined
  if (verb) return !verb.test(valueAt(args, 0))
  const looking = Object.hasOwn(LOOKING, program) ? LOOKING[program] : undefined
  return looking !== undefined && !args.some((word) => !word.dynamic && hasOption(word.value, looking))
}

/** The first word may be letters without a dash. Of several commands the last counts, so that none may be to take it apart. */
function looksAtTar(args: readonly ShellWord[]): boolean {
  const letters = args.filter(({ value }, i) => (i === 0 || value.startsWith('-')) && !value.startsWith('--'))
  const isTakenApart =
    letters.some(({ value }) => /^-?[a-zA-Z]*x/.test(value)) ||
    args.some(({ value }) => hasOption(value, { long: ['extract', 'get'] }))
  return !isTakenApart && args.some(({ value }, i) => (i === 0 || value.startsWith('-')) && TAR_LOOKS.test(value))
}
