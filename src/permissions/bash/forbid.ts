/** What deny and ask rules say about a command line: at every depth, behind every wrapper, and about the files it touches. */
import { isInsidePosix } from '../../platform/posix-paths.js'
import type { FilePattern } from '../file-pattern.js'
import type { FileAction, FileRules } from '../file-rules.js'
import type { Rule, RuleSet } from '../rule-set.js'
import { commandSpellings, compileCommandRule, findStaticCommandPrefixes } from './command-rules.js'
import type { AllCommands } from './nested.js'
import type { PathResolver } from './path-resolver.js'
import { isGit } from './programs/git/git.js'
import type { FileUse } from './programs/program-knowledge.js'
import { knowledgeOf } from './programs/program-table.js'
import { MAX_MENTIONED_PATHS } from './programs/word-files.js'
import { fileUseOf } from './questions/file-use.js'
import { commandDanger, mayRunCommandsInScript } from './questions/risky-options.js'
import { type FolderListings, findRuleInReadScope, listFilesInReadScope, type ReadScope } from './rules-under-glob.js'
import { createLiteralWord } from './syntax/shell-words.js'
import { type ShellScript, type ShellWord, wordValueAt } from './syntax/syntax.js'

/** `rule` is the reason. `certain: false` means it is unknown whether the rule applies. */
export type ForbiddenCommand = { behavior: 'deny' | 'ask'; rule: Rule; certain: boolean; path?: string }

export type ForbidInput = {
  script: ShellScript
  all: AllCommands
  resolver: PathResolver
  rules: RuleSet
  fileRules: FileRules
  foldCase: boolean
}

/**
 * Deny comes before ask. If it is unknown whether a rule applies, the user is asked, because the rule might be meant.
 */
export async function findForbiddenCommand(input: ForbidInput): Promise<ForbiddenCommand | undefined> {
  const byCommand = (behavior: 'deny' | 'ask') => commandRule(input, behavior)
  const files = await fileRule(input)
  const denied = byCommand('deny')
  if (denied) return { behavior: 'deny', rule: denied, certain: true }
  if (files?.behavior === 'deny') return files
  const asked = byCommand('ask')
  if (asked) return { behavior: 'ask', rule: asked, certain: true }
  if (files) return files
  const possible = possibleRule(input)
  return possible ? { behavior: 'ask', rule: possible, certain: false } : undefined
}

function commandRule({ all, rules, script, foldCase }: ForbidInput, behavior: 'deny' | 'ask'): Rule | undefined {
  const patterns = rules.scoped(behavior, ['Bash']).map(compileCommandRule)
  if (patterns.length === 0) return undefined
  const candidates = new Set([
    script.text,
    script.text.trim(),
    ...all.commands.flatMap((command) => commandSpellings(command, foldCase)),
  ])
  for (const candidate of candidates) {
    const pattern = patterns.find((p) => p.matches(candidate))
    if (pattern) return pattern.rule
  }
  return undefined
}

/** A rule that may be meant: by a word known only at run time, or by one of a program that is not known. */
function possibleRule({ all, rules, fileRules, foldCase }: ForbidInput): Rule | undefined {
  const scoped = [...rules.scoped('deny', ['Bash']), ...rules.scoped('ask', ['Bash'])]
  const [first] = scoped
  // A script that wasn't examined might touch the files of any rule.
  if (all.unseen || all.commands.some(({ words }) => mayRunCommandsInScript(words)))
    return first ?? fileRules.restricted
  if (!first) return undefined
  if (all.commands.some(({ words }) => words.length > 0 && runsUnseen(words))) return first
  const patterns = scoped.map(compileCommandRule)
  const begun = new Set(all.commands.flatMap((command) => findStaticCommandPrefixes(command, foldCase)))
  const named = new Set(all.possible.flatMap((command) => commandSpellings(command, foldCase)))
  return patterns.find((pattern) => [...begun].some(pattern.mayMatch) || [...named].some(pattern.matches))?.rule
}

/** Options that start a program this engine can't name; those of programs that are followed word by word are no reason. */
function runsUnseen(words: readonly ShellWord[]): boolean {
  // What a word turns into at run time may be such an option too, but that alone is no reason to ask.
  // Git's words are read in their order, so it keeps its place there.
  const instead = isGit(words) ? [createLiteralWord('x')] : []
  const known = words.flatMap((word, i) => (i === 0 || !(word.dynamic || word.glob) ? [word] : instead))
  const first = wordValueAt(words, 0)
  const isFollowed = knowledgeOf(first.slice(first.lastIndexOf('/') + 1))?.runs?.followed
  return !isFollowed && commandDanger(known) === 'runs'
}

/** How certain the use of a file is: certain, possible, or with unknown content. */
type Sureness = { known: boolean; recursive: boolean }

async function fileRule(input: ForbidInput): Promise<ForbiddenCommand | undefined> {
  const { all, fileRules, resolver, foldCase } = input
  const { restricted } = fileRules
  const home = resolver.start
  const lists = new Map<string, Promise<FolderListings | undefined>>()
  const list = (reach: ReadScope): Promise<FolderListings | undefined> => {
    const key = `${reach.recursive} ${reach.folder.lexical} ${reach.glob}`
    // Where the disk folds names, the patterns are folded too, and what it says is not.
    const found =
      lists.get(key) ?? (foldCase ? Promise.resolve(undefined) : listFilesInReadScope(reach, resolver.finder))
    lists.set(key, found)
    return found
  }
  if (!restricted) return undefined
  let worst: ForbiddenCommand | undefined
  const note = (found: ForbiddenCommand) => {
    if (!worst || (found.behavior === 'deny' && worst.behavior === 'ask')) worst = found
  }
  const seen = new Set<string>()
  const check = async (word: ShellWord, action: FileAction, { known, recursive }: Sureness) => {
    const key = `${action} ${known} ${recursive} ${word.dynamic} ${word.glob} ${word.tilde} ${word.value}`
    if (seen.has(key)) return
    seen.add(key)
    const targets = await resolver.locate(word)
    // A file known only at run time may be the forbidden one.
    if (!targets && known) note({ behavior: 'ask', rule: restricted, certain: false })
    for (const { place, glob } of targets ?? []) {
      const path = place.lexical
      const reach: ReadScope = { folder: place, glob, recursive, atHome: isInsidePosix(home, place.lexical) }
      for (const behavior of ['deny', 'ask'] as const) {
        const rule = fileRules.find(behavior, action, place, true)
        if (rule) note({ behavior: known ? behavior : 'ask', rule, certain: known, path })
        if (!recursive && glob === undefined) continue
        const find = (matters: (pattern: FilePattern) => boolean) =>
          fileRules.findInside(behavior, action, place, matters)
        const inside = await findRuleInReadScope(reach, find, () => list(reach))
        if (inside) note({ behavior: 'ask', rule: inside, certain: false, path })
      }
    }
  }
  const sure = { known: true, recursive: false }
  for (const { target, kind } of all.redirects) await check(target, kind === 'read' ? 'read' : 'edit', sure)
  for (const { words, more } of all.commands) {
    const use: FileUse = fileUseOf(words)
    const unseen = use.known ? more !== undefined : words.length > MAX_MENTIONED_PATHS
    if (unseen) note({ behavior: 'ask', rule: restricted, certain: false })
    for (const word of use.reads) await check(word, 'read', use)
    for (const word of use.writes) await check(word, 'edit', use)
    // What an unknown program does with a file it is given is unknown.
    if (!use.known) for (const word of use.reads) await check(word, 'edit', use)
  }
  if (resolver.exhausted) note({ behavior: 'ask', rule: restricted, certain: false })
  return worst
}
