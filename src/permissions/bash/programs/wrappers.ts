/** Programs that run another program given in their arguments, and how to find that program among them. */

import { wordList } from '../../word-list.js'
import { fileUseOf } from '../file-use.js'
import { knownName, orEmpty, type ShellWord, valueAt } from '../syntax/syntax.js'
import { knowledgeOf } from './program-table.js'

type Shape = {
  /** Short options that take the next word as their value. */
  values?: string
  /** Short options without a value. */
  flags?: string
  /** Long options that take the next word when they have no `=`. */
  longs?: readonly string[]
  /** Words before the program, such as the duration of timeout. */
  operands?: number
  /** `NAME=value` words may stand before the program. */
  assignments?: boolean
}

/** Looked through by allow rules, the read-only set and accepted edits too, as documented. */
const TRANSPARENT: Record<string, Shape> = {
  timeout: {
    values: 'ks',
    flags: 'v',
    longs: ['--kill-after', '--signal', '--foreground', '--preserve-status', '--verbose'],
    operands: 1,
  },
  time: { flags: 'p' },
  nice: { values: 'n', longs: ['--adjustment'] },
  nohup: {},
  stdbuf: { values: 'ioe', longs: ['--input', '--output', '--error'] },
  command: { flags: 'p' },
  builtin: {},
  noglob: {},
}

/** Looked through by deny and ask rules only. */
const OPAQUE: Record<string, Shape> = {
  time: { values: 'fo', flags: 'apqvV', longs: ['--format', '--output'] },
  exec: { values: 'a', flags: 'cl' },
  xargs: {
    values: 'adEILnPs',
    flags: '0oprtx',
    longs: ['--arg-file', '--delimiter', '--max-lines', '--max-args', '--max-procs', '--max-chars'],
  },
  env: { values: 'uCS', flags: 'i0v', longs: ['--unset', '--chdir'], assignments: true },
  sudo: {
    values: 'CDghpRrTtUu',
    flags: 'AbEeHiKklNnPSsVv',
    longs: ['--user', '--group', '--chdir', '--prompt', '--host'],
    assignments: true,
  },
  doas: { values: 'aCu', flags: 'Lns' },
  setsid: { flags: 'cfw' },
  ionice: { values: 'cnpPu', flags: 't', longs: ['--class', '--classdata'] },
  chrt: { values: 'TPD', flags: 'abdfiormpRv', operands: 1 },
  taskset: { flags: 'acp', operands: 1 },
  flock: { values: 'wE', flags: 'eFnosuxv', longs: ['--timeout', '--wait', '--conflict-exit-code'], operands: 1 },
  watch: { values: 'nq', flags: 'bcdeghprtwx', longs: ['--interval'] },
  chroot: { longs: ['--userspec', '--groups'], operands: 1 },
  strace: { values: 'abeEIoOpPsSuUX', flags: 'cCdfFhiknqrtTvVwxyYz' },
  ltrace: { values: 'aAeFlnopsuwx', flags: 'bcCfhiLrStTV' },
  catchsegv: {},
  fakeroot: {},
  busybox: {},
  toybox: {},
  unbuffer: { flags: 'p' },
  coproc: {},
  jobs: { flags: 'lnprsx' },
  valgrind: {},
  ifne: { flags: 'n' },
  faketime: { flags: 'm', values: 'f', operands: 1 },
  cgexec: { values: 'g' },
  proot: {},
  perf: { operands: 1 },
}

/** Take options this file does not know; any of their words may be the program. */
const RUNNERS = new Set(
  wordList(`
    unshare nsenter runuser parallel systemd-run firejail bwrap proxychains proxychains4 torsocks dbus-run-session
    entr setpriv prlimit numactl eatmydata caffeinate arch linux32 linux64 setarch xvfb-run rlwrap tsp chronic
    nix-shell gdb start-stop-daemon hyperfine dtach abduco setlock chpst envdir softlimit with-contenv s6-setuidgid gosu su-exec
    tini dumb-init catchsegv trickle nocache pv-run
  `),
)

/** Like the wrappers above, but known as programs: a rule for them is a rule for what they run. */
const NAMED_RUNNERS = new Set(
  wordList('npx bunx pnpx uvx ssh dotenv cross-env cross-env-shell zx tsx ts-node tmux screen'),
)

/** `tool verb … program`: the verbs after which a program stands. */
const RUNNER_VERBS: Record<string, readonly string[]> = {
  npm: ['exec', 'x'],
  pnpm: ['exec', 'dlx'],
  yarn: ['exec', 'dlx'],
  bun: ['x'],
  bundle: ['exec'],
  poetry: ['run'],
  uv: ['run'],
  pipx: ['run'],
  conda: ['run'],
  docker: ['exec', 'run'],
  'docker-compose': ['exec', 'run'],
  ...Object.fromEntries(wordList('pipenv pdm rye hatch volta infisical flox pixi').map((name) => [name, ['run']])),
  ...Object.fromEntries(
    wordList('rbenv pyenv nodenv goenv fnm nvm aws-vault chamber lerna nx summon').map((name) => [
      name,
      ['exec', 'run'],
    ]),
  ),
  cargo: ['watch'],
  podman: ['exec', 'run'],
  kubectl: ['exec', 'run'],
  devbox: ['run'],
  direnv: ['exec'],
  mise: ['exec', 'x'],
  asdf: ['exec'],
  nix: ['run', 'shell', 'develop'],
  doppler: ['run'],
  op: ['run'],
}

/** How many words a documented wrapper takes before the command it runs; undefined when it is none, or not in a documented form. */
export function transparentPrefix(words: readonly ShellWord[]): number | undefined {
  const name = valueAt(words, 0)
  // Another path to a wrapper is another program.
  if (words[0]?.dynamic || words[0]?.glob) return undefined
  // With options xargs is a command of its own.
  if (name === 'xargs') return words[1] && !words[1].value.startsWith('-') && !words[1].dynamic ? 1 : undefined
  const shape = Object.hasOwn(TRANSPARENT, name) ? TRANSPARENT[name] : undefined
  if (!shape) return undefined
  const end = skipOptions(words, shape)
  return end.certain && end.at < words.length ? end.at : undefined
}

/**
 * Whether its command line contains another command that isn't examined: documented wrappers that couldn't be looked
 * through.
 */
export function isOpaqueWrapper(words: readonly ShellWord[]): boolean {
  const name = knownName(words)
  return Object.hasOwn(OPAQUE, name) || Object.hasOwn(TRANSPARENT, name) || RUNNERS.has(name)
}

/** Programs whose words are no programs, whatever they are called. */
const NO_RUNNERS = new Set(
  wordList(`
    gh glab hub npm pnpm yarn bun deno node python python3 ruby perl php java pip pip3 gem composer cargo go rustup apt apt-get
    brew dnf yum apk pacman snap flatpak port docker podman kubectl helm terraform make cmake ninja kill pkill killall man info
    export declare typeset local readonly set unset read test [ [[ let shopt bind history cd pushd popd echo printf
    systemctl service journalctl useradd
  `),
)

/** Whether it is an unknown program, which might run others. */
export function mayRunItsWords(words: readonly ShellWord[]): boolean {
  const program = knownName(words)
  return (
    !knowledgeOf(program)?.runs?.nothing &&
    !NO_RUNNERS.has(program) &&
    !fileUseOf(words).known &&
    innerCommands(words).length === 0
  )
}

/** Every command line that may start behind a wrapper, for deny and ask rules. Empty when it is no wrapper. */
export function innerCommands(words: readonly ShellWord[]): (readonly ShellWord[])[] {
  const name = knownName(words)
  if (name === 'command' && words.slice(1).some((word) => /^-[pvV]*[vV]/.test(word.value))) return []
  // `time -f x rm`: the keyword ended at the option, the rest looks like a command.
  if (name.startsWith('-') || RUNNERS.has(name) || NAMED_RUNNERS.has(name) || /^ld[-\w]*\.so/.test(name))
    return suffixes(words, 1)
  if (name === 'jobs' && !words.some((word, i) => i > 0 && /^-\w*x/.test(word.value))) return []
  const verbs = knowledgeOf(name)?.runs?.verbs ?? (Object.hasOwn(RUNNER_VERBS, name) ? RUNNER_VERBS[name] : undefined)
  if (verbs) {
    const verb = words.findIndex((word, i) => i > 0 && verbs.includes(word.value))
    return verb < 0 ? [] : suffixes(words, verb + 1)
  }
  const shapes = [TRANSPARENT, OPAQUE].flatMap((table) => (Object.hasOwn(table, name) ? [{ ...table[name] }] : []))
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
function skipOptions(words: readonly ShellWord[], shape: Shape): { at: number; certain: boolean } {
  let certain = true
  let i = 1
  for (; i < words.length; i++) {
    const word = words[i]
    const value = valueAt(words, i)
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
  if (shape.assignments) while (/^[A-Za-z_]\w*=/.test(valueAt(words, i))) i += 1
  return { at: i, certain }
}
