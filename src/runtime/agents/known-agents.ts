/** The agents there are: built in, defined by files, described by the host. One of them may be the main thread. */

import { parseRule } from '../../permissions/rule.js'
import { BUILT_IN_AGENTS } from '../../prompts/built-in-agents.js'
import type { AgentDefinition, AgentInfo } from '../../protocol/options.js'
import { taskPrompt } from '../../tools/task/task.js'
import type { SessionParts } from '../session-parts.js'
import type { SessionProject } from '../session-project.js'
import { isNamed } from './narrow.js'
import { readServers } from './own-servers.js'

export type Agents = Map<string, AgentDefinition>

/** Those of files outdo those built in. */
export function knownAgents(project: SessionProject): Agents {
  const ofFiles = project.agents.map(({ name, definition }) => [name, definition] as const)
  return new Map([...Object.entries(BUILT_IN_AGENTS), ...ofFiles])
}

export function agentInfos(agents: Agents): AgentInfo[] {
  return [...agents].map(([name, { description, model }]) => ({ name, description, ...(model ? { model } : {}) }))
}

/** Takes a host's agents in, which outdo those of files. Returns what is wrong with them, if something is. */
export function defineAgents(parts: SessionParts, described: Record<string, AgentDefinition>): string | undefined {
  for (const [name, definition] of Object.entries(described)) parts.agents.set(name, definition)
  parts.offered = parts.offered.map((tool) =>
    tool.name === 'Task' ? { ...tool, description: taskPrompt(agentInfos(parts.agents)) } : tool,
  )
  return adoptAgent(parts)
}

/** Makes the main thread the agent that the settings name, once. Returns why it can't. */
export function adoptAgent(parts: SessionParts): string | undefined {
  const { agent } = parts.settings
  if (agent === undefined || parts.agentInUse) return undefined
  const chosen = parts.agents.get(agent)
  if (!chosen) return `The agent '${agent}' is not defined: describe it in the option agents.`
  const problem = denyByRule(parts, chosen)
  if (problem === undefined) becomeAgent(parts, chosen)
  return problem
}

/** A rule with content, such as `Bash(git push:*)`, narrows a tool and does not take it away. Returns what is wrong with one. */
function denyByRule({ permissions }: SessionParts, { disallowedTools = [] }: AgentDefinition): string | undefined {
  const rules = disallowedTools.filter((text) => text.includes('(')).map((text) => parseRule(text, 'deny'))
  const bad = rules.find((rule) => !rule.ok)
  if (bad) return bad.reason
  const values = rules.flatMap((rule) => (rule.ok ? [rule.rule] : []))
  void permissions.apply([{ type: 'addRules', rules: values, behavior: 'deny', destination: 'session' }])
  return undefined
}

/** Its prompt, model, tools and servers, where the host did not choose its own. */
function becomeAgent(parts: SessionParts, definition: AgentDefinition): void {
  const { prompt, model, tools, disallowedTools } = definition
  const { settings } = parts
  const isOfFile = parts.project.agents.some((agent) => agent.definition === definition)
  const entries = settings.strictMcp && isOfFile ? [] : readServers(definition).entries
  parts.mcp.add(entries)
  const isOwn = (name: string) => entries.some((entry) => parts.mcp.servers()?.find(entry.name)?.owns(name))
  parts.agentInUse = true
  parts.prompt.system ||= prompt
  if (model && model !== 'inherit' && settings.model === undefined) parts.model.set(model)
  parts.mayOffer = (name) =>
    (settings.choseTools || tools === undefined || isNamed(name, tools) || isOwn(name)) &&
    !isNamed(name, disallowedTools)
  parts.offered = parts.offered.filter(({ name }) => parts.mayOffer(name))
}
