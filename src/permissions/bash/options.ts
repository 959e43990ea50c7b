/** Options that make a known program run or write something else, so that a rule with a wildcard does not cover them. */

import { wordList } from '../word-list.js'
import { gitDanger } from './git.js'
import { type Danger, hasOption, type Letters, mayBeOption } from './option-words.js'
import { isHarmlessAwk, readSed } from './sed.js'
import { programOf, type Word } from './syntax.js'

const TABLE: Record<string, { runs?: Letters; writes?: Letters }> = {
  sort: { runs: { long: ['compress-program'] }, writes: { short: 'oT', long: ['output', 'temporary-directory'] } },
  rg: { runs: { long: ['pre', 'pre-glob', 'hostname-bin'] } },
  tar: {
    runs: {
      short: 'IF',
      long: [
        'use-compress-program',
        'to-command',
        'checkpoint-action',
        'info-script',
        'new-volume-script',
        'rsh-command',
        'rmt-command',
      ],
    },
    writes: { short: 'P', long: ['absolute-names'] },
  },
  fd: { runs: { short: 'xX', long: ['exec', 'exec-batch'] } },
  curl: {
    writes: {
      short: 'oOJDcK',
      long: [
        'output',
        'output-dir',
        'remote-name',
        'remote-name-all',
        'remote-header-name',
        'dump-header',
        'cookie-jar',
        'trace',
      ],
    },
    runs: { long: ['config', 'libcurl', 'stderr', 'trace-ascii', 'etag-save', 'hsts', 'alt-svc'] },
  },
  wget: {
    runs: { short: 'e', long: ['execute', 'use-askpass', 'config'] },
    writes: { short: 'OoaP', long: ['output-document', 'output-file'] },
  },
  rsync: { runs: { short: 'e', long: ['rsh', 'rsync-path'] } },
  ssh: { runs: { short: 'oFSI' } },
  scp: { runs: { short: 'SoF' } },
  sftp: { runs: { short: 'SoFb' } },
  split: { runs: { long: ['filter'] } },
  man: { runs: { short: 'PH', long: ['pager', 'html'] } },
  npm: {
    runs: { short: 'C', long: ['script-shell', 'node-options', 'userconfig', 'globalconfig', 'prefix', 'shell'] },
  },
  pnpm: { runs: { short: 'C', long: ['script-shell', 'node-options', 'dir', 'shell-mode'] } },
  yarn: { runs: { long: ['cwd', 'script-shell', 'use-yarnrc'] } },
  cargo: { runs: { long: ['config'] } },
  make: { runs: { long: ['eval'] } },
  zip: { runs: { long: ['unzip-command'] } },
  ctags: { runs: { long: ['options'] } },
  tree: { writes: { short: 'oR', long: ['output'] } },
  file: { runs: { short: 'zZ', long: ['uncompress'] }, writes: { short: 'C', long: ['compile'] } },
  yq: { writes: { short: 'i', long: ['inplace'] } },
  date: { writes: { short: 's', long: ['set'] } },
}

/** Their whole point is to run commands given inside them. */
const EDITORS = new Set(
  wordList(`
    ed red ex vi vim vimdiff gvim view nvim emacs nano pico joe mcedit kak hx
  `),
)

const FIND_RUNS = /^-(?:exec|execdir|ok|okdir)$/
const FIND_WRITES = /^-(?:delete|fprint|fprint0|fprintf|fls)$/

/** What the command could do beyond what its name says; undefined when nothing of that kind is seen. */
export function dangerOf(words: readonly Word[]): Danger | undefined {
  const program = programOf(words)
  if (program === undefined) return 'runs'
  const args = words.slice(1)
  if (EDITORS.has(program)) return 'runs'
  if (program === 'git') return gitDanger(words)
  if (program === 'sed' || program === 'gsed') return readSed(words) ? undefined : 'runs'
  if (/^[gmn]?awk$/.test(program)) return isHarmlessAwk(words) ? undefined : 'runs'
  if (program === 'find') {
    if (args.some((word) => mayBeOption(word) || FIND_RUNS.test(word.value))) return 'runs'
    return args.some((word) => FIND_WRITES.test(word.value)) ? 'writes' : undefined
  }
  if (program === 'go')
    return args.some((word) => /^--?(?:exec|toolexec|vettool|overlay)(?:=|$)/.test(word.value)) ? 'runs' : undefined
  if (/^(?:less|more)$/.test(program))
    return args.some((word) => /^[+]|^-[a-zA-Z]*[oOkK]|^--/.test(word.value)) ? 'runs' : undefined
  const row = Object.hasOwn(TABLE, program) ? TABLE[program] : undefined
  if (!row) return undefined
  const options = optionsOf(program, args)
  if (args.some(mayBeOption) || options.some((value) => hasOption(value, row.runs))) return 'runs'
  return options.some((value) => hasOption(value, row.writes)) ? 'writes' : undefined
}

function optionsOf(program: string, args: readonly Word[]): string[] {
  const end = args.findIndex((word) => word.value === '--')
  const values = (end < 0 ? args : args.slice(0, end)).map((word) => word.value)
  const first = values[0]
  // The old way of writing the options of tar, without a dash.
  if (program === 'tar' && first !== undefined && !first.startsWith('-')) values[0] = `-${first}`
  return values.filter((value) => /^-./.test(value))
}
