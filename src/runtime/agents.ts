/** The agents a host describes: one of them may be the main thread; the others can only be named by this version. */
import type { AgentDefinition } from '../protocol/options.js'
import type { SessionParts } from './session-parts.js'

/** Returns what is wrong with them, if something is. */
export function defineAgents(
  parts: SessionParts,
  agents: Record<string, AgentDefinition>,
  stderr: (text: string) => void,
): string | undefined {
  const { agent } = parts.settings
  const chosen = agent === undefined ? undefined : agents[agent]
  if (agent !== undefined && !chosen) return undefinedAgent(agent)
  if (chosen) becomeAgent(parts, chosen)
  for (const [name, { description, model }] of Object.entries(agents)) {
    parts.agents.push({ name, description, ...(model ? { model } : {}) })
  }
  if (parts.agents.length > 0) {
    stderr('Warning: agents: this version of Kedge has no sub-agents yet; the main thread works alone.\n')
  }
  return undefined
}

export function undefinedAgent(name: string): string {
  return `The agent '${name}' is not defined: describe it in the option agents.`
}

/** Its prompt, model and tools, where the host did not choose its own. */
function becomeAgent(parts: SessionParts, { prompt, model, tools, disallowedTools }: AgentDefinition): void {
  const { settings } = parts
  parts.agentInUse = true
  parts.prompt.system ||= prompt
  if (model && model !== 'inherit' && settings.model === undefined) parts.model.set(model)
  parts.offered = parts.offered.filter(
    ({ name }) => (settings.choseTools || (tools?.includes(name) ?? true)) && !disallowedTools?.includes(name),
  )
}
