/** Task: hands work to a sub-agent. What runs the agent arrives as a port. */
import type { ToolOutcome } from '../../engine/ports.js'
import { cutMiddle } from '../bound-output.js'
import { type CallContext, defineTool, type Tool } from '../tool.js'
import { type AgentInput, agentInputSchema, foregroundSchema, teamAgentInputSchema } from './input.js'
import { type AgentSummary, taskPrompt } from './prompt.js'

export interface TaskToolPort {
  /** Those that can be started, in the order they are listed. */
  agents(): readonly AgentSummary[]
  /** Agents can be teammates. */
  teams?: boolean
  /** False: every agent is waited for. */
  background?: boolean
  run(input: AgentInput, context: CallContext): Promise<ToolOutcome>
}

export function createTaskTool(port: TaskToolPort): Tool<AgentInput> {
  const schema = port.teams ? teamAgentInputSchema : agentInputSchema
  return defineTool<AgentInput>({
    name: 'Task',
    description: taskPrompt(port.agents()),
    inputSchema: port.background === false ? foregroundSchema(schema) : schema,
    // Agents work side by side; what each of them does is judged by itself.
    isReadOnly: () => true,
    facts: () => ({ kind: 'none' }),
    async execute(input, context) {
      const names = port.agents().map(({ name }) => name)
      if (!names.includes(input.subagent_type)) {
        const type = cutMiddle(input.subagent_type, 200)
        return { ok: false, error: `Agent type '${type}' not found. Available agents: ${names.join(', ')}` }
      }
      return port.run(input, context)
    },
  })
}
