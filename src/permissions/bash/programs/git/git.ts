/** Git: which command lines are known to only look, or to act without starting anything, and which files they name. */

import { trimTrailingCharacters } from '../../../../platform/trim-end.js'
import { wordList } from '../../../word-list.js'
import { expandKnownVariables } from '../../syntax/known-values.js'
import { createLiteralWord } from '../../syntax/shell-words.js'
import { orEmpty, programNameOrEmpty, type ShellVariable, type ShellWord, wordValueAt } from '../../syntax/syntax.js'
import { readOperands } from '../arguments.js'
import { mayBeOption, type OptionDanger } from '../option-words.js'
import { judgeGitConfigOutput } from './git-config.js'
import { gitReaderOptions } from './git-readers.js'
import { findGitVerb, type OperandRole } from './git-verbs.js'

/** Whether it starts git, by whatever path. */
export function isGit(words: readonly ShellWord[]): boolean {
  return programNameOrEmpty(words) === 'git'
}

type GitCall = { certain: boolean; globals: string[]; verb: string; args: readonly ShellWord[] }

/** Settings that name no program. */
const SAFE_SETTING =
  /^(?:(?:user\.(?:name|email)|color\.[\w.]+|advice\.\w+|core\.quotepath|init\.defaultbranch)(?:=|$)|(?:commit|tag)\.gpgsign=false$|core\.pager=cat$)/i

const GLOBALS = wordList(`
  --no-pager -P --no-optional-locks --literal-pathspecs --no-replace-objects --glob-pathspecs --noglob-pathspecs
  --icase-pathspecs
`)
const VALUE_GLOBALS = wordList(`
  -c -C --git-dir --work-tree --namespace --config-env --super-prefix --attr-source --list-cmds
`)

/** What a command line of git is known to do. */
export type GitCommandEffects = {
  /** `contacts`: talks to other repositories, those in `remotes` or those of its settings. */
  readonly does: 'looks' | 'acts' | 'contacts'
  readonly reads: readonly ShellWord[]
  readonly writes: readonly ShellWord[]
  /** Names of remotes, or where repositories are; and what can only be the latter. */
  readonly remotes: readonly ShellWord[]
  readonly addresses: readonly ShellWord[]
  /** It changes files of the project, and which ones only shows then. */
  readonly unpacks: boolean
  /** It shows addresses of remotes, which may hold a password. */
  readonly showsAddresses: boolean
}

/**
 * Returns what a git command line does. Undefined if the form isn't in the tables, so its effect is unknown. `named`
 * are the words a rule begins with: an unknown verb or option counts as known if the rule spells it out.
 */
export function gitCommandEffects(
  words: readonly ShellWord[],
  named: readonly string[] = [],
): GitCommandEffects | undefined {
  const { certain, globals, verb, args } = splitGit(words)
  const at = words.length - args.length - 1
  let spelled = 0
  while (spelled < named.length && spelled < words.length && isSpelled(words[spelled], named[spelled])) spelled += 1
  if (isVersion(words)) return form('looks')
  if (!(certain && globals.every((value) => GLOBALS.includes(value))) && spelled < at) return undefined
  if (verb === 'config' || verb === 'clean') return namedForm(verb, args, spelled > at ? named : undefined)
  const call = words.slice(at)
  const found = knownForm(verb, call)
  if (found || spelled <= at) return found
  // `bisect run` is one name, and what stands behind it is up to the user; behind other verbs each option is spelled out too.
  if (spelled > at + 1 && isUnknownPart(verb, orEmpty(named[at + 1]))) return form('contacts')
  const others = words.slice(spelled)
  if (!isTabled(verb))
    return others.some((word) => word.value.startsWith('-') || mayBeOption(word)) ? undefined : form('contacts')
  return knownForm(
    verb,
    call.filter((word, i) => !(at + i < spelled && word.value.startsWith('-'))),
  )
}

function isSpelled(word: ShellWord | undefined, name: string | undefined): boolean {
  return word !== undefined && !word.dynamic && !word.glob && word.value === name
}

function isVersion(words: readonly ShellWord[]): boolean {
  return words.length === 2 && /^(?:--version|-v)$/.test(wordValueAt(words, 1))
}

function form(does: GitCommandEffects['does'], files: Partial<GitCommandEffects> = {}): GitCommandEffects {
  return { does, reads: [], writes: [], remotes: [], addresses: [], unpacks: false, showsAddresses: false, ...files }
}

const PARTS = /^(?:stash|remote|worktree|bisect|submodule|notes|bundle|reflog|sparse-checkout)$/

function isTabled(verb: string): boolean {
  return gitReaderOptions(verb) !== undefined || findGitVerb(verb) !== undefined || PARTS.test(verb)
}

function isUnknownPart(verb: string, part: string): boolean {
  return PARTS.test(verb) && /^\w/.test(part) && !gitReaderOptions(`${verb} ${part}`) && !findGitVerb(`${verb} ${part}`)
}

/** `call` begins with the verb. */
function knownForm(verb: string, call: readonly ShellWord[]): GitCommandEffects | undefined {
  const looks = lookingForm(verb, call)
  if (looks) return looks
  const [name, words] = findGitVerb(`${verb} ${wordValueAt(call, 1)}`)
    ? [`${verb} ${wordValueAt(call, 1)}`, call.slice(1)]
    : [verb, call]
  const row = findGitVerb(name)
  if (!row) return undefined
  const { certain, loose, operands, reads, writes } = readOperands(words, row.options, true)
  if (!certain || loose) return undefined
  const files = operandFiles(row.operands, operands)
  if (!files) return undefined
  const here = row.here && writes.length + files.writes.length === 0 ? [createLiteralWord('.')] : []
  return form(row.does, {
    ...files,
    reads: [...reads, ...files.reads],
    writes: [...writes, ...files.writes, ...here],
    unpacks: UNPACKING.test(name),
  })
}

const UNPACKING =
  /^(?:checkout|switch|restore|reset|pull|merge|rebase|cherry-pick|revert|stash|clone|worktree|bisect|mv|init)\b/

type Files = Pick<GitCommandEffects, 'reads' | 'writes' | 'remotes' | 'addresses'>

function operandFiles(kind: OperandRole, operands: readonly ShellWord[]): Files | undefined {
  const none: Files = { reads: [], writes: [], remotes: [], addresses: [] }
  const [first] = operands
  switch (kind) {
    case 'none':
      return first ? undefined : none
    case 'text':
      return none
    case 'reads':
      return { ...none, reads: operands }
    case 'writes':
      return { ...none, writes: operands }
    case 'written first':
      return { ...none, writes: operands.slice(0, 1) }
    case 'remote':
      return { ...none, remotes: operands.slice(0, 1) }
    case 'addresses':
      return { ...none, addresses: operands.slice(1) }
    case 'clone':
      return { ...none, addresses: operands.slice(0, 1), writes: first ? [operands[1] ?? clonedInto(first)] : [] }
  }
}

/** The folder git makes where none is named: the last name in the address. */
function clonedInto(address: ShellWord): ShellWord {
  const name = trimTrailingCharacters(address.value, ' \t\n\r\f\v/')
    .replace(/(?:\/|(?<=.))\.git$/, '')
    .replace(/^.*[/:]/s, '')
  return { ...address, value: name, head: name }
}

function lastBlank(text: string, end: number): number {
  let at = end - 1
  while (at >= 0 && /\S/.test(text.charAt(at))) at -= 1
  return at
}

/** The words a rule begins with, up to its first wildcard. */
export function fixedWordsOfRule(content: string): string[] {
  const text = content.replace(/:\*$/, ' *')
  const star = text.indexOf('*')
  return (star < 0 ? text : text.slice(0, lastBlank(text, star) + 1)).split(/\s+/).filter((word) => word !== '')
}

/** The files it looks at when it only looks, and takes nothing from the command line that could change that; else undefined. */
export function filesReadByGit(words: readonly ShellWord[]): readonly ShellWord[] | undefined {
  const known = gitCommandEffects(words)
  if (known?.does !== 'looks') return undefined
  return known.reads.some((word) => word.dynamic || word.glob) ? undefined : known.reads
}

const MOST_CHOICES = 64

/** Every command line that variables of a loop make of it, one by one: behind `git` any word may be the verb. */
export function expandLoopVariables(
  words: readonly ShellWord[],
  values: readonly ShellVariable[] = [],
): (readonly ShellWord[])[] {
  const names = [...new Set(values.map(({ name }) => name))].filter((name) =>
    words.some(({ value }) => value.includes(name)),
  )
  let found = [words]
  for (const name of names) {
    const given = values.filter((variable) => variable.name === name)
    if (found.length * given.length > MOST_CHOICES) return [words]
    found = found.flatMap((some) => given.map((variable) => expandKnownVariables(some, [variable])))
  }
  return found
}

/** Whether a rule that begins with these words covers it. */
export function gitDanger(words: readonly ShellWord[], named: readonly string[] = []): OptionDanger | undefined {
  if (gitCommandEffects(words, named)) return undefined
  return splitGit(words).verb === 'clean' ? 'writes' : 'runs'
}

function lookingForm(verb: string, call: readonly ShellWord[]): GitCommandEffects | undefined {
  // To show who signed a commit, git starts a program.
  if (call.some(({ value }) => /%G|%\(signature/.test(value))) return undefined
  const part = `${verb} ${wordValueAt(call, 1)}`
  const [name, words] = gitReaderOptions(part) === undefined ? [verb, call] : [part, call.slice(1)]
  const known = gitReaderOptions(name)
  if (known === undefined) return undefined
  const { certain, loose, options, operands, reads } = readOperands(words, known)
  if (!certain || loose || !allowsOperands(name, options, operands)) return undefined
  // It reads the repository it stands in, whatever its other arguments are.
  const showsAddresses = name === 'remote get-url' || (name === 'remote' && options.size > 0)
  return form('looks', { reads: [createLiteralWord('.'), ...reads, ...operands], showsAddresses })
}

const LISTING = ['-l', '-n', '--list', '--contains', '--no-contains', '--merged', '--no-merged', '--points-at']

/** Some verbs look or act, depending on what stands behind them. */
function allowsOperands(verb: string, options: ReadonlySet<string>, operands: readonly ShellWord[]): boolean {
  if (operands.length === 0) return true
  switch (verb) {
    case 'branch':
      return LISTING.some((option) => option !== '-n' && options.has(option))
    case 'tag':
      return LISTING.some((option) => options.has(option))
    case 'remote':
    case 'reflog':
    case 'notes':
    case 'submodule':
    case 'worktree list':
      return false
    case 'remote get-url':
    case 'symbolic-ref':
      return operands.length === 1
    default:
      return true
  }
}

/** The verb without the options before it, so that `git -C x push` is held against `git push`. */
export function gitVerbWords(words: readonly ShellWord[]): readonly ShellWord[] | undefined {
  const { args } = splitGit(words)
  const at = words.length - args.length - 1
  const [first] = words
  return at > 1 && first ? [first, ...words.slice(at)] : undefined
}

/** `globals`: those that are not harmless by what they are set to. */
function splitGit(words: readonly ShellWord[]): GitCall {
  const globals: string[] = []
  let certain = true
  let i = 1
  for (; i < words.length; i++) {
    const value = wordValueAt(words, i)
    // What is only known at run time may be an option, or name any verb.
    if (words[i]?.dynamic || words[i]?.glob) certain = false
    if (!value.startsWith('-')) break
    if (!isHarmlessGlobal(value, words[i + 1])) globals.push(value)
    if (VALUE_GLOBALS.includes(value)) i += 1
  }
  return { certain, globals, verb: wordValueAt(words, i), args: words.slice(i + 1) }
}

/** Where `-C` leads is judged where all resolver are. */
function isHarmlessGlobal(option: string, value: ShellWord | undefined): boolean {
  if (!value || value.dynamic || value.glob) return false
  return option === '-C' || (option === '-c' && SAFE_SETTING.test(value.value))
}

/** These only look in some forms; in all others a rule has to name them, and where other settings than the project's are meant, that too. */
function namedForm(
  verb: string,
  args: readonly ShellWord[],
  named: readonly string[] | undefined,
): GitCommandEffects | undefined {
  const values = args.map((word) => word.value)
  if (verb === 'clean') {
    const { certain, loose, options, operands } = readOperands(
      [createLiteralWord(verb), ...args],
      '-ndxXfq -e= --dry-run --exclude= --quiet --force',
      true,
    )
    const tries = certain && !loose && ['-n', '--dry-run'].some((option) => options.has(option))
    return tries || named ? form('acts', { writes: operands }) : undefined
  }
  const shown = args.every((word) => word.single && !word.dynamic) ? judgeGitConfigOutput(values) : undefined
  if (shown) return form('looks', { showsAddresses: shown === 'address' })
  if (!named || args.some((word) => word.dynamic && !word.single)) return undefined
  return values.every((value) => !/^(?:-f|--[gsf])/.test(value) || named.includes(value)) ? form('acts') : undefined
}
