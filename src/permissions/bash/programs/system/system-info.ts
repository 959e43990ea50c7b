/** Programs that tell about the machine, its processes, users and the environment: which forms tell nothing that may be a secret. */
import { wordList } from '../../../word-list.js'
import { isVariableSafeToShow } from '../../syntax/harmless-variables.js'
import { type ShellWord, wordValueAt } from '../../syntax/syntax.js'
import { areWordValuesKnown } from '../arguments.js'
import { noFileUse } from '../file-uses.js'
import { createReaderForms, filesReadByTextPrinter, HELP_OPTIONS, knowledgeForNames } from '../knowledge-parts.js'
import { mayBeOption, type OptionDanger } from '../option-words.js'
import type { KnownPrograms } from '../program-knowledge.js'

/** What ps may show of a process; with `e` the command would bring its environment along. */
const COLUMN = `(?:${wordList(`
  pid ppid pgid pgrp sid sess tpgid user uid ruser ruid euser euid group gid rgroup egroup tty tt tname stat state s comm ucomm cmd
  args command fname %cpu pcpu c cp %mem pmem rss rssize rsz vsz vsize sz size time cputime cputimes etime etimes start lstart bsdstart
  start_time stime ni nice pri psr nlwp thcount lwp spid tid wchan class cls policy rtprio
`).join('|')})`
const COLUMNS = new RegExp(`^${COLUMN}(?:=[\\w %]*|(?:,${COLUMN}=?)*)$`)
const SORTED = new RegExp(`^--sort=[-+]?${COLUMN}(?:,[-+]?${COLUMN})*$`)
/** As on BSD, without the `e`. */
const LETTERS = /^[auxflwjh]+$/
/** Where options do not go together, ps reads them again without their dashes: `-e` is the only one, with what goes with it. */
const DASHED = /^-(?:[Aadfljw]|ww|aux|af)$/
const ALL = /^-e(?:f|F|l|fl|ly|j|jH|fH|fw|fww)?$/
const HEADED = /^--(?:forest|no-headers?|headers?|cols=\d+|width=\d+)$/
const NUMBERS = /^\d+(?:,\d+)*$/

function tellsOfProcesses(values: readonly string[]): boolean {
  if (ALL.test(values[0] ?? '')) return values.slice(1).every((value) => SORTED.test(value) || HEADED.test(value))
  for (let i = 0; i < values.length; i++) {
    const value = values[i] ?? ''
    if (/^(?:-o|-eo|-Ao|-axo|o|axo|--format)$/.test(value)) {
      if (!COLUMNS.test(values[++i] ?? '')) return false
    } else if (/^(?:-p|-q|p|--pid|--ppid)$/.test(value)) {
      if (!NUMBERS.test(values[++i] ?? '')) return false
    } else if (value === '-C') {
      if (!/^[a-z][\w.-]*$/.test(values[++i] ?? '')) return false
    } else if (
      !(LETTERS.test(value) && i === 0) &&
      !DASHED.test(value) &&
      !SORTED.test(value) &&
      !HEADED.test(value) &&
      !(value.startsWith('--format=') && COLUMNS.test(value.slice(9)))
    )
      return false
  }
  return true
}

export const SYSTEM_INFO_PROGRAMS: KnownPrograms = {
  ps: { looks: { facts: tellsOfProcesses, version: /^--version$/ }, risks: { danger: processDanger } },
  // With an operand it would set the name, and other options ask the network.
  hostname: { looks: { facts: (values) => values.every((value) => /^(?:-[sI]|--short)$/.test(value)) } },
  // By `-v` it runs another getconf.
  getconf: {
    looks: {
      facts: ([name, ...others]) => name !== undefined && others.length === 0 && /^(?:-a|[A-Z_]\w*)$/.test(name),
    },
  },
  locale: {
    looks: { facts: (values) => values.every((value) => /^(?:-[akcm]+|[a-zA-Z_]+)$/.test(value)) },
    obeys: { programs: ['gzip', 'bzip2'] },
  },
  tput: {
    looks: { facts: ([name, ...others]) => others.length === 0 && /^(?:cols|lines|colors)$/.test(name ?? '') },
  },
  printenv: { looks: { facts: (values) => values.length > 0 && values.every((value) => isVariableSafeToShow(value)) } },
  date: {
    looks: createReaderForms(
      'none',
      `-uR -d= -I? -r< --date= --utc --universal --iso-8601? --rfc-3339= --rfc-email --reference< ${HELP_OPTIONS}`,
      { operandForm: (word) => word.value.startsWith('+') && word.single },
    ),
    risks: { options: { writes: '-s --set' } },
  },
  pwd: { looks: createReaderForms('none', '-LP') },
  nproc: { looks: createReaderForms('none', `--all --ignore= ${HELP_OPTIONS}`) },
  tty: { looks: createReaderForms('none', `-s --silent --quiet ${HELP_OPTIONS}`) },
  logname: { looks: createReaderForms('none', HELP_OPTIONS) },
  uptime: { looks: createReaderForms('none', `-ps --pretty --since ${HELP_OPTIONS}`) },
  free: {
    looks: createReaderForms(
      'none',
      `-bkmghltwv -s= -c= --bytes --kibi --mebi --gibi --kilo --mega --giga --human --si --lohi --total --wide --count= --seconds= ${HELP_OPTIONS}`,
    ),
  },
  lscpu: {
    looks: createReaderForms('none', `-abcepxyJ --all --online --offline --extended? --json --parse? ${HELP_OPTIONS}`),
  },
  whoami: { looks: createReaderForms('none', HELP_OPTIONS), files: noFileUse },
  // It is also a wrapper, on some systems.
  arch: { looks: createReaderForms('none', HELP_OPTIONS), runs: { anyWord: 'opaque' } },
  ...knowledgeForNames('id uname', { looks: { form: filesReadByTextPrinter }, files: noFileUse }),
  groups: { looks: { form: filesReadByTextPrinter } },
}

/** Letters without a dash, `e` among them, show the environment of processes. */
function processDanger(words: readonly ShellWord[]): OptionDanger | undefined {
  const isOpen = words.slice(1).some((word) => mayBeOption(word) || /^-?[a-zA-Z]*e/.test(word.value))
  if (!isOpen) return undefined
  const values = words.slice(1).map((word) => word.value)
  return wordValueAt(words, 0) === 'ps' && areWordValuesKnown(words.slice(1)) && tellsOfProcesses(values)
    ? undefined
    : 'runs'
}
