/** Commands around the mechanisms that broke an earlier engine. And random programs for sed and awk. */
import { join } from 'node:path'
import type { PermissionMode } from '../../src/protocol/permission-types.js'
import { type Case, rulesFor } from './generate-rules.js'
import { randomPath } from './generate-words.js'
import { MECHANISMS, type Mechanism } from './mechanisms.js'
import type { Random } from './random.js'
import { REPO } from './world.js'

const lines = (text: string) => text.trim().split(/\s*\|\s*/)

/** What stands for the holes of a seed, `«V»` and the like. */
const HOLES: Readonly<Record<string, (r: Random) => string>> = {
  /** A variable that something obeys. */
  V: (r) => r.pick(lines('PATH|PATH|CDPATH|IFS|GLOBIGNORE|BASH_ENV|ENV|HOME|PWD|OLDPWD|x|name')),
  /** A short command. */
  S: (r) => r.pick(lines('ls|cat a.txt|head -1 a.txt|grep alpha a.txt|echo x|wc -l a.txt|cd out && cat secret|ls *')),
  /** A way up. */
  U: (r) => r.pick(lines('..|../..|../../..|src|src/deep|src/deep/up|src/deep/up/..|link-in|link-out|.|/|~')),
  P: (r) =>
    r.chance(0.5) ? r.pick(['out/secret', '../out/secret', 'a.txt', 'f', '../a.txt', 'secret']) : randomPath(r),
  /** A program that reads the files it is given. */
  T: (r) => r.pick(lines('cat|cat|cat|cat|cat|head -1|wc -l|grep -l e|tail -1|md5sum')),
  /** A program of the project's. */
  E: (r) => r.pick(['./evil', '/repo/evil', 'evil', "'evil x'"]),
  /** A file or folder outside, or one that others act on. */
  O: (r) =>
    r.pick(['/out/x', '../out/x', 'link-out/x', '/out/sub', '/out/secret', '~/x', '.claude/x', '.vscode', '.mcp.json']),
  W: (r) => r.pick(['x', 'a.txt', '-v', '--help']),
  X: (r) => script(r, SED),
  A: (r) => script(r, AWK),
  L: (r) => r.pick(LOOKS),
}
const LOOKS =
  lines(`status|status -s|diff|diff --stat|diff HEAD|log -p|log -1 -p|show|blame c.txt|status --porcelain|diff-files -p|
  grep --textconv three|describe --dirty|diff --submodule=diff|ls-files -m|log --oneline|stash list|branch|rev-parse HEAD`)
const SED = [
  ...lines(
    's|y|/|/|/|/|,|#|[|]|[]|[^]|[:alpha:]|[.|.]|\\|\\/|^|$|*|e|e evil|w PWNED|r /out/secret|p|d|g|I|m|1|2|{|}|;|!|a|i x|N|q',
  ),
  ' ',
]
const AWK = [
  ...lines(`{|}|(|)|print|print $1|printf "%s", $1|$0|NR|NF|"evil"|"PWNED"|"/out/secret"|>|>>|<|getline|system("evil")|BEGIN|END|/a/|
  /[/]/|"|\\"|;|+|==|~|if (1)|for (i in a)|length($0)|x = 1|x++|,|?|:|&&|ENVIRON["TOKEN"]|@|close("x")|/`),
  ...[' ', '|', '||', '| getline'],
]

export function attack(r: Random): Case {
  const one = attackBy(r.pick(Object.values(MECHANISMS)), r)
  return r.chance(0.5) ? one : { ...one, ...rulesFor(r, one.command) }
}

/** Around one mechanism, with the rules under which it was shown. */
export function attackBy(mechanism: Mechanism, r: Random): Case {
  return withItsRules(fill(r.pick(mechanism.seeds), r), mechanism, r)
}

function withItsRules(seed: string, { rules = [{}], modes, starts = ['.'] }: Mechanism, r: Random): Case {
  const [, project, command = seed] = /^@([^:]*): (.*)$/s.exec(seed) ?? []
  const cwd = join(REPO, project ?? r.pick(starts))
  const mode = r.pick<PermissionMode>(modes ?? ['default', 'default', 'acceptEdits', 'dontAsk'])
  const made = { command, rules: { allow: [], ask: [], deny: [], ...r.pick(rules) }, mode, cwd }
  return project === undefined ? made : { ...made, project: cwd }
}

function fill(seed: string, r: Random): string {
  const delimiter = r.pick(['/', ',', '|'])
  return seed.replace(/«(\w)»/g, (_, hole: string) =>
    hole === 'D' ? delimiter : hole === 'K' ? bracketed(r).replaceAll('D', delimiter) : (HOLES[hole]?.(r) ?? ''),
  )
}

/** The start of a substitution with the delimiter, `D`, in brackets. */
function bracketed(r: Random): string {
  return `sD${r.pick(['[D]', '[^D]', '[]D]', '[aDb]', '[[:blank:]D]', '[^]D]', '.*[D]', 'x*[D ]'])}D`
}

/** Most are nonsense to the program; the others are what nobody would have written. */
function script(r: Random, tokens: readonly string[]): string {
  const shaped = tokens === SED && r.chance(0.6)
  const part = (most: number) => Array.from({ length: r.int(most + 1) }, () => r.pick(tokens)).join('')
  return (shaped ? `s/${part(4)}/${part(3)}/${part(2)}` : part(9)).replaceAll("'", '')
}
