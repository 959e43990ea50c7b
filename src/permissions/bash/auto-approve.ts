/** Whether a command line may run without asking: every command at every depth must be covered, and every file it writes. */

import type { FileRules } from '../file-rules.js'
import type { PathFinder, PathLocation } from '../path-finder.js'
import type { Rule } from '../rule-set.js'
import { wordList } from '../word-list.js'
import type { CommandPattern } from './command-rules.js'
import { commandsOnPipedNames } from './commands-on-piped-names.js'
import {
  copiesOntoExistingFolder,
  createsUnseenNames,
  type FolderDestinations,
  findFolderDestinations,
} from './folder-destinations.js'
import { isAlwaysReadablePath } from './looking/always-readable-paths.js'
import { findLocalRemote, gitTrustProblemsOfScript } from './looking/git-script.js'
import { filesReadByReadOnlyCommand, mayProgramsBePlanted } from './looking/read-only-command.js'
import { stripCommandWrappers, type UnwrappedCommand } from './looking/unwrapped-command.js'
import { findCommandsAfterWait, mayPathTargetChange } from './looking/waiting.js'
import { type PathResolver, realPathOf } from './path-resolver.js'
import type { PipedNamesContext } from './piped-file-names.js'
import type { PlantedProgramFinder } from './planted-programs.js'
import { fixedWordsOfRule, gitCommandEffects, isGit } from './programs/git/git.js'
import type { GitTrustProblems } from './programs/git/git-trust.js'
import { PIPED_FILE_NAMES_WORD } from './programs/piped-names.js'
import type { FileUse } from './programs/program-knowledge.js'
import { knowledgeOf } from './programs/program-table.js'
import { isSafeVariable, isVariableHarmlessForReaders, isVariableWithoutEffect } from './programs/safe-variables.js'
import { mayPrintIntoVariable } from './programs/shells/shell-builtins.js'
import { isCoveredByAcceptEdits } from './questions/accept-edits.js'
import { fileUseOf } from './questions/file-use.js'
import { fileWordsOfReadOnlyCommand, isReaderProgram } from './questions/read-only.js'
import { commandDanger, hasProgramRiskyOptions, mayUnpackArchive } from './questions/risky-options.js'
import { isShell, runsStandardInput } from './questions/runs-its-input.js'
import { isOpaqueWrapper } from './questions/wrappers.js'
import {
  programNameOrEmpty,
  type Redirect,
  type ShellScript,
  type ShellWord,
  type SimpleCommand,
  wordValueAt,
} from './syntax/syntax.js'

/** What needs an answer: a command, or a file it reads or writes. */
export type UncoveredPart = {
  kind: 'command' | 'read' | 'write'
  command?: SimpleCommand
  path?: string
  /** Location of `path`; for a glob, of the folder it starts in. */
  place?: PathLocation
  inside: boolean
  /** What makes it something else than it looks. */
  why?: string
}

export type AutoApproveInput = {
  resolver: PathResolver
  finder: PathFinder
  searchPath: PlantedProgramFinder
  fileRules: FileRules
  directories: readonly string[]
  /** Folders outside of them that may be read, such as that of background output. */
  readable?: readonly string[]
  /** Allow rules with content; none in plan mode. */
  patterns: readonly CommandPattern[]
  /** Edits inside the working directories are accepted. */
  acceptEdits: boolean
  /** A rule `Edit` without content. */
  allEdits: Rule | undefined
  /** Not in plan mode: rules approve writes. */
  editRules: boolean
  /** The user trusts what comes with the session's folder. */
  trusted: boolean
  /** Something in the command line changes what its other words mean. */
  stateful: boolean
  /** Told what covered a part: a rule, or the mode. */
  credit(what: Rule | 'mode'): void
}

type Ground = AutoApproveInput & {
  /** Folders that other commands put somewhere: the targets of links inside them are unknown. */
  moved: FolderDestinations
  /** What speaks against using git where it stands. */
  git: GitTrustProblems
  /** No command puts anything where another finds it. */
  calm(): boolean
  isQuiet(): boolean
  commands: readonly SimpleCommand[]
  looked: PipedNamesContext['looked']
  /** The commands before which the command line waits, if other command lines may change folders meanwhile. */
  late: ReadonlySet<SimpleCommand>
}

/** The parts that are not covered; empty when the whole may run. */
export async function findUncoveredParts(script: ShellScript, given: AutoApproveInput): Promise<UncoveredPart[]> {
  const gaps: UncoveredPart[] = []
  const late = given.acceptEdits || given.patterns.length > 0 ? findCommandsAfterWait(script) : new Set<SimpleCommand>()
  const input: Ground = {
    ...given,
    commands: script.commands,
    late,
    isQuiet: () => late.size === 0 && isCalm(script),
    git: await gitTrustProblemsOfScript(script, (command) => stripCommandWrappers(command).words, given),
    moved: await findFolderDestinations(script.commands, given),
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
function isCalm({ commands, redirects }: ShellScript): boolean {
  return (
    [...redirects, ...commands.flatMap((command) => command.redirects)].every(
      ({ kind, target }) => kind === 'read' || isHarmlessRedirectTarget(target),
    ) &&
    commands.every(({ words }) => {
      const name = wordValueAt(words, 0)
      return (
        words.length === 0 ||
        name === 'export' ||
        knowledgeOf(name)?.runs?.onNames !== undefined ||
        isReaderProgram(name) ||
        fileWordsOfReadOnlyCommand(words) !== undefined
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

export function changesShellState(script: ShellScript): boolean {
  const calm = () => isCalm(script)
  return (
    script.stateful ||
    script.hidden ||
    script.commands.some((command) => {
      if (command.words.length === 0)
        return command.assignments.some(
          ({ name, value }) =>
            !isVariableWithoutEffect(name) && !(calm() ? isVariableHarmlessForReaders : isSafeVariable)(name, value),
        )
      const { words } = stripCommandWrappers(command)
      if (mayPrintIntoVariable(words)) return true
      return STATE.has(wordValueAt(words, 0)) && !fileWordsOfReadOnlyCommand(words) && !isSafeExport(words, calm)
    })
  )
}

async function commandGap(
  command: SimpleCommand,
  script: ShellScript,
  input: Ground,
): Promise<UncoveredPart | undefined> {
  const { words, assignments } = command
  if (words.length === 0) return undefined
  const gap: UncoveredPart = { kind: 'command', command, inside: false }
  const rule = input.patterns.find((pattern) => pattern.exact && pattern.matches(command.text))
  // Set up by the commands around it, even the very same words may run something else.
  const unmoved = script.commands.length === 1 || !(input.stateful || input.resolver.moved)
  if (rule && unmoved && assignments.length === 0) {
    const why = isGit(words) ? await gitProblem(words, rule, script, input) : undefined
    if (why !== undefined) return { ...gap, why }
    input.credit(rule.rule)
    return fileGap(command, words, { ...input, acceptEdits: true }, 'name')
  }
  const areSafe = assignments.every(({ name, value }) => isSafeVariable(name, value) || splits(words, name))
  if (
    input.stateful ||
    !assignments.every(({ name, value }) => isVariableHarmlessForReaders(name, value) || splits(words, name))
  )
    return gap

  const inner = stripCommandWrappers(command)
  if (await mayProgramsBePlanted(inner.wrappers, input)) return gap
  const looks =
    inner.xargs || script.revealing ? undefined : await filesReadByReadOnlyCommand(inner.words, command.values, input)
  if (looks?.proven) return readGap(command, looks.files, input)
  if (looks?.follows) return gap
  const found =
    !script.revealing && input.calm() && !input.late.has(command) ? await foundFiles(command, inner, input) : undefined
  if (found) return readGap(command, found, input)
  if (isSafeExport(inner.words, input.calm)) return undefined
  // A rule is about programs that may obey any variable.
  if (!areSafe) return gap
  const covering = input.patterns.find((pattern) => covers(pattern, inner))
  if (covering) {
    if (await putsUnseen(inner.words, input)) return gap
    const why = isGit(inner.words) ? await gitProblem(inner.words, covering, script, input) : undefined
    if (why !== undefined) return { ...gap, why }
    input.credit(covering.rule)
    return fileGap(command, inner.words, { ...input, acceptEdits: true }, 'rules', covering)
  }
  if (looks) return input.git.looks === undefined ? gap : { ...gap, why: input.git.looks }
  if (inner.xargs || !isCoveredByAcceptEdits(inner.words) || (await putsUnseen(inner.words, input))) return gap
  if (await mayProgramsBePlanted([wordValueAt(inner.words, 0)], input)) return gap
  return (await fileGap(command, inner.words, input, 'mode')) ?? (input.acceptEdits ? undefined : gap)
}

/** Names in folders that are copied or moved, which no word of the command shows. */
async function putsUnseen(words: readonly ShellWord[], input: Ground): Promise<boolean> {
  return (await copiesOntoExistingFolder(words, input)) || (await createsUnseenNames(words, input))
}

/** What keeps a rule from covering it where it stands. The very words are taken at their word, but not in somebody else's repository. */
async function gitProblem(
  words: readonly ShellWord[],
  { rule, exact }: CommandPattern,
  script: ShellScript,
  input: Ground,
): Promise<string | undefined> {
  if (exact) {
    const own = { ...input, trusted: true }
    const { acts, contacts } = await gitTrustProblemsOfScript(
      script,
      (command) => stripCommandWrappers(command).words,
      own,
    )
    return acts ?? contacts
  }
  const form = gitCommandEffects(words, fixedWordsOfRule(rule.content))
  return form && (input.git[form.does] ?? (await findLocalRemote(form, input)))
}

/** The other files of a command that only looks at what another one, or find itself, has found inside. */
async function foundFiles(
  command: SimpleCommand,
  inner: UnwrappedCommand,
  input: Ground,
): Promise<ShellWord[] | undefined> {
  const words = inner.xargs ? command.words : inner.words
  const lines = await commandsOnPipedNames({ ...command, words }, input)
  // Also the program that runs them.
  if (!lines || (await mayProgramsBePlanted([wordValueAt(words, 0)], input))) return undefined
  const files: ShellWord[] = []
  for (const line of lines) {
    const isAlone = knowledgeOf(wordValueAt(line, 0))?.looks?.alone
    const looks = isAlone ? undefined : await filesReadByReadOnlyCommand(line, command.values, input)
    if (!looks?.proven) return undefined
    files.push(...looks.files.filter((word) => word !== PIPED_FILE_NAMES_WORD))
  }
  return files
}

/** `IFS= read -r line`: it only says where the line is cut. */
function splits(words: readonly ShellWord[], name: string): boolean {
  return name === 'IFS' && words[0]?.value === 'read'
}

/** An exact rule names all words of a command, so it never covers what `xargs` adds. */
function covers(pattern: CommandPattern, inner: UnwrappedCommand): boolean {
  if (!pattern.matches(inner.text)) return false
  return inner.xargs ? pattern.open && isPrefixable(inner, pattern) : pattern.exact || isPrefixable(inner, pattern)
}

/** A wildcard covers neither options that do something else, nor programs whose arguments are a program. */
function isPrefixable({ words, xargs }: UnwrappedCommand, pattern: CommandPattern): boolean {
  if (words[0]?.dynamic || words[0]?.glob || isOpaqueWrapper(words)) return false
  if (isShellText(words) || runsStandardInput(programNameOrEmpty(words), words)) return false
  // What xargs reads may be one of those options.
  if ((xargs && hasProgramRiskyOptions(words)) || mayUnpackArchive(words)) return false
  return commandDanger(words, fixedWordsOfRule(pattern.rule.content)) === undefined
}

function isShellText(words: readonly ShellWord[]): boolean {
  return isShell(programNameOrEmpty(words)) && words.slice(1).some((word) => /^-[a-zA-Z]*[cs]/.test(word.value))
}

/** `calm`: for programs that only look. */
function isSafeExport(words: readonly ShellWord[], calm: () => boolean): boolean {
  if (words[0]?.value !== 'export' || words.length < 2) return false
  const isSafe = calm() ? isVariableHarmlessForReaders : isSafeVariable
  return words.slice(1).every((word) => {
    const [name = '', ...value] = word.value.split('=')
    return !word.dynamic && isSafe(name, { ...word, value: value.join('=') })
  })
}

async function readGap(
  command: SimpleCommand | undefined,
  files: readonly ShellWord[],
  input: Ground,
  by: 'words' | 'redirect' = 'words',
): Promise<UncoveredPart | undefined> {
  // Its operand is meant from where it starts, every other word from where it leads.
  const entered = command && by === 'words' ? await input.resolver.entered(command) : undefined
  for (const word of files) {
    if (isHarmlessRedirectTarget(word)) continue
    const places = entered ?? (await input.resolver.locate(word))?.map(({ place }) => place)
    if (!places) return { kind: 'command', command, inside: false }
    for (const place of places) {
      if (input.moved.has(place.lexical, command)) return { kind: 'command', command, inside: false }
      if (isLate(command, input) && (await mayPathTargetChange(word, place, input)))
        return { kind: 'command', command, inside: false }
      const kind = await input.finder.kind(realPathOf(place))
      // A pipe in a project: whoever reads it waits for another command.
      if (kind === 'other') return { kind: 'command', command, inside: false }
      if (await input.finder.isWithin(place, [...input.directories, ...(input.readable ?? [])])) continue
      if (isAlwaysReadablePath(place, command)) continue
      const isFolder = kind === 'directory'
      if (!input.fileRules.find('allow', 'read', place, isFolder))
        return { kind: 'read', command, path: place.lexical, place, inside: false }
    }
  }
  return undefined
}

/**
 * How a write can be approved: by an exact rule that names it, by rules for files and the mode, or by the mode alone.
 */
type Approval = 'name' | 'rules' | 'mode'

/** Files of a command that a rule or the mode has accepted as such. An exact rule names them, so they may lie outside. */
async function fileGap(
  command: SimpleCommand,
  words: readonly ShellWord[],
  input: Ground,
  by: Approval,
  pattern?: CommandPattern,
): Promise<UncoveredPart | undefined> {
  const form =
    isGit(words) && by !== 'name' ? gitCommandEffects(words, fixedWordsOfRule(pattern?.rule.content ?? '')) : undefined
  const use: FileUse = form ? { ...form, known: true, recursive: false } : fileUseOf(words)
  // The names that a pattern stands for are read by the shell, whatever the program does with them.
  const listed = by === 'name' ? [] : words.slice(1).filter(leadsOut)
  if (!use.known) return readGap(command, listed, input)
  for (const word of use.writes) {
    const gap = await writeGap(word, input, command, by)
    if (gap) return gap
  }
  if (by === 'name') return undefined
  return use.follows ? { kind: 'command', command, inside: false } : readGap(command, [...use.reads, ...listed], input)
}

/** A pattern over another folder than the one the command stands in. */
function leadsOut({ glob, value }: ShellWord): boolean {
  return glob === true && /^[/~]|(?:^|\/)\.\.(?:\/|$)/.test(value)
}

async function redirectGaps(
  redirect: Redirect,
  input: Ground,
  command: SimpleCommand | undefined,
): Promise<UncoveredPart[]> {
  const { target } = redirect
  if (target.pipe) return []
  if (redirect.kind === 'read') {
    const gap = await readGap(command, [target], input, 'redirect')
    return gap ? [gap] : []
  }
  if (isHarmlessRedirectTarget(target)) return []
  if (target.tilde || target.glob) return [{ kind: 'command', command, inside: false }]
  // After a `cd` a relative target may be any of several files.
  const acceptEdits = input.acceptEdits && (target.value.startsWith('/') || !input.resolver.moved)
  const gap = await writeGap(target, { ...input, acceptEdits }, command, 'rules')
  return gap ? [gap] : []
}

/** Nothing is kept there. */
export function isHarmlessRedirectTarget(target: ShellWord): boolean {
  return !target.dynamic && !target.glob && /^\/dev\/(?:null|stdout|stderr)$/.test(target.value)
}

/** A redirect of a group belongs to no command: it may be opened at any time. */
function isLate(command: SimpleCommand | undefined, { late }: Ground): boolean {
  return command ? late.has(command) : late.size > 0
}

/** A program in a folder of PATH would run instead of another, in the same command line or while one waits. */
async function plants(place: PathLocation, command: SimpleCommand | undefined, input: Ground): Promise<boolean> {
  const words = command ? stripCommandWrappers(command).words : []
  const removal = knowledgeOf(wordValueAt(words, 0))?.removes?.(words)
  if (removal && !removal.searches) return false
  const { searchPath, directories } = input
  return (
    (await searchPath.isSearched(place.lexical, directories)) || searchPath.isSearched(realPathOf(place), directories)
  )
}

async function writeGap(
  word: ShellWord,
  input: Ground,
  command: SimpleCommand | undefined,
  by: Approval,
): Promise<UncoveredPart | undefined> {
  const targets = await input.resolver.locate(word)
  if (!targets) return { kind: 'command', command, inside: false }
  for (const { place, glob } of targets) {
    const path = glob ? word.value : place.lexical
    const inside = await input.finder.isWithin(place, input.directories)
    if (input.moved.has(place.lexical, command)) return { kind: 'command', command, inside: false }
    if (by === 'name') continue
    if (isLate(command, input) && (await mayPathTargetChange(word, place, input)))
      return { kind: 'command', command, inside: false }
    if (await plants(place, command, input)) return { kind: 'command', command, inside: false }
    const rule =
      by === 'mode' || !input.editRules
        ? undefined
        : (input.fileRules.find('allow', 'edit', place) ?? (inside ? input.allEdits : undefined))
    if (rule || (inside && input.acceptEdits)) {
      input.credit(rule ?? 'mode')
      continue
    }
    return { kind: 'write', command, path, place, inside }
  }
  return undefined
}
