/**
 * Permissions on Windows: the same engine, told every path in one spelling. What is in doubt is never allowed by a proof about
 * files: it asks, and where rules deny files it asks in every mode.
 */
import type { DecideContext, EngineCall, PermissionFacts } from '../../engine/ports.js'
import { isWindowsPath, judgedToWindowsPath, toWindowsJudgedPath } from '../../platform/windows/judged-path.js'
import type { PermissionUpdate } from '../../protocol/permission-types.js'
import * as texts from '../decision-texts.js'
import {
  createPermissions,
  type ExplainedDecision,
  type ListedPermissions,
  type PermissionOptions,
  type RuleLayer,
} from '../permission-engine.js'
import { askForSafety } from '../verdict.js'
import { explainWindowsAmbiguity } from './doubtful-command.js'
import { createWindowsPathFinderFiles } from './windows-links.js'
import { normalizeWindowsPathInRule, toWindowsRuleValue } from './windows-rules.js'

type ForSystem = Omit<PermissionOptions, 'foldCase'>

/** `os` as `process.platform` says it. A workspace whose folder isn't a path of Windows is another machine, whatever this one is. */
export function createPermissionsForSystem(os: string, options: ForSystem): ListedPermissions {
  const foldCase = os === 'darwin' || os === 'win32'
  if (os !== 'win32' || !isWindowsPath(options.cwd)) return createPermissions({ ...options, foldCase })
  return windowsPermissions({ ...options, foldCase })
}

function windowsPermissions(options: PermissionOptions): ListedPermissions {
  const cwd = toWindowsJudgedPath(options.cwd, '/').path
  const at = (path: string) => toWindowsJudgedPath(path, cwd).path
  const { allow, deny, ask, layers, directories, readableFolders, planFile, searchPath, userRoot } = options
  const inner = createPermissions({
    ...options,
    cwd,
    home: at(options.home),
    files: createWindowsPathFinderFiles(options.files),
    ...(directories && { directories: directories.map(at) }),
    ...rulesOf({ allow, deny, ask }),
    ...(layers && { layers: layers.map((layer) => ({ ...layer, ...rulesOf(layer), root: at(layer.root) })) }),
    ...(readableFolders && { readableFolders: () => readableFolders().map(at) }),
    ...(planFile !== undefined && { planFile: at(planFile) }),
    ...(userRoot !== undefined && { userRoot: at(userRoot) }),
    ...(searchPath && { searchPath: () => searchPath()?.split(';').map(at).join(':') }),
  })
  const explain = async (
    call: EngineCall,
    facts: PermissionFacts,
    context?: DecideContext,
  ): Promise<ExplainedDecision> => {
    const { facts: judged, doubt } = judgedFacts(facts, cwd)
    const explained = await inner.explain({ ...call, input: judgedInput(call, cwd) }, judged, context)
    const shown = withSuggestions(explained)
    if (doubt === undefined || explained.decision.behavior !== 'allow') return shown
    const mode = context?.mode ?? inner.mode()
    const isOpen = mode === 'bypassPermissions' && !(await inner.deniedFiles('edit')).length
    return isOpen ? shown : question(call.name, doubt)
  }
  return {
    ...inner,
    explain,
    decide: async (call, facts, context) => (await explain(call, facts, context)).decision,
    apply: (updates) => inner.apply(updates.map((update) => judgedUpdate(update, at))),
    lend: (rules) => inner.lend(rules.map(normalizeWindowsPathInRule)),
    directories: () => inner.directories().map((path) => judgedToWindowsPath(path) ?? path),
    deniedInside: async (folder) => {
      const denied = await inner.deniedInside(at(folder))
      return denied && ((path) => denied(at(path)))
    },
  }
}

function question(tool: string, doubt: string): ExplainedDecision {
  const decisionReason = `It is not sure which file this is about: ${doubt}`
  const { decision, layer } = askForSafety(texts.notGrantedText(tool), { decisionReason })
  return { decision, layer }
}

function rulesOf({ allow, deny, ask }: Pick<RuleLayer, 'allow' | 'deny' | 'ask'>) {
  return {
    ...(allow && { allow: allow.map(normalizeWindowsPathInRule) }),
    ...(deny && { deny: deny.map(normalizeWindowsPathInRule) }),
    ...(ask && { ask: ask.map(normalizeWindowsPathInRule) }),
  }
}

function judgedFacts(facts: PermissionFacts, cwd: string): { facts: PermissionFacts; doubt?: string | undefined } {
  if (facts.kind === 'read') {
    const all = facts.paths.map((path) => toWindowsJudgedPath(path, cwd))
    const doubt = all.find((one) => one.doubt !== undefined)?.doubt
    return { facts: { kind: 'read', paths: all.map(({ path }) => path) }, doubt }
  }
  if (facts.kind === 'edit') {
    const { path, doubt } = toWindowsJudgedPath(facts.path, cwd)
    const behind = facts.resolvedPath === undefined ? undefined : toWindowsJudgedPath(facts.resolvedPath, cwd)
    const resolved = behind === undefined ? {} : { resolvedPath: behind.path }
    return { facts: { kind: 'edit', path, ...resolved }, doubt: doubt ?? behind?.doubt }
  }
  if (facts.kind !== 'command') return { facts }
  const { path, doubt } = toWindowsJudgedPath(facts.cwd, cwd)
  const real = facts.realCwd === undefined ? {} : { realCwd: toWindowsJudgedPath(facts.realCwd, cwd).path }
  return { facts: { ...facts, cwd: path, ...real }, doubt: doubt ?? explainWindowsAmbiguity(facts.command) }
}

/** The engine looks into the input for where a search begins. */
function judgedInput({ name, input }: EngineCall, cwd: string): EngineCall['input'] {
  const fields = name === 'Glob' ? ['path', 'pattern'] : ['path', 'file_path', 'notebook_path']
  const changed = fields.flatMap((field) => {
    const value = input[field]
    if (typeof value !== 'string' || /^[A-Za-z][A-Za-z+.-]+:\/\//.test(value)) return []
    if (field !== 'pattern') return [[field, toWindowsJudgedPath(value, cwd).path]]
    return [[field, isWindowsPath(value) ? toWindowsJudgedPath(value, cwd).path : value.replaceAll('\\', '/')]]
  })
  return { ...input, ...Object.fromEntries(changed) }
}

function judgedUpdate(update: PermissionUpdate, at: (path: string) => string): PermissionUpdate {
  if ('rules' in update) return { ...update, rules: update.rules.map(toWindowsRuleValue) }
  return 'directories' in update ? { ...update, directories: update.directories.map(at) } : update
}

/** Folders are shown, and saved, as Windows calls them. */
function withSuggestions(explained: ExplainedDecision): ExplainedDecision {
  const { decision } = explained
  if (!('suggestions' in decision) || !decision.suggestions) return explained
  const suggestions = decision.suggestions.map((update) =>
    'directories' in update
      ? { ...update, directories: update.directories.map((path) => judgedToWindowsPath(path) ?? path) }
      : update,
  )
  return { ...explained, decision: { ...decision, suggestions } }
}
