/** Programs that tell about the machine, its processes and the environment: which forms tell nothing that may be a secret. */
import { wordList } from '../../word-list.js'
import { isHarmlessVariable } from '../syntax/harmless-variables.js'
import { type ShellWord, valueAt } from '../syntax/syntax.js'

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

const FORMS: Readonly<Record<string, (values: readonly string[]) => boolean>> = {
  ps: tellsOfProcesses,
  // With an operand it would set the name, and other options ask the network.
  hostname: (values) => values.every((value) => /^(?:-[sI]|--short)$/.test(value)),
  // By `-v` it runs another getconf.
  getconf: ([name, ...others]) => name !== undefined && others.length === 0 && /^(?:-a|[A-Z_]\w*)$/.test(name),
  locale: (values) => values.every((value) => /^(?:-[akcm]+|[a-zA-Z_]+)$/.test(value)),
  tput: ([name, ...others]) => others.length === 0 && /^(?:cols|lines|colors)$/.test(name ?? ''),
  printenv: (values) => values.length > 0 && values.every((value) => isHarmlessVariable(value)),
}

/** Undefined: no program of this kind. */
export function tellsFacts(words: readonly ShellWord[]): boolean | undefined {
  const name = valueAt(words, 0)
  const form = Object.hasOwn(FORMS, name) ? FORMS[name] : undefined
  const args = words.slice(1)
  return form && args.every((word) => !word.dynamic && !word.glob) && form(args.map((word) => word.value))
}
