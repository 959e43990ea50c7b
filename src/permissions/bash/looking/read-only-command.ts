/**
 * The one judge of read-only commands. It decides about a command wherever it stands: alone, behind wrappers, behind
 * `xargs` and `find -exec`, in loops and substitutions.
 */
import type { PathFinder } from '../../path-finder.js'
import { type PathResolver, realPathOf } from '../path-resolver.js'
import type { PlantedProgramFinder } from '../planted-programs.js'
import { expandLoopVariables, gitCommandEffects, isGit } from '../programs/git/git.js'
import { showsRemotesUnrewritten } from '../programs/git/git-config.js'
import type { GitTrustProblems } from '../programs/git/git-trust.js'
import { knowledgeOf } from '../programs/program-table.js'
import { fileWordsOfReadOnlyCommand, isVersionQuery } from '../questions/read-only.js'
import { expandKnownVariables } from '../syntax/known-values.js'
import { type ShellVariable, type ShellWord, wordValueAt } from '../syntax/syntax.js'
import { hasCodeLoadingVariable } from './loaded-code.js'
import { hasProgramConfigAbove } from './program-config.js'

export type ReadOnlyJudgingContext = {
  resolver: PathResolver
  finder: PathFinder
  searchPath: PlantedProgramFinder
  directories: readonly string[]
  /** Reasons against using git where it stands. */
  git: GitTrustProblems
  /** Nothing in the command line makes files, and nothing in it waits until others have made some. */
  isQuiet(): boolean
}

/** What a read-only command reads. */
export type ReadOnlyCommandFiles = {
  /** The files that the command reads. */
  readonly files: readonly ShellWord[]
  /** False if something around the command makes it do more than read them. */
  readonly proven: boolean
  /** Links in the folders that it compares are followed, so no rule with a wildcard covers it. */
  readonly follows: boolean
}

/** Returns what a read-only command reads. Undefined if the command itself might do more than look. */
export async function filesReadByReadOnlyCommand(
  words: readonly ShellWord[],
  values: readonly ShellVariable[] | undefined,
  ground: ReadOnlyJudgingContext,
): Promise<ReadOnlyCommandFiles | undefined> {
  const files = lookedAt(words, values)
  if (!files) return undefined
  const compares = knowledgeOf(wordValueAt(words, 0))?.looks?.comparesFolders
  const follows = compares === true && (await namesFolder(files, ground))
  return { files, follows, proven: !follows && (await isProven(words, values, ground)) }
}

/** Behind `git` a variable might be the verb, so each value is looked at on its own. */
function lookedAt(
  words: readonly ShellWord[],
  values: readonly ShellVariable[] | undefined,
): readonly ShellWord[] | undefined {
  if (!isGit(words)) return fileWordsOfReadOnlyCommand(expandKnownVariables(words, values))
  const files = expandLoopVariables(words, values).map(fileWordsOfReadOnlyCommand)
  return files.every((some) => some !== undefined) ? files.flat() : undefined
}

async function isProven(
  words: readonly ShellWord[],
  values: readonly ShellVariable[] | undefined,
  ground: ReadOnlyJudgingContext,
): Promise<boolean> {
  if (await mayProgramsBePlanted([wordValueAt(words, 0)], ground)) return false
  if (!isGit(words)) return !(await takesOrders(words, ground))
  if (ground.git.looks !== undefined) return false
  const { finder, searchPath, resolver } = ground
  if (!expandLoopVariables(words, values).some((some) => gitCommandEffects(some)?.showsAddresses)) return true
  return showsRemotesUnrewritten({ finder, home: resolver.home, variable: (name) => searchPath.variable(name) })
}

async function takesOrders(words: readonly ShellWord[], ground: ReadOnlyJudgingContext): Promise<boolean> {
  const program = wordValueAt(words, 0)
  if (hasCodeLoadingVariable(program, (name) => ground.searchPath.variable(name))) return true
  const orders = knowledgeOf(program)?.obeys?.files
  if (!orders || (orders.notForVersion && isVersionQuery(words))) return false
  if (!orders.areProtected && !ground.isQuiet()) return true
  const { resolver, finder } = ground
  return hasProgramConfigAbove(orders, resolver, finder)
}

/** Whether a folder of PATH that others can write to has one of these programs, or a shim that a file of the project leads. */
export async function mayProgramsBePlanted(
  programs: readonly string[],
  { searchPath, directories, resolver, finder, isQuiet }: ReadOnlyJudgingContext,
): Promise<boolean> {
  const hasVersion = async (file: string) => !isQuiet() || hasProgramConfigAbove({ files: [file] }, resolver, finder)
  for (const program of programs) {
    const starts = knowledgeOf(program)?.obeys?.programs ?? []
    if (await searchPath.mayBePlanted(program, directories, { starts, hasVersion })) return true
  }
  return false
}

async function namesFolder(
  files: readonly ShellWord[],
  { resolver, finder }: ReadOnlyJudgingContext,
): Promise<boolean> {
  for (const word of files)
    for (const { place } of (await resolver.locate(word)) ?? [])
      if ((await finder.kind(realPathOf(place))) === 'directory') return true
  return false
}
