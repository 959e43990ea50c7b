/** Whether an agent can be started, and why not: the same for sub-agents and teammates. */
import type { AgentDefinition } from '../../protocol/options.js'
import type { AgentInput } from '../../tools/task/task-shapes.js'
import type { Conversation } from '../conversation.js'

/** At the same time, in one session. Who asks for more is told to wait. */
const MAX_RUNNING = 100

export function findStartableAgent(
  {
    shared: {
      agents: agentBook,
      agents: { known: agents },
    },
  }: Conversation,
  { isolation }: AgentInput,
  type: string,
): { definition: AgentDefinition } | { problem: string } {
  if (agentBook.running.size >= MAX_RUNNING)
    return { problem: `${MAX_RUNNING} agents are at work already. Wait for some of them to end.` }
  if (isolation !== undefined)
    return { problem: `isolation: '${isolation}' is not supported by this version of Kedge. Leave it out.` }
  const definition = agents.get(type)
  if (!definition)
    return { problem: `Agent type '${type}' not found. Available agents: ${[...agents.keys()].join(', ')}` }
  return { definition }
}
