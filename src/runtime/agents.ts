/** The agents that files define and hosts describe: one of them may be the main thread; the others can only be named by this version. */
import type { AgentDefinition, AgentInfo } from '../protocol/options.js'
import type { SessionParts } from './session-parts.js'

export type Agents = Map<string, AgentDefinition>

export function agentInfos(agents: Agents): AgentInfo[] {
  return [...agents].map(([name, { description, model }]) => ({ name, description, ...(model ? { model } : {}) }))
}

/** Takes a host's agents in, which outdo those of files. Returns what is wrong with them, if something is. */
export function defineAgents(
  parts: SessionParts,
  described: Record<string, AgentDefinition>,
  stderr: (text: string) => void,
): string | undefined {
  for (const [name, definition] of Object.entries(described)) parts.agents.set(name, definition)
  if (parts.agents.size > 0) {
    stderr('Warning: agents: this version of Kedge has no sub-agents yet; the main thread works alone.\n')
  }
  return adoptAgent(parts)
}

/** Makes the main thread the agent that the settings name, once. Returns why it can't. */
export function adoptAgent(parts: SessionParts): string | undefined {
  const { agent } = parts.settings
  if (agent === undefined || parts.agentInUse) return undefined
  const chosen = parts.agents.get(agent)
  if (!chosen) return `The agent '${agent}' is not defined: describe it in the option agents.`
  becomeAgent(parts, chosen)
  return undefined
}

/** Its prompt, model and tools, where the host did not choose its own. */
function becomeAgent(parts: SessionParts, { prompt, model, tools, disallowedTools }: AgentDefinition): void {
  const { settings } = parts
  parts.agentInUse = true
  parts.prompt.system ||= prompt
  if (model && model !== 'inherit' && settings.model === undefined) parts.model.set(model)
  parts.mayOffer = (name) =>
    (settings.choseTools || (tools?.includes(name) ?? true)) && !disallowedTools?.includes(name)
  parts.offered = parts.offered.filter(({ name }) => parts.mayOffer(name))
}
