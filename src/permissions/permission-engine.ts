/**
 * A session's permission engine: its rules, mode, and directories, and the decisions on calls. It asks no user and runs
 * nothing.
 */
import type { DecideContext, EngineCall, PermissionDecision, PermissionFacts } from '../engine/ports.js'
import { ConfigurationError } from '../errors.js'
import { isAbsolute, join, resolve } from '../platform/posix-paths.js'
import type {
  PermissionBehavior,
  PermissionLayer,
  PermissionMode,
  PermissionRuleValue,
  PermissionUpdate,
} from '../protocol/permission-types.js'
import { toolTraits } from '../protocol/tool-names.js'
import { PlantedProgramFinder } from './bash/planted-programs.js'
import { evaluateCall } from './evaluate.js'
import type { FilePattern } from './file-pattern.js'
import { createFileRules, type FileAction } from './file-rules.js'
import type { JudgingContext, ShellJudge } from './judging-context.js'
import { checkModeChange, type ModeChangeOutcome } from './modes.js'
import { findRuleWithoutContent } from './name-rules.js'
import { PathFinder, type PathFinderFiles } from './path-finder.js'
import { formatRule, parseRule } from './rule.js'
import { type Rule, RuleSet, type RuleSource } from './rule-set.js'
import { applyPermissionUpdate, type PermissionUpdateTarget } from './updates.js'
import type { Verdict } from './verdict.js'

/** Rules that come from a file: a pattern `/x` in them starts at `root`. */
export type RuleLayer = {
  source: RuleSource
  root: string
  allow?: readonly string[]
  deny?: readonly string[]
  ask?: readonly string[]
}

export type PermissionOptions = {
  files: PathFinderFiles
  /** Absolute. */
  cwd: string
  home: string
  mode: PermissionMode
  /** `bypassPermissions` may be entered later. */
  allowBypass: boolean
  /** Beside `cwd`; absolute. */
  directories?: readonly string[]
  /** Rules as the user writes them, from options and flags. */
  allow?: readonly string[]
  deny?: readonly string[]
  ask?: readonly string[]
  /** Rules of settings files, once they are read and trusted. */
  layers?: readonly RuleLayer[]
  /** Names of the MCP servers there are; without them a name that can be split in two ways is approved by no server rule. */
  servers?: () => readonly string[]
  /** The disk takes names that differ in case or Unicode form for the same. */
  foldCase?: boolean
  /** The user trusts what comes with the folder: then its repository may have hooks and settings that run programs. */
  trusted?: boolean
  /** Absolute: may be read without a question, though outside the working directories. */
  readableFolders?: () => readonly string[]
  /** Absolute: the one file that may be written in plan mode. */
  planFile?: string
  /** The search tools leave out what `deniedInside` names. Without that, searching a folder that may hold such files asks. */
  searchSkipsDenied?: boolean
  /** The PATH of commands. */
  searchPath?: () => string | undefined
  /** Another variable that commands get; without it, none counts as set. */
  variable?: (name: string) => string | undefined
  /** Asked again for every command. Undefined: commands run without a sandbox. */
  sandbox?: JudgingContext['sandbox']
  /** Where `/x` in a rule for the user's settings starts; `~/.claude` if not said. */
  userRoot?: string
}

/** `rule` as the user wrote it, with the source it came from. */
export type ExplainedDecision = {
  decision: PermissionDecision
  layer: PermissionLayer
  rule?: { text: string; source: RuleSource; behavior: PermissionBehavior }
  /** Why nothing allows it, as far as that can be said. */
  detail?: string
  /** What each command of a command line would get on its own. */
  parts?(): Promise<(ExplainedDecision & { command: string })[]>
}

export interface Permissions {
  /** Allow rules that are not used, and why. */
  readonly warnings: readonly string[]
  decide(call: EngineCall, facts: PermissionFacts, context?: DecideContext): Promise<PermissionDecision>
  /** The decision with the layer and the rule that made it. */
  explain(call: EngineCall, facts: PermissionFacts, context?: DecideContext): Promise<ExplainedDecision>
  /** Applies what a host handed back; what can't be applied comes back as reasons; saving it is for others. */
  apply(updates: readonly PermissionUpdate[]): Promise<string[]>
  /** Allow rules for a while, of the command or skill in use. Returns what takes them back; bad ones count for nothing. */
  lend(rules: readonly string[]): () => void
  mode(): PermissionMode
  /** Where the end of plan mode leads. */
  modeBeforePlan(): PermissionMode
  setMode(mode: string): ModeChangeOutcome
  /** `cwd` first. */
  directories(): readonly string[]
  /** Those of the names that a rule without content denies: the model never sees these tools. */
  removedTools(names: readonly string[]): string[]
  /**
   * For search tools, which follow no links below `folder`: tells which files in it a deny rule forbids to read.
   * Undefined if no rule concerns any of them. Asked again for every search.
   */
  deniedInside(folder: string): Promise<((path: string) => boolean) | undefined>
  /** Files of deny rules, as patterns: for code that keeps programs away from them by other means. */
  deniedFiles(action: FileAction): Promise<{ pattern: FilePattern; text: string }[]>
  /** A hint for running calls at the same time; false until `prepare` has ended. */
  isReadOnlyCommand(command: string): boolean
  /** What bash is given for a command line: the text of what was judged. Undefined where there is none, and only a person approves. */
  judgedText(command: string): Promise<string | undefined>
  /** Loads what is known about command lines ahead of its first use. */
  prepare(): Promise<void>
}

/** The same for those who show the rules. */
export interface ListedPermissions extends Permissions {
  /** The rules that hold, of every source. */
  rules(): readonly Pick<Rule, 'source' | 'behavior' | 'text'>[]
}

/**
 * Creates the permissions of a session. Throws `ConfigurationError` for a deny or ask rule that can't be used:
 * leaving it out would make the session wider than asked for.
 */
export function createPermissions(options: PermissionOptions): ListedPermissions {
  const [cwd, home] = [resolve('/', options.cwd), resolve('/', options.home)]
  const rules = new RuleSet()
  const warnings: string[] = []
  const layers: RuleLayer[] = [{ ...pick(options), source: 'cliArg', root: cwd }, ...(options.layers ?? [])]
  for (const layer of layers) addLayer(rules, layer, warnings)
  let mode = options.mode
  let beforePlan: PermissionMode = 'default'
  let extra: readonly string[] = (options.directories ?? []).map((directory) => absolute(directory, cwd))
  const searchPath = new PlantedProgramFinder(options.files, options.searchPath ?? (() => undefined), options.variable)
  let shell: Promise<ShellJudge> | undefined
  let loaded: ShellJudge | undefined
  const load = async () => {
    shell ??= loadShell()
    loaded = await shell
    return loaded
  }
  const directories = () => [...new Set([cwd, ...extra])]
  const judgingContext = (instead?: PermissionMode): JudgingContext => ({
    rules,
    mode: instead ?? mode,
    cwd,
    home,
    shell: load,
    files: options.files,
    searchPath,
    directories: directories(),
    readable: options.readableFolders?.() ?? [],
    planFile: options.planFile,
    servers: options.servers?.(),
    foldCase: options.foldCase ?? false,
    trusted: options.trusted ?? false,
    searchSkipsDenied: options.searchSkipsDenied ?? false,
    sandbox: options.sandbox,
  })
  const setMode = (wanted: string): ModeChangeOutcome => {
    const change = checkModeChange(wanted, options.allowBypass || options.mode === 'bypassPermissions')
    if (change.ok && change.mode === 'plan' && mode !== 'plan') beforePlan = mode
    if (change.ok) mode = change.mode
    return change
  }
  const target: PermissionUpdateTarget = {
    rules,
    cwd,
    rootOf: (destination) => (destination === 'userSettings' ? (options.userRoot ?? join(home, '.claude')) : cwd),
    setMode,
    addDirectories: (added) => {
      extra = [...new Set([...extra, ...added])]
    },
    removeDirectories: (removed) => {
      extra = extra.filter((directory) => !removed.includes(directory))
    },
  }
  const explain = async (
    call: EngineCall,
    facts: PermissionFacts,
    context: DecideContext = {},
  ): Promise<ExplainedDecision> => {
    const hook = context.askedByHook ? 'ask' : context.approvedByHook ? 'allow' : undefined
    const { parts, ...verdict } = await evaluateCall(call, facts, judgingContext(context.mode), hook)
    if (!parts) return toExplanation(verdict)
    return {
      ...toExplanation(verdict),
      parts: async () => (await parts()).map((part) => ({ command: part.command, ...toExplanation(part.verdict) })),
    }
  }
  return {
    warnings,
    explain,
    decide: async (call, facts, context) => (await explain(call, facts, context)).decision,
    apply: async (updates) => updates.flatMap((update) => applyPermissionUpdate(update, target)),
    lend: (lent) => {
      const values = lent.flatMap((text) => {
        const parsed = parseRule(text, 'allow')
        return parsed.ok ? parsed.rule : []
      })
      rules.add('command', 'allow', values, cwd)
      return () => rules.remove('command', 'allow', values)
    },
    mode: () => mode,
    modeBeforePlan: () => beforePlan,
    setMode,
    rules: () => rules.list(),
    directories,
    removedTools: (names) =>
      names.filter((name) => findRuleWithoutContent(rules, 'deny', name, undefined) !== undefined),
    deniedInside: async (folder) => {
      const finder = new PathFinder(options.files)
      const { lexical, real } = await finder.place(folder)
      const fileRules = await createFileRules(rules, { cwd, home, foldCase: options.foldCase ?? false }, finder)
      if (!fileRules.findInside('deny', 'read', { lexical, real })) return undefined
      return (path) => {
        const rest = path.slice(folder.length)
        const place = { lexical: join(lexical, rest), real: real === undefined ? undefined : join(real, rest) }
        return fileRules.find('deny', 'read', place) !== undefined
      }
    },
    deniedFiles: async (action) => {
      const finder = new PathFinder(options.files)
      return (await createFileRules(rules, { cwd, home, foldCase: options.foldCase ?? false }, finder)).denied(action)
    },
    isReadOnlyCommand: (command) => loaded?.isReadOnlyScript(loaded.parse(command)) ?? false,
    judgedText: async (command) => (await load()).parse(command).printed,
    prepare: async () => {
      await load()
    },
  }
}

async function loadShell(): Promise<ShellJudge> {
  const { loadShellParser, judgeCommand, isReadOnlyScript } = await import('./shell.js')
  return { judgeCommand, isReadOnlyScript, parse: await loadShellParser() }
}

function toExplanation({ rule, ...verdict }: Verdict): ExplainedDecision {
  return rule ? { ...verdict, rule: { text: rule.text, source: rule.source, behavior: rule.behavior } } : verdict
}

function pick({ allow, deny, ask }: PermissionOptions): Pick<RuleLayer, 'allow' | 'deny' | 'ask'> {
  return { allow, deny, ask }
}

function addLayer(rules: RuleSet, layer: RuleLayer, warnings: string[]): void {
  for (const behavior of ['deny', 'ask', 'allow'] as const) {
    const values: PermissionRuleValue[] = []
    for (const text of layer[behavior] ?? []) {
      const parsed = parseRule(text, behavior)
      if (parsed.ok) values.push(parsed.rule)
      if (parsed.ok && behavior === 'allow') warnings.push(...withoutEffect(parsed.rule))
      else if (parsed.ok) continue
      else if (behavior === 'allow') warnings.push(parsed.reason)
      else throw new ConfigurationError(behavior === 'deny' ? 'disallowedTools' : 'ask', parsed.reason)
    }
    rules.add(layer.source, behavior, values, layer.root)
  }
}

/** Files are allowed by two rules only, whichever tool asks: one by another name does nothing. */
function withoutEffect(rule: PermissionRuleValue): string[] {
  const { files } = toolTraits(rule.toolName)
  const works = files === 'edit' ? 'Edit' : 'Read'
  if (!files || rule.ruleContent === undefined || rule.toolName === works) return []
  const instead = formatRule({ toolName: works, ruleContent: rule.ruleContent })
  return [`Permission rule ${JSON.stringify(formatRule(rule))} has no effect: write ${instead} to allow these files.`]
}

function absolute(path: string, cwd: string): string {
  return isAbsolute(path) ? resolve(path) : resolve(cwd, path)
}
