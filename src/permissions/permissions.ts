/** The permission engine of one session: its rules, mode and directories, and the judgement of calls by them. Asks nobody, runs nothing. */
import type { PermissionDecision, PermissionFacts, ToolCall } from '../engine/ports.js'
import { ConfigurationError } from '../errors.js'
import type { FileSystem } from '../platform/files.js'
import { isAbsolute, join, resolve } from '../platform/paths.js'
import type {
  PermissionBehavior,
  PermissionMode,
  PermissionRuleValue,
  PermissionUpdate,
} from '../protocol/permissions.js'
import { loadParser, type ParseScript } from './bash/parse.js'
import { isReadOnlyScript } from './bash/read-only-script.js'
import { evaluate, type World } from './evaluate.js'
import { FileRules } from './file-rules.js'
import { checkMode, type ModeChange } from './modes.js'
import { bareRule } from './names.js'
import { PathFinder } from './paths.js'
import { parseRule } from './rule.js'
import { RuleSet, type RuleSource } from './rule-set.js'
import { applyUpdate, type UpdateTarget } from './updates.js'
import type { Layer } from './verdict.js'

/** Rules that come from a file: a pattern `/x` in them starts at `root`. */
export type RuleLayer = {
  source: RuleSource
  root: string
  allow?: readonly string[]
  deny?: readonly string[]
  ask?: readonly string[]
}

export type PermissionOptions = {
  files: Pick<FileSystem, 'lstat' | 'realpath'>
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
  /** Absolute: may be read without a question, though outside the working directories. */
  readableFolders?: () => readonly string[]
  /** Absolute: the one file that may be written in plan mode. */
  planFile?: string
  /** The search tools leave out what `deniedInside` names. Without that, searching a folder that may hold such files asks. */
  searchSkipsDenied?: boolean
}

/** `rule` as the user wrote it, with the source it came from. */
export type Explanation = {
  decision: PermissionDecision
  layer: Layer
  rule?: { text: string; source: RuleSource; behavior: PermissionBehavior }
}

export type DecideContext = {
  /** A PreToolUse hook said yes: lifts questions, but no rule and nothing only a person may approve. */
  approvedByHook?: boolean
}

export interface Permissions {
  /** Allow rules that are not used, and why. */
  readonly warnings: readonly string[]
  decide(call: ToolCall, facts: PermissionFacts, context?: DecideContext): Promise<PermissionDecision>
  /** The decision with the layer and the rule that made it. */
  explain(call: ToolCall, facts: PermissionFacts, context?: DecideContext): Promise<Explanation>
  /** Applies what a host handed back; what can't be applied comes back as reasons; saving it is for others. */
  apply(updates: readonly PermissionUpdate[]): Promise<string[]>
  mode(): PermissionMode
  /** Where the end of plan mode leads. */
  modeBeforePlan(): PermissionMode
  setMode(mode: string): ModeChange
  /** `cwd` first. */
  directories(): readonly string[]
  /** Those of the names that a rule without content denies: the model never sees these tools. */
  removedTools(names: readonly string[]): string[]
  /** For search tools, which follow no links below `folder`: which files in it may not be read, by a deny rule. Undefined
   *  when no rule is about any of them. Asked anew for every search. */
  deniedInside(folder: string): Promise<((path: string) => boolean) | undefined>
  /** A hint for running calls at the same time; false until `prepare` has ended. */
  isReadOnlyCommand(command: string): boolean
  /** Loads the shell parser ahead of its first use. */
  prepare(): Promise<void>
}

/** Throws `ConfigurationError` for a deny or ask rule that can't be used: leaving it out would make the session wider than asked for. */
export function createPermissions(options: PermissionOptions): Permissions {
  const { cwd, home } = options
  const rules = new RuleSet()
  const warnings: string[] = []
  const layers: RuleLayer[] = [{ ...pick(options), source: 'cliArg', root: cwd }, ...(options.layers ?? [])]
  for (const layer of layers) addLayer(rules, layer, warnings)
  let mode = options.mode
  let beforePlan: PermissionMode = 'default'
  let extra: readonly string[] = (options.directories ?? []).map((directory) => absolute(directory, cwd))
  let parser: Promise<ParseScript> | undefined
  let loaded: ParseScript | undefined
  const load = async () => {
    parser ??= loadParser()
    loaded = await parser
    return loaded
  }
  const directories = () => [...new Set([cwd, ...extra])]
  const world = (): World => ({
    ...{
      rules,
      mode,
      cwd,
      home,
      parser: load,
      files: options.files,
      directories: directories(),
      readable: options.readableFolders?.() ?? [],
      planFile: options.planFile,
      servers: options.servers?.(),
    },
    foldCase: options.foldCase ?? false,
    searchSkipsDenied: options.searchSkipsDenied ?? false,
  })
  const setMode = (wanted: string): ModeChange => {
    const change = checkMode(wanted, options.allowBypass || options.mode === 'bypassPermissions')
    if (change.ok && change.mode === 'plan' && mode !== 'plan') beforePlan = mode
    if (change.ok) mode = change.mode
    return change
  }
  const target: UpdateTarget = {
    rules,
    cwd,
    setMode,
    addDirectories: (added) => {
      extra = [...new Set([...extra, ...added])]
    },
    removeDirectories: (removed) => {
      extra = extra.filter((directory) => !removed.includes(directory))
    },
  }
  const explain = async (call: ToolCall, facts: PermissionFacts, context: DecideContext = {}): Promise<Explanation> => {
    const { rule, ...rest } = await evaluate(call, facts, world(), context.approvedByHook ?? false)
    return rule ? { ...rest, rule: { text: rule.text, source: rule.source, behavior: rule.behavior } } : rest
  }
  return {
    warnings,
    explain,
    decide: async (call, facts, context) => (await explain(call, facts, context)).decision,
    apply: async (updates) => updates.flatMap((update) => applyUpdate(update, target)),
    mode: () => mode,
    modeBeforePlan: () => beforePlan,
    setMode,
    directories,
    removedTools: (names) => names.filter((name) => bareRule(rules, 'deny', name, undefined) !== undefined),
    deniedInside: async (folder) => {
      const { lexical, real } = await new PathFinder(options.files).place(folder)
      const fileRules = new FileRules(rules, { cwd, home, foldCase: options.foldCase ?? false })
      if (!fileRules.findInside('deny', 'read', { lexical, real })) return undefined
      return (path) => {
        const rest = path.slice(folder.length)
        const place = { lexical: join(lexical, rest), real: real === undefined ? undefined : join(real, rest) }
        return fileRules.find('deny', 'read', place) !== undefined
      }
    },
    isReadOnlyCommand: (command) => loaded !== undefined && isReadOnlyScript(loaded(command)),
    prepare: async () => {
      await load()
    },
  }
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
      else if (behavior === 'allow') warnings.push(parsed.reason)
      else throw new ConfigurationError(behavior === 'deny' ? 'disallowedTools' : 'ask', parsed.reason)
    }
    rules.add(layer.source, behavior, values, layer.root)
  }
}

function absolute(path: string, cwd: string): string {
  return isAbsolute(path) ? resolve(path) : resolve(cwd, path)
}
