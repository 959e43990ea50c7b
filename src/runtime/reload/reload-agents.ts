/** Sub-agents of files that were read anew. Those that the host described outdo them, as at the start. */
import { BUILT_IN_AGENTS } from '../../prompts/built-in-agents.js'
import { knownAgents } from '../agents/known-agents.js'
import type { Conversation } from '../conversation.js'
import type { SessionProject } from '../session-project.js'

export function useAgents({ shared: { agents, project } }: Conversation, next: SessionProject): void {
  const ofFiles = new Set(project.agents.map(({ definition }) => definition))
  const builtIn = new Set(Object.values(BUILT_IN_AGENTS))
  const ofHost = [...agents.known].filter(([, definition]) => !ofFiles.has(definition) && !builtIn.has(definition))
  const all = [...knownAgents(next, {}), ...ofHost]
  agents.known.clear()
  for (const [name, definition] of all) agents.known.set(name, definition)
}
