/** Git: which forms only read, and which options make it run or write something else. */

import { wordList } from '../word-list.js'
import { type Danger, hasOption, mayBeOption } from './option-words.js'
import type { Word } from './syntax.js'

type GitCall = { globals: string[]; verb: string; args: readonly Word[] }

/** Settings that name no program. */
const SAFE_SETTING =
  /^(?:user\.(?:name|email)|color\.[\w.]+|advice\.\w+|core\.quotepath|commit\.gpgsign|init\.defaultbranch|core\.pager=cat$)/i

const RUNS_ANYWHERE = wordList(`
  upload-pack receive-pack exec extcmd open-files-in-pager ext-diff template show-signature config-env
`)
const WRITES_ANYWHERE = ['output', 'output-directory']

/** Options with one letter that run or write in some verbs and are harmless in others. */
const SHORT: Record<string, { runs?: string; writes?: string }> = {
  grep: { runs: 'O' },
  rebase: { runs: 'x' },
  clone: { runs: 'cu' },
  'ls-remote': { runs: 'u' },
  archive: { writes: 'o' },
  'format-patch': { writes: 'o' },
}

const RUNNING_VERBS = new Set(
  wordList(`
    difftool mergetool filter-branch hook instaweb daemon send-email shell web--browse p4 svn credential
    credential-store credential-cache maintenance upload-pack receive-pack gui citool
  `),
)

export function gitDanger(words: readonly Word[]): Danger | undefined {
  const { globals, verb, args } = splitGit(words)
  if (
    globals.some(
      (value) =>
        !['--no-pager', '--no-optional-locks', '--literal-pathspecs', '--version', '--help', '-h', '-v'].includes(
          value,
        ),
    )
  )
    return 'runs'
  if (RUNNING_VERBS.has(verb)) return 'runs'
  const values = args.map((word) => word.value)
  if ((verb === 'bisect' && values.includes('run')) || (verb === 'submodule' && values.includes('foreach')))
    return 'runs'
  if (verb === 'config' && !isConfigRead(values)) return 'runs'
  if (values.some((value) => /^ext::|[@/:]ext::/.test(value))) return 'runs'
  const end = values.indexOf('--')
  const options = (end < 0 ? args : args.slice(0, end)).filter((_, i, all) => !isMessage(all[i - 1]))
  if (options.some(mayBeOption)) return 'runs'
  const short = Object.hasOwn(SHORT, verb) ? SHORT[verb] : undefined
  const has = (letters: { short?: string; long: string[] }) => options.some((word) => hasOption(word.value, letters))
  if (has({ short: short?.runs, long: RUNS_ANYWHERE })) return 'runs'
  return has({ short: short?.writes, long: WRITES_ANYWHERE }) ? 'writes' : undefined
}

const READ_VERBS = new Set(
  wordList(`
    status diff log show blame annotate shortlog describe rev-parse rev-list ls-files ls-tree cat-file name-rev
    merge-base for-each-ref show-ref count-objects check-ignore grep diff-tree diff-index diff-files whatchanged
    cherry version range-diff show-branch var
  `),
)

/** Only looks, and takes nothing from the command line that could change that. */
export function isGitRead(words: readonly Word[]): boolean {
  if (words.some((word) => word.dynamic || word.glob) || gitDanger(words)) return false
  const { globals, verb, args } = splitGit(words)
  const values = args.map((word) => word.value)
  if (verb === '') return globals.length === 1 && globals[0] === '--version'
  const only = (options: RegExp) => values.every((value) => options.test(value))
  switch (verb) {
    case 'branch':
      return (
        only(
          /^(?:-[avr]+|-vv|--(?:all|remotes|verbose|show-current|no-color|(?:sort|format|contains|no-contains|merged|no-merged|points-at)=.*))$/,
        ) || isList(values)
      )
    case 'tag':
      return values.length === 0 || isList(values)
    case 'remote':
      return only(/^(?:-v|--verbose)$/) || (values[0] === 'get-url' && values.length === 2)
    case 'stash':
      return values[0] === 'list' || values[0] === 'show'
    case 'reflog':
      return values.length === 0 || values[0] === 'show' || /^-/.test(values[0] ?? '')
    case 'worktree':
      return values[0] === 'list'
    case 'config':
      return isConfigRead(values)
    case 'cat-file':
      return !values.some((value) => hasOption(value, { long: ['textconv', 'filters'] }))
    default:
      return READ_VERBS.has(verb)
  }
}

/** The verb without the options before it, so that `git -C x push` is held against `git push`. */
export function gitVerbWords(words: readonly Word[]): readonly Word[] | undefined {
  const { args } = splitGit(words)
  const at = words.length - args.length - 1
  const [first] = words
  return at > 1 && first ? [first, ...words.slice(at)] : undefined
}

function splitGit(words: readonly Word[]): GitCall {
  const globals: string[] = []
  let i = 1
  for (; i < words.length; i++) {
    const value = words[i]?.value ?? ''
    if (!value.startsWith('-')) break
    const setting = value === '-c' ? words[i + 1] : undefined
    if (!setting || setting.dynamic || !SAFE_SETTING.test(setting.value)) globals.push(value)
    if (
      [
        '-c',
        '-C',
        '--git-dir',
        '--work-tree',
        '--namespace',
        '--config-env',
        '--super-prefix',
        '--attr-source',
      ].includes(value)
    )
      i += 1
  }
  return { globals, verb: words[i]?.value ?? '', args: words.slice(i + 1) }
}

function isList(values: readonly string[]): boolean {
  const lists = values.some((value) => value === '-l' || value === '--list')
  return (
    lists &&
    values.every(
      (value) =>
        !value.startsWith('-') ||
        /^(?:-l|--list|-n\d*|-i|--(?:sort|format|contains|merged|no-merged|points-at)=.*)$/.test(value),
    )
  )
}

function isConfigRead(values: readonly string[]): boolean {
  const read = /^(?:--get|--get-all|--get-regexp|--list|-l|get|list)$/
  const scope =
    /^--(?:local|global|system|worktree|show-origin|show-scope|name-only|null|includes|all|type=\w+|bool|int|path)$/
  const first = values.find((value) => !scope.test(value))
  return (
    first !== undefined &&
    read.test(first) &&
    values.every((value) => !value.startsWith('-') || read.test(value) || scope.test(value))
  )
}

/** The word after it is a message, whatever it looks like. */
function isMessage(word: Word | undefined): boolean {
  return word !== undefined && /^(?:-[a-zA-Z]*m|--message)$/.test(word.value)
}
