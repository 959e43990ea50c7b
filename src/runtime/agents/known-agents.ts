/** The agents there are: built in, defined by files, described by the host. One of them may be the main thread. */

import { parseRule } from '../../permissions/rule.js'
import { BUILT_IN_AGENTS } from '../../prompts/built-in-agents.js'
import type { AgentDefinition, AgentInfo } from '../../protocol/options.js'
import { describeTaskTool } from '../../tools/task/task.js'
import type { MainThread } from '../conversation.js'
import type { SessionProject } from '../session-project.js'
import { mcpServersOfAgent } from './agent-mcp-servers.js'
import { isToolNamed, toolsNamedIn } from './sub-agent-limits.js'

/** Those of files outdo those built in, and those of a flag both. */
export function knownAgents(
  project: SessionProject,
  ofFlag: Readonly<Record<string, AgentDefinition>>,
): Map<string, AgentDefinition> {
  const ofFiles = project.agents.map(({ name, definition }) => [name, definition] as const)
  return new Map([...Object.entries(BUILT_IN_AGENTS), ...ofFiles, ...Object.entries(ofFlag)])
}

export function agentInfos(agents: ReadonlyMap<string, AgentDefinition>): AgentInfo[] {
  return [...agents].map(([name, { description, model }]) => ({ name, description, ...(model ? { model } : {}) }))
}

/** Takes a host's agents in, which outdo those of files. Returns what is wrong with them, if something is. */
export function defineAgents(main: MainThread, described: Record<string, AgentDefinition>): string | undefined {
  for (const [name, definition] of Object.entries(described)) main.shared.agents.known.set(name, definition)
  const description = describeTaskTool(agentInfos(main.shared.agents.known))
  main.offer.change((tools) => tools.map((tool) => (tool.name === 'Task' ? { ...tool, description } : tool)))
  return applyAgentToMainThread(main)
}

/** Makes the main thread the agent that the settings name, once. Returns why it can't. */
export function applyAgentToMainThread(main: MainThread): string | undefined {
  const { agent } = main.shared.settings
  if (agent === undefined || main.shared.agents.adopted) return undefined
  const chosen = main.shared.agents.known.get(agent)
  if (!chosen) return `The agent '${agent}' is not defined: describe it in the option agents.`
  const problem = denyByRule(main, chosen)
  if (problem === undefined) becomeAgent(main, chosen)
  return problem
}

/** A rule with content, such as `Bash(git push:*)`, narrows a tool and does not take it away. Returns what is wrong with one. */
function denyByRule({ permissions }: MainThread, { disallowedTools = [] }: AgentDefinition): string | undefined {
  const rules = disallowedTools.filter((text) => text.includes('(')).map((text) => parseRule(text, 'deny'))
  const bad = rules.find((rule) => !rule.ok)
  if (bad) return bad.reason
  const values = rules.flatMap((rule) => (rule.ok ? [rule.rule] : []))
  void permissions.apply([{ type: 'addRules', rules: values, behavior: 'deny', destination: 'session' }])
  return undefined
}

/** Its prompt, model, tools and servers, where the host did not choose its own. */
function becomeAgent(main: MainThread, definition: AgentDefinition): void {
  const { prompt, model } = definition
  const {
    shared: { settings },
  } = main
  const isOfFile = main.shared.project.agents.some((agent) => agent.definition === definition)
  const entries = settings.strictMcp && isOfFile ? [] : mcpServersOfAgent(definition).entries
  main.shared.mcp.add(entries)
  const isOwn = (name: string) => entries.some((entry) => main.shared.mcp.servers()?.find(entry.name)?.owns(name))
  main.shared.agents.adopted = true
  main.prompt.system ||= prompt
  if (model && model !== 'inherit' && settings.model === undefined) void main.model.set(model)
  const { wanted, unwanted } = toolsNamedIn(definition)
  main.offer.narrow(
    (name) =>
      (settings.choseTools || wanted === undefined || isToolNamed(name, wanted) || isOwn(name)) &&
      !isToolNamed(name, unwanted),
  )
}
