/** What a sub-agent may use: never more than who started it. */
import type { PermissionPort, ToolDefinition } from '../../engine/ports.js'
import { createPermissionsForSystem } from '../../permissions/windows/windows-permissions.js'
import type { AgentDefinition } from '../../protocol/options.js'
import type { PermissionMode } from '../../protocol/permission-types.js'
import { toCanonicalToolName, toolTraits } from '../../protocol/tool-names.js'
import type { Conversation, SharedSessionState } from '../conversation.js'

/** From the most careful to the least. */
const MODES: readonly PermissionMode[] = ['plan', 'dontAsk', 'default', 'acceptEdits', 'bypassPermissions']

/** Returns the parent's tools that the definition leaves to the sub-agent. */
export function toolsForAgent(
  definition: AgentDefinition,
  offered: readonly ToolDefinition[],
  also: readonly string[] = [],
): ToolDefinition[] {
  const { wanted, unwanted } = toolsNamedIn(definition)
  return offered.filter(({ name }) => {
    if (also.includes(name)) return true
    if (toolTraits(name).subAgents === 'never' || isToolNamed(name, unwanted)) return false
    return wanted ? isToolNamed(name, wanted) : toolTraits(name).subAgents !== 'on-request'
  })
}

/** The tools a definition names, under the names they have here. `wanted` is undefined where it wants all there are. */
export function toolsNamedIn({ tools, disallowedTools = [] }: Pick<AgentDefinition, 'tools' | 'disallowedTools'>): {
  wanted: string[] | undefined
  unwanted: string[]
} {
  const wanted = tools?.map(bareName)
  return {
    wanted: wanted?.includes('*') ? undefined : wanted,
    // A rule with content narrows the tool and does not take it away.
    unwanted: disallowedTools.filter((rule) => !rule.includes('(')).map(toCanonicalToolName),
  }
}

/**
 * What a definition names and the agent does not get; the main thread's own tools are never meant. While servers are on their
 * way, theirs may still come.
 */
export function missingAgentTools(
  { tools = [] }: AgentDefinition,
  has: readonly string[],
  serversComing: boolean,
): string[] {
  const isMeant = (name: string) =>
    name !== '*' && toolTraits(name).subAgents !== 'never' && !(serversComing && name.startsWith('mcp__'))
  const wanted = tools.map(bareName).filter(isMeant)
  return [...new Set(wanted)].filter((name) => !has.some((one) => isToolNamed(one, [name])))
}

/** `mcp__server` stands for all of its tools. */
export function isToolNamed(name: string, names: readonly string[] | undefined): boolean {
  if (!names) return false
  return names.some(
    (one) => one === name || (one.startsWith('mcp__') && name.startsWith(`${one.replace(/(__\*)?$/, '')}__`)),
  )
}

/** Returns the tool of a rule such as `Bash(git log:*)`. */
function bareName(rule: string): string {
  return toCanonicalToolName(rule.replace(/\(.*$/s, '').trim())
}

/** The more careful of the two. The one who delegates does not work himself; for agents that means: as usual. */
export function stricterPermissionMode(session: PermissionMode, own: PermissionMode | undefined): PermissionMode {
  const usual = session === 'delegate' ? 'default' : session
  return own !== undefined && MODES.indexOf(own) >= 0 && MODES.indexOf(own) < MODES.indexOf(usual) ? own : usual
}

/** The permissions of its parent, with its own mode and denials on top. Questions say whose they are. */
export function createSubAgentPermissions(
  { ports, permissions, shared: { settings, platform } }: Conversation,
  {
    id,
    mode,
    disallowedTools = [],
  }: { id: string; mode(): PermissionMode | undefined; disallowedTools?: readonly string[] },
): PermissionPort {
  const parent = ports.permissions
  const deny = disallowedTools.filter((rule) => rule.includes('('))
  const denials = deny.length === 0 ? undefined : denyingOnly(deny, settings, platform)
  return {
    ...parent,
    async decide(call, facts, context) {
      const denied = await denials?.decide(call, facts)
      if (denied?.behavior === 'deny') return denied
      return parent.decide(call, facts, {
        ...context,
        mode: stricterPermissionMode(context?.mode ?? permissions.mode(), mode()),
      })
    },
    explainRefusal: async (call, facts, context) =>
      (await parent.explainRefusal?.(call, facts, {
        ...context,
        mode: stricterPermissionMode(context?.mode ?? permissions.mode(), mode()),
      })) ?? '',
    ask: (question, signal) => parent.ask({ ...question, agentId: question.agentId ?? id }, signal),
  }
}

/** Lets everything pass but what the rules deny: the parent's permissions judge the rest. */
function denyingOnly(
  deny: readonly string[],
  { cwd, home, directories, configDir }: SharedSessionState['settings'],
  { workspace: { files }, identity }: SharedSessionState['platform'],
) {
  return createPermissionsForSystem(identity.os, {
    files,
    cwd,
    home,
    directories,
    deny,
    mode: 'bypassPermissions' as const,
    allowBypass: true,
    searchSkipsDenied: false,
    userRoot: configDir,
  })
}
