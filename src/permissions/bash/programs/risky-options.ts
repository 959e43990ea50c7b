/** Options that make a known program run or write something else, so that a rule with a wildcard does not cover them. */
import { wordList } from '../../word-list.js'
import { knownName, type ShellWord } from '../syntax/syntax.js'
import { type Danger, hasOption, mayBeOption, type OptionNames } from './option-words.js'
import { knowledgeOf } from './program-table.js'
import { readAwk, readSed } from './sed.js'
import { tellsFacts } from './system-facts.js'

type Row = {
  runs?: string
  writes?: string
  /** Long options with one dash, and options that are known by how they begin. */
  named?: string
  /** Takes any number of dashes for two: `-script-shell` is `--script-shell`. */
  anyDashes?: true
}

/** Short options as `-ab`, long ones by name. */
const TABLE: Record<string, Row> = {
  sort: { runs: '--compress-program', writes: '-oT --output --temporary-directory' },
  rg: { runs: '--pre --pre-glob --hostname-bin' },
  ag: { runs: '--pager' },
  ack: { runs: '--pager --ackrc' },
  tar: {
    runs: '-IF --use-compress-program --to-command --checkpoint-action --info-script --new-volume-script --rsh-command --rmt-command',
    writes: '-P --absolute-names --index-file --volno-file',
  },
  bsdtar: { runs: '--use-compress-program' },
  cpio: { runs: '--rsh-command' },
  fd: { runs: '-xX --exec --exec-batch' },
  fdfind: { runs: '-xX --exec --exec-batch' },
  curl: {
    runs: '-K --config --libcurl --stderr --engine',
    writes: `-oOJDc --output --output-dir --remote-name --remote-name-all --remote-header-name --dump-header --cookie-jar --trace
      --trace-ascii --etag-save --hsts --alt-svc`,
  },
  wget: {
    runs: '-e --execute --use-askpass --config',
    writes: `-OoaP --output-document --output-file --append-output --directory-prefix --save-cookies --warc-file --warc-tempdir
      --rejected-log --hsts-file`,
  },
  rsync: { runs: '-e --rsh --rsync-path', writes: '--log-file --write-batch --only-write-batch' },
  ssh: { runs: '-oFSI', writes: '-E' },
  scp: { runs: '-SoF' },
  sftp: { runs: '-SoFbD' },
  'ssh-keygen': { runs: '-Dw' },
  'ssh-add': { runs: '-s' },
  split: { runs: '--filter' },
  man: { runs: '-PHC --pager --html --config-file' },
  // What it runs scripts by, where its settings and packages come from, and who talks to the network for it.
  npm: {
    runs: `-C --script-shell --node-options --userconfig --globalconfig --prefix --shell --call --browser --editor --viewer --git
      --init-module --init.module --node-gyp --onload-script --scripts-prepend-node-path --python --registry
      --replace-registry-host --proxy --https-proxy --cafile --cert --key`,
    writes: '--cache --logs-dir --tmp --pack-destination',
    named: '--@ --//',
    anyDashes: true,
  },
  pnpm: {
    runs: `-C --script-shell --node-options --dir --shell-mode --prefix --userconfig --npmrc-auth-file --pnpmfile --global-pnpmfile
      --registry --use-node-version --lockfile-dir`,
    writes: '--store-dir --cache-dir --state-dir --global-dir --global-bin-dir --modules-dir --virtual-store-dir',
    named: '--config. --@ --//',
    anyDashes: true,
  },
  yarn: {
    runs: '--cwd --script-shell --use-yarnrc --registry --prefix',
    writes: '--cache-folder --modules-folder --global-folder --link-folder --preferred-cache-folder',
  },
  cargo: { runs: '-C --config' },
  make: { runs: '-E --eval', named: '-f- --file=- --makefile=-' },
  gmake: { runs: '-E --eval', named: '-f- --file=- --makefile=-' },
  zip: { runs: '--unzip-command', named: '-TT' },
  install: { runs: '--strip-program' },
  sdiff: { runs: '--diff-program', writes: '-o --output' },
  diff3: { runs: '--diff-program' },
  diff: { runs: '-l --paginate' },
  ctags: { runs: '--options' },
  tree: { writes: '-oR --output' },
  file: { runs: '-zZ --uncompress', writes: '-C --compile' },
  yq: { writes: '-is --inplace --split-exp' },
  date: { writes: '-s --set' },
  script: { runs: '-c --command' },
  nc: { runs: '-ec' },
  ncat: { runs: '-ec --exec --sh-exec --lua-exec', writes: '-ox --output --hex-dump' },
  tcpdump: { runs: '-z', writes: '-w' },
  lftp: { runs: '-ecf' },
  psql: { writes: '-oL --output --log-file' },
  mysql: { runs: '--pager --init-command', writes: '--tee' },
  sqlite3: { named: '-cmd --cmd -init --init' },
  hg: { runs: '-R --config --cwd' },
  svn: { runs: '--config-option --diff-cmd --diff3-cmd --editor-cmd --config-dir' },
  helm: { runs: '--post-renderer' },
  kubectl: { runs: '--kubeconfig' },
  podman: { runs: '--url --connection' },
  pandoc: { runs: '-FL --filter --lua-filter --pdf-engine' },
  groff: { runs: '-U' },
  ...same('pdflatex latex xelatex lualatex tex', {
    named: '-shell-escape --shell-escape -enable-write18 --enable-write18',
  }),
  ...same('gcc cc g++ c++ clang clang++', { named: '-wrapper -B -specs --specs -fplugin' }),
  cmake: { runs: '-PE' },
  patch: { writes: '-or --output --reject-file' },
}

/** Whatever their options: all they are for is to run what they are given, or what is typed into them. */
const RUNNING = new Set(
  wordList(`
    ed red ex vi vim vimdiff gvim view nvim emacs nano pico joe mcedit kak hx gdb lldb socat tmux screen expect su at batch
  `),
)

function same(names: string, row: Row): Record<string, Row> {
  return Object.fromEntries(wordList(names).map((name) => [name, row]))
}

const FIND_RUNS = /^-(?:exec|execdir|ok|okdir)$/
const FIND_WRITES = /^-(?:delete|fprint|fprint0|fprintf|fls)$/

/** What the command could do beyond what its name says; undefined when nothing of that kind is seen. `byRule`: words of a rule for it. */
export function dangerOf(words: readonly ShellWord[], byRule: readonly string[] = []): Danger | undefined {
  const program = knownName(words)
  const args = words.slice(1)
  if (RUNNING.has(program)) return 'runs'
  const known = knowledgeOf(program)?.risks
  const found =
    known?.danger?.(words, byRule) ?? (Object.hasOwn(SPECIAL, program) ? SPECIAL[program]?.(words, byRule) : undefined)
  if (found) return found
  const row = Object.hasOwn(TABLE, program) ? TABLE[program] : undefined
  if (!row) return undefined
  const options = optionsOf(program, args).flatMap((value) => (row.anyDashes ? [value, withTwoDashes(value)] : value))
  const named = row.named === undefined ? [] : wordList(row.named)
  const [running, writing] = [optionNamesOf(row.runs), optionNamesOf(row.writes)]
  const runs = (value: string) => hasOption(value, running) || named.some((name) => value.startsWith(name))
  if (args.some(mayBeOption) || options.some(runs)) return 'runs'
  return options.some((value) => hasOption(value, writing)) ? 'writes' : undefined
}

/** Whether the program runs commands in a text of its own language. */
export function runsText(words: readonly ShellWord[]): boolean {
  const program = knownName(words)
  return (RUNNING.has(program) || /^(?:g?sed|[gmn]?awk)$/.test(program)) && dangerOf(words) === 'runs'
}

/** Does the program have options of that kind at all? */
export function takesDanger(words: readonly ShellWord[]): boolean {
  const program = knownName(words)
  const known = knowledgeOf(program)?.risks
  return (
    Boolean(known?.danger) || RUNNING.has(program) || Object.hasOwn(SPECIAL, program) || Object.hasOwn(TABLE, program)
  )
}

const SPECIAL: Record<string, (words: readonly ShellWord[], named: readonly string[]) => Danger | undefined> = {
  sed: sedDanger,
  gsed: sedDanger,
  ...Object.fromEntries(['awk', 'gawk', 'mawk', 'nawk'].map((name) => [name, awkDanger])),
  find: (words) => {
    const args = words.slice(1)
    if (args.some((word) => mayBeOption(word) || FIND_RUNS.test(word.value))) return 'runs'
    return args.some((word) => FIND_WRITES.test(word.value)) ? 'writes' : undefined
  },
  go: (words) =>
    words.some((word) => /^--?(?:exec|toolexec|vettool|overlay|modfile)(?:=|$)/.test(word.value)) ? 'runs' : undefined,
  less: pagerDanger,
  more: pagerDanger,
  make: makeDanger,
  gmake: makeDanger,
  sqlite3: (words) => (words.some((word) => /^\s*\./.test(word.value)) ? 'runs' : undefined),
  psql: (words) => (words.some((word) => /\\[!gowi]|\bprogram\b/i.test(word.value)) ? 'runs' : undefined),
  mysql: (words) => (words.some((word) => /\\[!TPR]|\b(?:system|tee|pager)\b/i.test(word.value)) ? 'runs' : undefined),
  curl: (words) => (words.some((word) => /%output\{/.test(word.value)) ? 'writes' : undefined),
  docker: (words) => {
    // Another daemon, only before the verb.
    const verb = words.findIndex((word, i) => i > 0 && !word.value.startsWith('-'))
    const globals = words.slice(1, verb < 0 ? undefined : verb + 1)
    return globals.some((word) => /^-[Hc]|^--(?:h|co)/.test(word.value)) || globals.some(mayBeOption)
      ? 'runs'
      : undefined
  },
  gh: (words) => (words[1]?.value === 'alias' || words[1]?.value === 'extension' ? 'runs' : undefined),
  rustc: (words) => (words.some((word) => /linker|^-C?$|^@/.test(word.value)) ? 'runs' : undefined),
  uniq: outputDanger,
  xxd: xxdDanger,
  tar: archiveDanger,
  cpio: archiveDanger,
  jq: jqDanger,
  yq: jqDanger,
  ps: psDanger,
}

function sedDanger(words: readonly ShellWord[]): Danger | undefined {
  return readSed(words) ? undefined : 'runs'
}

function awkDanger(words: readonly ShellWord[]): Danger | undefined {
  return readAwk(words) ? undefined : 'runs'
}

function pagerDanger(words: readonly ShellWord[]): Danger | undefined {
  return words.slice(1).some((word) => /^[+]|^-[a-zA-Z]*[oOkK]|^--/.test(word.value)) ? 'runs' : undefined
}

function withTwoDashes(value: string): string {
  return value.replace(/^-+(?=[^-].)/s, '--')
}

/**
 * Variables of make that decide what runs the recipes, and values that run or write something themselves: make calls functions by
 * `$(…)`, `!=` runs a command, and a recipe hands the rest to a shell.
 */
function makeDanger(words: readonly ShellWord[]): Danger | undefined {
  const runs = ({ value, dynamic }: ShellWord) => {
    const [, name = '', operator = '', given = ''] = /^([^=:+?!]*)([:+?!]*=)([\s\S]*)$/.exec(value) ?? []
    if (operator === '' || value.startsWith('-')) return false
    return (
      dynamic ||
      operator.includes('!') ||
      /[$`;&|<>(){}\\\n]/.test(given) ||
      /^(?:\.?SHELL\w*|(?:GNU)?MAKE\w*)$/.test(name)
    )
  }
  return words.slice(1).some(runs) ? 'runs' : undefined
}

/** Modules and files of filters might print the environment, as `env` does. */
function jqDanger(words: readonly ShellWord[]): Danger | undefined {
  const shows = ({ value }: ShellWord) =>
    /\benv\b|\$ENV\b|\$__prog_args|\b(?:import|include|strenv|envsubst|load\w*|system)\b/.test(value) ||
    hasOption(value, { short: 'fL', long: ['from-file', 'library-path'] })
  return words.slice(1).some((word) => shows(word) || mayBeOption(word)) ? 'runs' : undefined
}

/** Letters without a dash, `e` among them, show the environment of processes. */
function psDanger(words: readonly ShellWord[]): Danger | undefined {
  const isOpen = words.slice(1).some((word) => mayBeOption(word) || /^-?[a-zA-Z]*e/.test(word.value))
  return isOpen && tellsFacts(words) !== true ? 'runs' : undefined
}

/** The second file is written to. Values of options count too: better to ask than to miss one. */
function outputDanger(words: readonly ShellWord[]): Danger | undefined {
  return words.slice(1).filter((word) => word.value === '-' || !word.value.startsWith('-')).length > 1
    ? 'writes'
    : undefined
}

/** It takes no options behind a file: all that follows one is the file to write. */
function xxdDanger(words: readonly ShellWord[]): Danger | undefined {
  const file = words.findIndex((word, i) => i > 0 && (word.value === '-' || !word.value.startsWith('-')))
  return file > 0 && file < words.length - 1 ? 'writes' : undefined
}

/** Before a colon they see the name of another machine, and start ssh to get there. */
function archiveDanger(words: readonly ShellWord[]): Danger | undefined {
  if (words.some(({ value }) => value === '--force-local')) return undefined
  return words.slice(1).some(({ value }) => /^[^/]*:/.test(value)) ? 'runs' : undefined
}

function optionNamesOf(text = ''): OptionNames {
  const names = text === '' ? [] : wordList(text)
  return {
    short: names
      .filter((name) => !name.startsWith('--'))
      .map((name) => name.slice(1))
      .join(''),
    long: names.filter((name) => name.startsWith('--')).map((name) => name.slice(2)),
  }
}

function optionsOf(program: string, args: readonly ShellWord[]): string[] {
  const end = args.findIndex((word) => word.value === '--')
  const values = (end < 0 ? args : args.slice(0, end)).map((word) => word.value)
  const first = values[0]
  // The old way of writing the options of tar, without a dash.
  if (program === 'tar' && first !== undefined && !first.startsWith('-')) values[0] = `-${first}`
  return values.filter((value) => /^-./.test(value))
}
