/** Judges one Bash call, in the order deny, ask, safety, mode, allow, default. */
import type { PermissionMode } from '../../protocol/permission-types.js'
import * as texts from '../decision-texts.js'
import type { FileRules } from '../file-rules.js'
import type { PathFinder, PathLocation } from '../path-finder.js'
import {
  suggestForCommands,
  suggestForCommandWrite,
  suggestForEditInside,
  suggestForRead,
} from '../permission-suggestions.js'
import { canGlobNameProtectedPath, isProtectedLocation, isProtectedPath } from '../protected-paths.js'
import type { Rule, RuleSet } from '../rule-set.js'
import { allowVerdict, askByDefault, askByRule, askForSafety, denyByRule, type Verdict } from '../verdict.js'
import {
  type AutoApproveInput,
  changesShellState,
  findUncoveredParts,
  isHarmlessRedirectTarget,
  type UncoveredPart,
} from './auto-approve.js'
import { compileCommandRule } from './command-rules.js'
import { findCriticalRemoval, type SessionFolders } from './critical-removal.js'
import { findForbiddenCommand } from './forbid.js'
import { type AllCommands, collectAllCommands } from './nested.js'
import { isTooLongForPath, PathResolver } from './path-resolver.js'
import type { PlantedProgramFinder } from './planted-programs.js'
import { knowledgeOf } from './programs/program-table.js'
import { fileUseOf } from './questions/file-use.js'
import { MAX_APPROVABLE_COMMAND_LENGTH, type ParseScript } from './syntax/parse-command.js'
import {
  programNameOrEmpty,
  type Redirect,
  type ShellScript,
  type ShellWord,
  type SimpleCommand,
} from './syntax/syntax.js'

export type BashJudgingContext = {
  parse: ParseScript
  rules: RuleSet
  fileRules: FileRules
  finder: PathFinder
  searchPath: PlantedProgramFinder
  mode: PermissionMode
  /** The session's, not the shell's. */
  cwd: string
  home: string
  directories: readonly string[]
  /** Outside of them, what may be read all the same. */
  readable?: readonly string[]
  foldCase: boolean
  /** The user trusts what comes with the session's folder. */
  trusted: boolean
}

/** Not all of it was examined. */
const TOO_MUCH = 'it has too many parts'

/** A command that does nothing. */
const NO_COMMAND: SimpleCommand = { text: '', words: [], starts: [], assignments: [], redirects: [] }

/** What a whole command line gets, and what each of its commands would get on its own. */
export type CommandLineVerdicts = { whole: Verdict; parts(): Promise<{ command: string; verdict: Verdict }[]> }

export async function judgeCommand(
  command: string,
  shellCwd: string,
  context: BashJudgingContext,
): Promise<CommandLineVerdicts> {
  const script = context.parse(command)
  const all = collectAllCommands(script, context.parse)
  const resolver = new PathResolver(all.commands, shellCwd, context.home, context.finder)
  return {
    whole: await judgeScript(script, all, resolver, context),
    async parts() {
      const found: { command: string; verdict: Verdict }[] = []
      const add = async (text: string, commands: readonly SimpleCommand[], redirects: readonly Redirect[]) => {
        // It stays where it stands, after the `cd` and among the definitions of the others. What they reveal is not its own.
        const { revealing } = context.parse(text)
        const alone: ShellScript = { ...script, text, commands, redirects, revealing }
        const verdict = await judgeScript(alone, collectAllCommands(alone, context.parse), resolver, context)
        found.push({ command: text, verdict })
      }
      // Files that the shell itself opens are parts, too: `echo x > f` writes f.
      const addFiles = async (redirects: readonly Redirect[]) => {
        for (const redirect of redirects.filter(({ target }) => !target.pipe && !isHarmlessRedirectTarget(target)))
          await add(`${redirect.kind === 'read' ? '<' : '>'} ${redirect.target.source}`, [NO_COMMAND], [redirect])
      }
      for (const one of script.commands) {
        if (one.text !== '') await add(one.text, [{ ...one, redirects: [] }], [])
        await addFiles(one.redirects)
      }
      await addFiles(script.redirects)
      return found
    },
  }
}

async function judgeScript(
  script: ShellScript,
  all: AllCommands,
  resolver: PathResolver,
  context: BashJudgingContext,
): Promise<Verdict> {
  const { rules, fileRules, finder, searchPath, mode, directories, foldCase } = context
  const command = script.text
  const forbidden = await findForbiddenCommand({ script, all, resolver, rules, fileRules, foldCase })
  if (forbidden?.behavior === 'deny') return denyByRule(forbidden.rule, texts.commandDeniedText(command))
  if (forbidden) {
    const blockedPath = forbidden.path === undefined ? {} : { blockedPath: forbidden.path }
    return askByRule(forbidden.rule, texts.notGrantedText('Bash'), blockedPath)
  }

  for (const ground of await groundsOf(context)) {
    const removal = await findCriticalRemoval(all.commands, resolver, ground)
    if (removal !== undefined)
      return askForSafety(texts.criticalRemovalText(removal), {
        decisionReason: texts.criticalRemovalText(removal),
        onlyAPerson: true,
      })
  }
  // A line that isn't understood might still be one of the above.
  const problem = script.problems[0] ?? (all.incomplete || resolver.exhausted ? TOO_MUCH : undefined)
  if (problem !== undefined) return safety(texts.notUnderstoodReason(problem))
  if (mode === 'bypassPermissions') return allowVerdict('mode')

  if (command.length > MAX_APPROVABLE_COMMAND_LENGTH)
    return safety(texts.notUnderstoodReason(`it is longer than ${MAX_APPROVABLE_COMMAND_LENGTH} characters`))
  if (script.invisible) return safety(texts.notUnderstoodReason('it holds characters that can not be seen'))
  const guarded = await findProtectedWrite(all, resolver)
  if (guarded !== undefined) return safety(texts.protectedPathText(guarded), guarded)
  if (resolver.exhausted) return safety(texts.notUnderstoodReason(TOO_MUCH))

  const patterns = mode === 'plan' ? [] : rules.scoped('allow', ['Bash']).map(compileCommandRule)
  if (mode !== 'plan') {
    const bare = rules.bare('allow', ['Bash'])
    if (bare) return allowVerdict('allow', bare)
    const whole = patterns.find((pattern) => pattern.exact && pattern.matches(command))
    if (whole && !(await writesOutside(all, resolver, context))) return allowVerdict('allow', whole.rule)
  }
  const stateful = changesShellState(script)
  const credits: (Rule | 'mode')[] = []
  const input: AutoApproveInput = {
    resolver,
    stateful,
    credit: (what) => credits.push(what),
    finder,
    searchPath,
    fileRules,
    directories,
    readable: context.readable ?? [],
    patterns,
    trusted: context.trusted,
    acceptEdits: mode === 'acceptEdits' && !rules.bare('deny', ['Edit']) && !rules.bare('ask', ['Edit']),
    allEdits: rules.bare('allow', ['Edit']),
    editRules: mode !== 'plan',
  }
  const gaps = await findUncoveredParts(script, input)
  // Where no command was found, none was judged.
  if (gaps.length > 0 || stateful || script.commands.length === 0) {
    const verdict = await ask(script, gaps, input, context)
    const detail = detailOf(script, gaps)
    return detail === undefined ? verdict : { ...verdict, detail }
  }
  const shared = credits.includes('mode') ? await findSharedWrite(all, resolver) : undefined
  if (shared === undefined) return byCredit(credits)
  return askByDefault(texts.commandTouchesText(shared, 'write'), 'other', {
    decisionReason: texts.HARD_LINKED_FILE_TEXT,
    blockedPath: shared,
  })
}

/** Home may itself be behind a link; then it is home under both names. */
async function groundsOf({ cwd, home, directories, finder }: BashJudgingContext): Promise<SessionFolders[]> {
  const { real = home } = await finder.place(home)
  return [...new Set([home, real])].map((one) => ({ cwd, home: one, directories }))
}

function byCredit(credits: readonly (Rule | 'mode')[]): Verdict {
  const rule = credits.find((credit) => credit !== 'mode')
  return rule ? allowVerdict('allow', rule) : allowVerdict(credits.length > 0 ? 'mode' : 'default')
}

function safety(why: string, blockedPath?: string): Verdict {
  return askForSafety(why, { decisionReason: why, ...(blockedPath === undefined ? {} : { blockedPath }) })
}

const MAX_NAMED = 60

/** What keeps the line from running, more exactly than hosts have always been told. */
function detailOf(script: ShellScript, gaps: readonly UncoveredPart[]): string | undefined {
  const gap = gaps.find(({ kind, command, why }) => kind === 'command' && command?.text && why === undefined)
  if (script.revealing && (gap?.command?.text.includes('$') ?? true))
    return 'It uses a variable that might hold a secret'
  if (script.stateful) return 'It defines something that changes what other words of the line mean'
  const text = gap?.command?.text.replace(/\s+/g, ' ').trim()
  if (text === undefined) return undefined
  return `"${text.length > MAX_NAMED ? `${text.slice(0, MAX_NAMED)}…` : text}" is not known to be read-only`
}

async function ask(
  script: ShellScript,
  gaps: readonly UncoveredPart[],
  { stateful, resolver }: AutoApproveInput,
  context: BashJudgingContext,
): Promise<Verdict> {
  const because = (decisionReason: string) => askByDefault(texts.NEEDS_APPROVAL_TEXT, 'other', { decisionReason })
  const isChange = ({ words }: SimpleCommand) => words[0]?.value === 'cd'
  // Which folder a path belongs to can't be said in a line then, and a rule for it would be misleading.
  const changes = script.commands.filter(isChange).length
  if (changes > 1) return because(texts.SEVERAL_FOLDER_CHANGES_TEXT)
  const redirects = [...script.redirects, ...script.commands.flatMap((command) => command.redirects)]
  if (
    changes > 0 &&
    redirects.some(({ kind, target }) => kind !== 'read' && !target.pipe && !isHarmlessRedirectTarget(target))
  )
    return because(texts.REDIRECT_AFTER_FOLDER_CHANGE_TEXT)
  const files = gaps.filter((gap) => gap.kind !== 'command')
  const [first] = files
  if (first?.place && first.path !== undefined && files.length === gaps.length)
    return askAboutFile(first.path, first.place, first, resolver.moved, context)
  const why = gaps.find((gap) => gap.why !== undefined)?.why
  // A rule would not be enough the next time either.
  if (why !== undefined) return because(texts.gitMayRunProgramsText(why))
  const single = script.commands.length === 1 && script.redirects.length === 0
  const whole = single || stateful
  // A rule for a `cd` would hold wherever it starts, so the folder is approved instead.
  const left = whole ? undefined : gaps.find(({ kind, command }) => kind === 'read' && command && isChange(command))
  const folder = left?.place ? await suggestForRead(left.place, context) : undefined
  const parts = gaps.filter((gap) => gap !== left).flatMap(({ command }) => command?.text || [])
  // Parts that set up others can't be approved one by one.
  const commands = suggestForCommands(whole ? [script.text.trim()] : parts)
  const suggestions = folder?.length === 0 ? [] : commands && [...(folder ?? []), ...commands]
  const reason = single ? { decisionReason: texts.NEEDS_APPROVAL_TEXT } : {}
  return askByDefault(texts.NEEDS_APPROVAL_TEXT, 'other', { ...(suggestions ? { suggestions } : {}), ...reason })
}

/** Nothing but files is in the way, and this is the first. */
async function askAboutFile(
  path: string,
  place: PathLocation,
  { kind, inside }: UncoveredPart,
  moved: boolean,
  context: BashJudgingContext,
): Promise<Verdict> {
  if (kind === 'write' && inside && moved)
    return askByDefault(texts.commandTouchesText(path, 'write'), 'workingDir', {
      suggestions: suggestForEditInside(),
      decisionReason: texts.WRITE_AFTER_FOLDER_CHANGE_TEXT,
    })
  const suggestions = await (kind === 'read' ? suggestForRead(place, context) : suggestForCommandWrite(place, context))
  const message = texts.commandTouchesText(path, kind === 'read' ? 'read' : 'write')
  return askByDefault(message, 'workingDir', { suggestions, blockedPath: path })
}

/** The first protected file the command line is seen to write; one it may write when a target is only known at run time. */
async function findProtectedWrite(all: AllCommands, resolver: PathResolver): Promise<string | undefined> {
  let unknown = false
  for (const word of writtenWords(all)) {
    const targets = await resolver.locate(word)
    if (isTooLongForPath(word)) return word.value
    if (!targets || word.glob) unknown = true
    if (word.glob && canGlobNameProtectedPath(word.value)) return word.value
    for (const { place } of targets ?? []) {
      if (isProtectedLocation(place)) return place.lexical
    }
  }
  return unknown ? mentionedProtected(all) : undefined
}

/** The first file with other names that the command line would write to, not merely remove or rename. */
async function findSharedWrite(all: AllCommands, resolver: PathResolver): Promise<string | undefined> {
  const kept = all.commands.filter(({ words }) => {
    const known = knowledgeOf(programNameOrEmpty(words))
    const removal = known?.removes?.(words)
    return known?.carries !== 'move' && (!removal || removal.searches)
  })
  for (const word of writtenWords({ ...all, commands: kept })) {
    const found = (await resolver.locate(word))?.find(({ place }) => place.shared)
    if (found) return found.place.lexical
  }
  return undefined
}

function writtenWords(all: AllCommands): ShellWord[] {
  const seen = new Set<string>()
  return [
    ...all.redirects.filter((redirect) => redirect.kind === 'write').map((redirect) => redirect.target),
    ...all.commands.flatMap(({ words }) => fileUseOf(words).writes),
  ].filter((word) => {
    const key = `${word.source} ${word.value} ${word.from?.source} ${word.from?.value}`
    return !isHarmlessRedirectTarget(word) && !seen.has(key) && seen.add(key)
  })
}

function mentionedProtected(all: AllCommands): string | undefined {
  const values = all.commands.flatMap(({ words, assignments }) => [
    ...words.map((word: ShellWord) => word.value),
    ...assignments.flatMap(({ value }) => (value ? [value.value] : [])),
  ])
  for (const redirect of all.redirects) values.push(redirect.target.value)
  return values
    .flatMap((value) => value.split(/[\s=:,;"'`$(){}<>|&]+/))
    .find((token) => token !== '' && isProtectedPath(token))
}

/** Redirects of a command line that a rule names as a whole still may not leave the working directories. */
async function writesOutside(
  all: AllCommands,
  resolver: PathResolver,
  { finder, directories }: BashJudgingContext,
): Promise<boolean> {
  for (const { kind, target } of all.redirects) {
    if (kind === 'read' || isHarmlessRedirectTarget(target)) continue
    const targets = await resolver.locate(target)
    if (!targets) return true
    for (const { place } of targets) if (!(await finder.isWithin(place, directories))) return true
  }
  return false
}
