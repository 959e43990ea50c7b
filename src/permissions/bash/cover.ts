/** Whether a command line may run without asking: every command at every depth must be covered, and every file it writes. */

import type { FileRules } from '../file-rules.js'
import type { PathFinder } from '../path-places.js'
import type { Rule } from '../rule-set.js'
import { wordList } from '../word-list.js'
import { isAcceptedEdit } from './accept-edits.js'
import type { CommandPattern } from './command-rules.js'
import { type FileUse, fileUseOf } from './file-use.js'
import { commandsOnFound } from './found-commands.js'
import { FOUND, type FoundGround } from './found-words.js'
import { findMoved, type Moved, replacesFolder } from './moved.js'
import type { SearchPath } from './planted.js'
import { gitOptionFiles } from './programs/git.js'
import { isStrangeGround } from './programs/git-ground.js'
import { isStrangeNpm } from './programs/npm.js'
import { isReader, readOnlyFiles } from './programs/read-only.js'
import { dangerOf, takesDanger } from './programs/risky-options.js'
import { isFed, isShell } from './programs/runs-its-input.js'
import { isIdleVariable, isPlainName, isSafeVariable } from './programs/safe-variables.js'
import { unpacks } from './programs/unpacks.js'
import { isVersionQuestion } from './programs/version-flags.js'
import { isOpaqueWrapper, transparentPrefix } from './programs/wrappers.js'
import { withValues } from './syntax/known-values.js'
import { knownWord } from './syntax/shell-words.js'
import { nameOf, orEmpty, type Redirect, type Script, type SimpleCommand, valueAt, type Word } from './syntax/syntax.js'
import { realOf, type Whereabouts } from './whereabouts.js'

/** What needs an answer: a command, or a file it reads or writes. */
export type Gap = { kind: 'command' | 'read' | 'write'; command?: SimpleCommand; path?: string; inside: boolean }

export type CoverInput = {
  whereabouts: Whereabouts
  finder: PathFinder
  searchPath: SearchPath
  fileRules: FileRules
  directories: readonly string[]
  /** Allow rules with content; none in plan mode. */
  patterns: readonly CommandPattern[]
  /** Edits inside the working directories are accepted. */
  acceptEdits: boolean
  /** A rule `Edit` without content. */
  allEdits: Rule | undefined
  /** Not in plan mode: rules approve writes. */
  editRules: boolean
  /** Something in the command line changes what its other words mean. */
  stateful: boolean
  /** Told what covered a part: a rule, or the mode. */
  credit(what: Rule | 'mode'): void
}

type Ground = CoverInput & {
  /** A link inside a folder that another command puts there leads where nobody has looked. */
  moved: Moved
  /** Git may take its orders from another repository. */
  strangeGit: boolean
  /** No command puts anything where another finds it. */
  calm(): boolean
  looked: FoundGround['looked']
}

/** The parts that are not covered; empty when the whole may run. */
export async function findGaps(script: Script, given: CoverInput): Promise<Gap[]> {
  const gaps: Gap[] = []
  const { whereabouts, finder, directories } = given
  const usesGit = script.commands.some((command) => strip(command).words[0]?.value === 'git')
  const strangeGit = usesGit && (await isStrangeGround(whereabouts, finder, orEmpty(directories[0])))
  const input = {
    ...given,
    strangeGit,
    moved: await findMoved(script.commands, given),
    calm: () => isCalm(script),
    looked: { names: 0, answers: new Map() },
  }
  for (const command of script.commands) {
    const gap = await commandGap(command, script, input)
    if (gap) gaps.push(gap)
    for (const redirect of command.redirects) gaps.push(...(await redirectGaps(redirect, input, command)))
  }
  for (const redirect of script.redirects) gaps.push(...(await redirectGaps(redirect, input, undefined)))
  return gaps
}

/** Names that are found stay what they were when they were looked at: nothing in the script makes files, links least of all. */
function isCalm({ commands, redirects }: Script): boolean {
  return (
    [...redirects, ...commands.flatMap((command) => command.redirects)].every(
      ({ kind, target }) => kind === 'read' || isSink(target),
    ) &&
    commands.every(({ words }) => {
      const name = valueAt(words, 0)
      return (
        words.length === 0 ||
        /^(?:xargs|find|export)$/.test(name) ||
        isReader(name) ||
        readOnlyFiles(words) !== undefined
      )
    })
  )
}

/** Changes what later words of the same command line mean. */
const STATE = new Set(
  wordList(`
    alias unalias trap hash enable shopt source . eval exec declare typeset local readonly unset bind complete
    compgen read mapfile readarray set let umask export getopts
  `),
)

export function changesState(script: Script): boolean {
  const calm = () => isCalm(script)
  return (
    script.stateful ||
    script.hidden ||
    script.commands.some((command) => {
      if (command.words.length === 0)
        return command.assignments.some(
          ({ name, value }) => !isPlainName(name) && !(calm() ? isIdleVariable : isSafeVariable)(name, value),
        )
      const { words } = strip(command)
      return STATE.has(valueAt(words, 0)) && !readOnlyFiles(words) && !isSafeExport(words, calm)
    })
  )
}

async function commandGap(command: SimpleCommand, script: Script, input: Ground): Promise<Gap | undefined> {
  const { words, assignments } = command
  if (words.length === 0) return undefined
  const gap: Gap = { kind: 'command', command, inside: false }
  const rule = input.patterns.find((pattern) => pattern.exact && pattern.matches(command.text))
  // Set up by the commands around it, even the very same words may run something else.
  const unmoved = script.commands.length === 1 || !input.stateful
  if (rule && unmoved && assignments.length === 0) {
    input.credit(rule.rule)
    return fileGap(command, words, { ...input, acceptEdits: true }, 'name')
  }
  const areSafe = assignments.every(({ name, value }) => isSafeVariable(name, value) || splits(words, name))
  if (input.stateful || !assignments.every(({ name, value }) => isIdleVariable(name, value) || splits(words, name)))
    return gap

  const inner = strip(command)
  const looks = inner.xargs || script.revealing ? undefined : readOnlyFiles(withValues(inner.words, command.values))
  const isPlanted = () => input.searchPath.mayBePlanted(valueAt(inner.words, 0), input.directories)
  if (looks && !(await takesOrders(inner.words, input)) && !(await isPlanted())) {
    // What it compares in folders may be links, which it follows.
    if (inner.words[0]?.value === 'diff' && (await namesFolder(looks, input))) return gap
    return readGap(command, looks, input)
  }
  const found = !script.revealing && input.calm() ? await foundFiles(command, inner, input) : undefined
  if (found) return readGap(command, found, input)
  if (isSafeExport(inner.words, input.calm)) return undefined
  // A rule is about programs that may obey any variable.
  if (!areSafe) return gap
  const covering = input.patterns.find(
    (pattern) => pattern.matches(inner.text) && (pattern.exact || isPrefixable(inner, pattern, input)),
  )
  if (covering) {
    if (await replacesFolder(inner.words, input)) return gap
    input.credit(covering.rule)
    return fileGap(command, inner.words, { ...input, acceptEdits: true }, 'rules')
  }
  if (inner.xargs || !isAcceptedEdit(inner.words) || (await replacesFolder(inner.words, input))) return gap
  if (await isPlanted()) return gap
  return (await fileGap(command, inner.words, input, 'mode')) ?? (input.acceptEdits ? undefined : gap)
}

/** From the folder it stands in. */
async function takesOrders(words: readonly Word[], { strangeGit, whereabouts, finder }: Ground): Promise<boolean> {
  if (words[0]?.value === 'git') return strangeGit
  return words[0]?.value === 'npm' && !isVersionQuestion(words) && isStrangeNpm(whereabouts, finder)
}

/** The other files of a command that only looks at what another one, or find itself, has found inside. */
async function foundFiles(command: SimpleCommand, inner: Stripped, input: Ground): Promise<Word[] | undefined> {
  const files: Word[] = []
  const lines = await commandsOnFound({ ...command, words: inner.xargs ? command.words : inner.words }, input)
  for (const words of lines ?? []) {
    const looks = readOnlyFiles(withValues(words, command.values))
    const name = valueAt(words, 0)
    if (!looks || /^(?:git|diff)$/.test(name) || (await input.searchPath.mayBePlanted(name, input.directories)))
      return undefined
    files.push(...looks.filter((word) => word !== FOUND))
  }
  return lines && files
}

async function namesFolder(files: readonly Word[], { whereabouts, finder }: Ground): Promise<boolean> {
  for (const word of files)
    for (const { place } of (await whereabouts.locate(word)) ?? [])
      if ((await finder.kind(realOf(place))) === 'directory') return true
  return false
}

/** `IFS= read -r line`: it only says where the line is cut. */
function splits(words: readonly Word[], name: string): boolean {
  return name === 'IFS' && words[0]?.value === 'read'
}

/** A wildcard covers neither options that do something else, nor programs whose arguments are a program, nor another repository. */
function isPrefixable({ words, xargs }: Stripped, pattern: CommandPattern, input: Ground): boolean {
  if (words[0]?.dynamic || words[0]?.glob || isOpaqueWrapper(words)) return false
  if (words[0]?.value === 'git' && input.strangeGit) return false
  if (isShellText(words) || isFed(nameOf(words), words)) return false
  // What xargs reads may be one of those options.
  if ((xargs && takesDanger(words)) || unpacks(words)) return false
  return dangerOf(words) === undefined || isNamed(words, pattern.rule.content)
}

/** Git verbs that only a rule covers which names them, and the settings of the user or the system only one that names these. */
function isNamed(words: readonly Word[], rule: string): boolean {
  const verb = valueAt(words, 1)
  if (!/^(?:config|clean)$/.test(verb) || /^git (\w+)[ :]/.exec(rule)?.[1] !== verb) return false
  if (verb === 'clean') return true
  return words.every(({ value }) => !/^(?:-f|--[gsf])/.test(value) || rule.includes(` ${value} `))
}

function isShellText(words: readonly Word[]): boolean {
  return isShell(nameOf(words)) && words.slice(1).some((word) => /^-[a-zA-Z]*[cs]/.test(word.value))
}

type Stripped = { words: readonly Word[]; text: string; xargs: boolean }

/** What `xargs` adds to a command: any number of words that nobody has seen. */
const FROM_DATA: Word = { ...knownWord('$@', '…'), dynamic: true, plain: false, single: false }

/** The command behind documented wrappers. */
function strip(command: SimpleCommand): Stripped {
  let from = 0
  let xargs = false
  for (;;) {
    const words = command.words.slice(from)
    const skip = transparentPrefix(words)
    // A word out of braces has no place of its own.
    if (skip === undefined || command.starts[from + skip] === -1)
      return {
        words: xargs ? [...words, FROM_DATA] : words,
        text: command.text.slice(command.starts[from] ?? 0),
        xargs,
      }
    if (words[0]?.value === 'xargs') xargs = true
    from += skip
  }
}

/** `calm`: for programs that only look. */
function isSafeExport(words: readonly Word[], calm: () => boolean): boolean {
  if (words[0]?.value !== 'export' || words.length < 2) return false
  const isSafe = calm() ? isIdleVariable : isSafeVariable
  return words.slice(1).every((word) => {
    const [name = '', ...value] = word.value.split('=')
    return !word.dynamic && isSafe(name, { ...word, value: value.join('=') })
  })
}

async function readGap(
  command: SimpleCommand | undefined,
  files: readonly Word[],
  input: Ground,
): Promise<Gap | undefined> {
  for (const word of files) {
    if (isSink(word)) continue
    const targets = await input.whereabouts.locate(word)
    if (!targets) return { kind: 'command', command, inside: false }
    for (const { place } of targets) {
      if (input.moved.has(place.lexical, command)) return { kind: 'command', command, inside: false }
      if (await input.finder.isWithin(place, input.directories)) continue
      if (!input.fileRules.find('allow', 'read', place))
        return { kind: 'read', command, path: place.lexical, inside: false }
    }
  }
  return undefined
}

/** Who may approve a write: an exact rule that names it, rules for files as well as the mode, or the mode alone. */
type Approval = 'name' | 'rules' | 'mode'

/** Files of a command that a rule or the mode has accepted as such. An exact rule names them, so they may lie outside. */
async function fileGap(
  command: SimpleCommand,
  words: readonly Word[],
  input: Ground,
  by: Approval,
): Promise<Gap | undefined> {
  const use: FileUse = fileUseOf(words)
  if (!use.known)
    return nameOf(words) === 'git' && by !== 'name' ? readGap(command, gitOptionFiles(words), input) : undefined
  for (const word of use.writes) {
    const gap = await writeGap(word, input, command, by)
    if (gap) return gap
  }
  if (by === 'name') return undefined
  return use.follows ? { kind: 'command', command, inside: false } : readGap(command, use.reads, input)
}

async function redirectGaps(redirect: Redirect, input: Ground, command: SimpleCommand | undefined): Promise<Gap[]> {
  const { target } = redirect
  if (target.pipe) return []
  if (redirect.kind === 'read') {
    const gap = await readGap(command, [target], input)
    return gap ? [gap] : []
  }
  if (isSink(target)) return []
  if (target.tilde || target.glob) return [{ kind: 'command', command, inside: false }]
  // After a `cd` a relative target may be any of several files.
  const acceptEdits = input.acceptEdits && (target.value.startsWith('/') || !input.whereabouts.moved)
  const gap = await writeGap(target, { ...input, acceptEdits }, command, 'rules')
  return gap ? [gap] : []
}

/** Nothing is kept there. */
export function isSink(target: Word): boolean {
  return !target.dynamic && !target.glob && /^\/dev\/(?:null|stdout|stderr)$/.test(target.value)
}

async function writeGap(
  word: Word,
  input: Ground,
  command: SimpleCommand | undefined,
  by: Approval,
): Promise<Gap | undefined> {
  const targets = await input.whereabouts.locate(word)
  if (!targets) return { kind: 'command', command, inside: false }
  for (const { place, glob } of targets) {
    const path = glob ? word.value : place.lexical
    const inside = await input.finder.isWithin(place, input.directories)
    if (input.moved.has(place.lexical, command)) return { kind: 'command', command, inside: false }
    if (by === 'name') continue
    const rule =
      by === 'mode' || !input.editRules
        ? undefined
        : (input.fileRules.find('allow', 'edit', place) ?? (inside ? input.allEdits : undefined))
    if (rule || (inside && input.acceptEdits)) {
      input.credit(rule ?? 'mode')
      continue
    }
    return { kind: 'write', command, path, inside }
  }
  return undefined
}
