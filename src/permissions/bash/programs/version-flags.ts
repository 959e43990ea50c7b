/**
 * Programs that, given one certain word and nothing else, print their version and end. Only those that take no orders from the folder
 * they stand in before they print: not yarn (`yarnPath`), pnpm and corepack (`packageManager`), dotnet (`global.json`), mvn
 * (`.mvn/jvm.config`), gradle, poetry, nor what runs by way of npx. For go and cargo, `orders.ts` has the files that name a toolchain.
 */
import { wordList } from '../../word-list.js'
import { type ShellWord, valueAt } from '../syntax/syntax.js'

const LONG = /^--version$/
const FLAGS: readonly (readonly [RegExp, string])[] = [
  [
    LONG,
    'jq rg curl wget cmake ninja deno bun uv ruff gh pip pip3 mysql bash zsh gawk grep sed find tar gzip diff tree fd ps xargs',
  ],
  [/^(?:--version|-v)$/, 'node npm tsc docker make gcc g++ cc clang clang++ ruby perl php nginx redis-cli'],
  [/^(?:--version|-V)$/, 'python python3 psql sqlite3 bat hyperfine cargo rustc'],
  [/^(?:--version|-version)$/, 'java javac'],
  [/^-V$/, 'ssh tmux'],
  [/^version$/, 'helm go'],
]

const PROGRAMS = new Map<string, RegExp>(
  FLAGS.flatMap(([flags, names]) => wordList(names).map((name): [string, RegExp] => [name, flags])),
)

export function isVersionQuestion(words: readonly ShellWord[]): boolean {
  const values = words.slice(1)
  if (values.some((word) => word.dynamic || word.glob)) return false
  if (valueAt(words, 0) === 'kubectl') return values.map((word) => word.value).join(' ') === 'version --client'
  return values.length === 1 && PROGRAMS.get(valueAt(words, 0))?.test(valueAt(words, 1)) === true
}
