/**
 * What would happen to a tool call, without making it: the call goes the way of every call, through the loop's own order of
 * hooks, rules, mode and question, with the tool's own facts. Only running it and asking the user are left out.
 */
import type { EngineCall, EnginePorts, EngineTool, PermissionFacts } from '../../engine/ports.js'
import { runToolCalls } from '../../engine/tool-calls.js'
import { mergePreTool } from '../../hooks/merge-answers.js'
import type { ExplainedDecision, PermissionOptions } from '../../permissions/permission-engine.js'
import { decisionReason } from '../../permissions/reasons.js'
import { listAllCommandWords, type SandboxState } from '../../permissions/sandbox-use.js'
import { createPermissionsForSystem } from '../../permissions/windows/windows-permissions.js'
import { join } from '../../platform/paths.js'
import type { Platform } from '../../platform/platform.js'
import type {
  ExplainPermissionOptions,
  PermissionBehavior,
  PermissionExplanation,
  PermissionPart,
} from '../../protocol/permission-types.js'
import { isExcludedFromSandbox, sandboxPolicy } from '../../sandbox/choose-engine.js'
import type { BashSandbox } from '../../tools/bash/sandbox-port.js'
import type { DiscoveredConfiguration } from '../configuration.js'
import {
  type CallToDescribe,
  createFactsOnlyTool,
  createFolderDefaultsLoader,
  type LoadFolderSessionDefaults,
} from './describe-call.js'
import { checkExplainRequest, type PermissionExplanationRequest, validateExplainedCall } from './explain-request.js'
import type { PermissionConfiguration } from './permission-configuration.js'
import { createSessionPermissions } from './permission-port.js'

/** A call and what surrounds it; `permissions` is the engine of a session, with all its rules. */
type CallToExplain = CallToDescribe & Pick<ExplainPermissionOptions, 'hook'>

/** Returns a function that explains calls. It keeps the setup of the last folder for the next call. */
export function createCallExplainer(
  platform: Platform,
): (request: PermissionExplanationRequest) => Promise<PermissionExplanation> {
  const around = createFolderDefaultsLoader(platform)
  return (request) => explainPermission(request, platform, around)
}

async function explainPermission(
  request: PermissionExplanationRequest,
  platform: Platform,
  around: LoadFolderSessionDefaults,
): Promise<PermissionExplanation> {
  checkExplainRequest(request)
  const { os, options, notes } = toSession(request, platform)
  const sandbox = await describeSandbox(request.sandbox)
  const permissions = createPermissionsForSystem(os, { ...options, sandbox: () => sandbox?.state })
  const explained = await explainCall({ ...request, permissions, sandbox: sandbox?.bash, platform, around })
  return { ...explained, reason: [explained.reason, ...notes].join(' ') }
}

/** The same for a session as its settings make it; `ask`: rules beside theirs. */
export async function explainCallInSession(
  { ask, ...call }: { tool: string; input: Record<string, unknown>; ask: readonly string[] },
  settings: PermissionConfiguration & Pick<DiscoveredConfiguration, 'sandbox'>,
  platform: Platform,
): Promise<PermissionExplanation> {
  validateExplainedCall(call)
  const { cwd, home, layers, sandbox: wanted } = settings
  const { enabled, autoAllow } = sandboxPolicy(wanted)
  const sandbox = await describeSandbox({ enabled, autoAllow, excludedCommands: wanted?.excludedCommands ?? [] })
  const permissions = createSessionPermissions(
    { ...settings, layers: [...layers, { source: 'cliArg', root: cwd, ask }] },
    platform,
    { sandbox: () => sandbox?.state },
  )
  const around = createFolderDefaultsLoader(platform)
  return explainCall({ ...call, cwd, home, permissions, sandbox: sandbox?.bash, platform, around })
}

async function explainCall(call: CallToExplain): Promise<PermissionExplanation> {
  const { permissions, hook } = call
  const seen: { behavior: PermissionBehavior; last?: { answer: ExplainedDecision; facts: PermissionFacts } } = {
    behavior: 'deny',
  }
  const described = await createFactsOnlyTool(call)
  const tool: EngineTool = {
    ...described,
    moreFacts: async () => undefined,
    async execute() {
      seen.behavior = 'allow'
      return { ok: true, content: '', output: undefined }
    },
  }
  const ports: EnginePorts = {
    tools: { find: () => tool },
    permissions: {
      async decide(judged: EngineCall, facts, context) {
        const answer = await permissions.explain(judged, facts, context)
        seen.last = { answer, facts }
        return answer.decision
      },
      async ask() {
        seen.behavior = 'ask'
        return undefined
      },
      apply: async () => [],
    },
    hooks: {
      preTool: async () => mergePreTool(hookOutcomes(hook)),
      postTool: async () => ({ context: [] }),
      postBatch: async () => ({ context: [] }),
      stop: async () => ({}),
    },
    emit: () => {},
    every: () => () => {},
    uuid: () => '00000000-0000-0000-0000-000000000000',
    takeFolded: async () => [],
    overBudget: () => false,
    gaveUp: () => false,
    model: { stream: async function* () {} },
  }
  const explained = { id: 'toolu_explained', name: call.tool, input: call.input }
  const { results } = await runToolCalls([{ call: explained }], ports, new AbortController().signal)
  const { behavior, last } = seen
  // No decision was reached: the hook had ended it.
  if (!last) return { behavior, layer: 'hook', reason: String(results[0]?.block.content) }
  const { answer, facts } = last
  const reason = (explained: ExplainedDecision) => decisionReason(explained, permissions.mode(), facts.kind)
  const ruleOf = ({ rule }: ExplainedDecision) => (rule ? { rule: rule.text } : {})
  const parts: PermissionPart[] = ((await answer.parts?.()) ?? []).map(({ command, ...part }) => ({
    command,
    behavior: part.decision.behavior,
    layer: part.layer,
    ...ruleOf(part),
    reason: reason(part),
  }))
  // A rule for the line as a whole says nothing of its parts.
  const tellsParts = parts.length > 1 && (behavior !== 'allow' || parts.every((part) => part.behavior === 'allow'))
  return {
    behavior,
    layer: answer.layer,
    ...ruleOf(answer),
    ...(answer.rule && answer.rule.source !== 'command' ? { source: answer.rule.source } : {}),
    reason: reason(answer),
    ...(tellsParts ? { parts } : {}),
  }
}

function hookOutcomes(hook: ExplainPermissionOptions['hook']): Parameters<typeof mergePreTool>[0] {
  if (hook === undefined) return []
  if (hook === 'crash') return [{ name: 'guard', failure: 'it crashed' }]
  const hookSpecificOutput = { hookEventName: 'PreToolUse' as const, permissionDecision: hook }
  return [{ name: 'guard', output: { hookSpecificOutput } }]
}

const SOURCE = {
  session: 'session',
  user: 'userSettings',
  project: 'projectSettings',
  local: 'localSettings',
  'local-tracked': 'localSettings',
} as const

/** The session that is asked about; `notes` say what of the request does not count in it. */
function toSession(
  request: PermissionExplanationRequest,
  platform: Platform,
): { os: string; options: Omit<PermissionOptions, 'foldCase'>; notes: string[] } {
  const { cwd, home, source = 'session', modeSource = 'session', rules = {}, servers } = request
  const { allow = [], ask = [], deny = [] } = rules
  const directories = request.additionalDirectories ?? []
  const notes: string[] = []
  // What came with a repository only narrows until its folder is trusted, and never chooses the mode.
  const untrusted = isRepository(source) && request.trusted === false
  if (untrusted && allow.length + directories.length > 0)
    notes.push(`What ${source} settings allow is not used, because the folder is not trusted.`)
  const mode = isRepository(modeSource) ? 'default' : (request.mode ?? 'default')
  if (mode !== (request.mode ?? 'default')) notes.push('A repository can not choose the mode, so it is default.')
  const os = request.platform ?? platform.identity.os
  const layer = {
    source: SOURCE[source],
    root: source === 'user' ? join(home, '.claude') : cwd,
    allow: untrusted ? [] : allow,
    ask,
    deny,
  }
  const options = {
    files: platform.workspace.files,
    cwd,
    home,
    mode,
    allowBypass: true,
    directories: untrusted ? [] : directories,
    layers: [layer],
    searchSkipsDenied: true,
    trusted: request.trusted ?? true,
    ...(servers ? { servers: () => servers } : {}),
  }
  return { os, options, notes }
}

/** A sandbox as permission engine and Bash know it, without making one. */
async function describeSandbox(
  sandbox: ExplainPermissionOptions['sandbox'],
): Promise<{ state: SandboxState; bash: BashSandbox } | undefined> {
  if (!sandbox?.enabled) return undefined
  const { autoAllow = true, available = true } = sandbox
  const { loadShellParser } = await import('../../permissions/shell.js')
  const parse = await loadShellParser()
  const isOutside: SandboxState['isExcluded'] = (commands) => isExcludedFromSandbox(commands, sandbox)
  return {
    state: { enabled: true, autoAllow, available, isExcluded: isOutside },
    bash: {
      prepare: async () => {},
      placeOf({ command, dangerouslyDisableSandbox }) {
        if (isOutside(listAllCommandWords(command, parse))) return { where: 'outside', why: 'excluded' }
        if (dangerouslyDisableSandbox) return { where: 'outside', why: 'asked' }
        return available ? { where: 'inside' } : { where: 'outside', why: 'broken' }
      },
      wrap: async () => ({ ok: false, error: 'Nothing is run here.' }),
      rules: { hosts: undefined, writable: [], excluded: [], mayLeave: true },
    },
  }
}

function isRepository(origin: string): boolean {
  return origin === 'project' || origin === 'local-tracked'
}
