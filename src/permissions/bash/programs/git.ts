/** Git: which forms only read, and which options make it run or write something else. */
import { wordList } from '../../word-list.js'
import { knownWord, restOf } from '../syntax/shell-words.js'
import { orEmpty, valueAt, type Word } from '../syntax/syntax.js'
import { readArguments } from './arguments.js'
import { gitOptions } from './git-options.js'
import { type Danger, hasOption, mayBeOption } from './option-words.js'

type GitCall = { globals: string[]; verb: string; args: readonly Word[] }

/** Settings that name no program. */
const SAFE_SETTING =
  /^(?:user\.(?:name|email)|color\.[\w.]+|advice\.\w+|core\.quotepath|commit\.gpgsign|init\.defaultbranch|core\.pager=cat$)/i

const LOOKING_GLOBALS = ['--no-pager', '-P', '--no-optional-locks', '--literal-pathspecs', '--no-replace-objects']
const SAFE_GLOBALS = [...LOOKING_GLOBALS, '--version', '--help', '-h', '-v']
const VALUE_GLOBALS = wordList(`
  -c -C --git-dir --work-tree --namespace --config-env --super-prefix --attr-source --list-cmds
`)

const RUNS_ANYWHERE = wordList(`
  upload-pack receive-pack exec extcmd open-files-in-pager ext-diff template show-signature config-env no-index
`)
const WRITES_ANYWHERE = ['output', 'output-directory', 'export-marks']

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
    credential-store credential-cache maintenance upload-pack upload-archive receive-pack gui citool for-each-repo remote-ext
    remote-fd merge-index http-backend cvsserver imap-send
  `),
)

export function gitDanger(words: readonly Word[]): Danger | undefined {
  const { globals, verb, args } = splitGit(words)
  if (globals.some((value) => !SAFE_GLOBALS.includes(value))) return 'runs'
  // What is only known at run time may be one of those options, or name any verb.
  if (words.slice(1, words.length - args.length).some((word) => word.dynamic || word.glob)) return 'runs'
  if (RUNNING_VERBS.has(verb)) return 'runs'
  const values = args.map((word) => word.value)
  if ((verb === 'bisect' && values.includes('run')) || (verb === 'submodule' && values.includes('foreach')))
    return 'runs'
  if (verb === 'config' && !isConfigRead(values)) return 'runs'
  // What is not tracked is gone for good, protected files too.
  if (verb === 'clean' && !values.some((value) => /^-[a-zA-Z]*n|^--d/.test(value))) return 'writes'
  if (values.some((value) => /(?:^|[@/:=])ext::/.test(value))) return 'runs'
  const end = values.indexOf('--')
  const options = (end < 0 ? args : args.slice(0, end)).filter((_, i, all) => !isMessage(verb, all, i))
  if (options.some(mayBeOption)) return 'runs'
  const short = Object.hasOwn(SHORT, verb) ? SHORT[verb] : undefined
  const has = (names: { short?: string; long: string[] }) => options.some((word) => hasOption(word.value, names))
  if (has({ short: short?.runs, long: RUNS_ANYWHERE })) return 'runs'
  return has({ short: short?.writes, long: WRITES_ANYWHERE }) ? 'writes' : undefined
}

/** The files it looks at when it only looks, and takes nothing from the command line that could change that; else undefined. */
export function readGit(words: readonly Word[]): readonly Word[] | undefined {
  const { globals, verb, args } = splitGit(words)
  if (globals.some((value) => !LOOKING_GLOBALS.includes(value)))
    return words.length === 2 && /^(?:--version|-v)$/.test(orEmpty(globals[0])) ? [] : undefined
  const values = args.map((word) => word.value)
  // Showing who signed a commit starts the program that knows.
  if (values.some((value) => /%G|%\(signature/.test(value))) return undefined
  if (verb === 'config') return args.every((word) => word.single) && isConfigRead(values) ? [] : undefined
  if (verb === 'stash') {
    const part = { list: 'log', show: 'diff' }[orEmpty(values[0])]
    return part === undefined ? undefined : readVerb(part, args)
  }
  return readVerb(verb, words.slice(words.length - args.length - 1))
}

/** `words` begin with the verb, or with what stands in its place. */
function readVerb(verb: string, words: readonly Word[]): readonly Word[] | undefined {
  const known = gitOptions(verb)
  if (known === undefined) return undefined
  const { certain, options, operands, reads } = readArguments(words, known)
  if (!certain || operands.some((word) => word.dynamic || word.glob)) return undefined
  if (!allowsOperands(verb, options, operands)) return undefined
  // It looks at the repository it stands in, whatever else it is told.
  return [knownWord('.'), ...reads, ...operands]
}

const LISTING = ['-l', '-n', '--list', '--contains', '--no-contains', '--merged', '--no-merged', '--points-at']

/** Some verbs look or act, depending on what stands behind them. */
function allowsOperands(verb: string, options: ReadonlySet<string>, operands: readonly Word[]): boolean {
  const [first] = operands
  if (first === undefined) return verb !== 'worktree'
  switch (verb) {
    case 'branch':
      return LISTING.some((option) => option !== '-n' && options.has(option))
    case 'tag':
      return LISTING.some((option) => options.has(option))
    case 'remote':
      return first.value === 'get-url' && operands.length === 2
    case 'worktree':
      return first.value === 'list' && operands.length === 1
    case 'reflog':
      return first.value === 'show'
    case 'symbolic-ref':
      return operands.length === 1
    default:
      return true
  }
}

const FILE_OPTIONS = {
  short: 'FX',
  long: wordList('file exclude-from contents pathspec-from-file ignore-revs-file add-file'),
}

/** Files that its options name, whatever the verb is. */
export function gitOptionFiles(words: readonly Word[]): Word[] {
  return words.flatMap((word, i) => {
    if (!hasOption(word.value, FILE_OPTIONS)) return []
    const value = /^--[^=]*=|^-[a-zA-Z]*?[FX](?=.)/.exec(word.value)
    return value ? [restOf(word, value[0].length)] : words.slice(i + 1, i + 2)
  })
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
    const value = valueAt(words, i)
    if (!value.startsWith('-')) break
    const setting = value === '-c' ? words[i + 1] : undefined
    if (!setting || setting.dynamic || !SAFE_SETTING.test(setting.value)) globals.push(value)
    if (VALUE_GLOBALS.includes(value)) i += 1
  }
  return { globals, verb: valueAt(words, i), args: words.slice(i + 1) }
}

function isConfigRead(values: readonly string[]): boolean {
  const read = /^(?:--get|--get-all|--get-regexp|--list|-l|get|list)$/
  const scope =
    /^--(?:local|global|system|worktree|show-origin|show-scope|name-only|null|includes|all|type=\w+|bool|int|path)$/
  const [first, ...others] = values.filter((value) => !scope.test(value))
  // A name alone is asked for.
  if (others.length === 0 && /^\w[\w-]*\.[\w.-]+$/.test(orEmpty(first))) return true
  return (
    first !== undefined &&
    read.test(first) &&
    values.every((value) => !value.startsWith('-') || read.test(value) || scope.test(value))
  )
}

/** The word after it is a message. */
function isMessage(verb: string, args: readonly Word[], at: number): boolean {
  return (
    /^(?:commit|tag|merge|notes|stash)$/.test(verb) &&
    /^(?:-[a-zA-Z]*m|--message)$/.test(valueAt(args, at - 1)) &&
    args[at]?.value.startsWith('-') === false
  )
}
