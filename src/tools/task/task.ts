/** Task: hands work to a sub-agent. What runs the agent arrives as a port. */
import type { ToolOutcome } from '../../engine/ports.js'
import { cutMiddle } from '../bound-output.js'
import { type CallContext, defineTool, type Tool } from '../tool.js'
import { type AgentInput, agentInputSchema, teamAgentInputSchema, withoutBackgroundInput } from './task-shapes.js'

export type AgentSummary = { name: string; description: string }

export function describeTaskTool(agents: readonly AgentSummary[]): string {
  return [
    prompt,
    ...(agents.length > 0 ? ['', 'The types of agents:'] : []),
    ...agents.map(({ name, description }) => `- ${name}: ${description}`),
  ].join('\n')
}

const prompt = `Hands a task to another agent, which works on its own and reports back once.

Use it for work that can stand apart: a search through a large code base, an independent part of the task, many steps that would fill this conversation. Don't use it to look at a known file, to find one definition, or for a few quick steps.

- The agent knows nothing of this conversation unless it is resumed. The prompt has to say what to do, what is known, whether to change anything, and what to report.
- The report comes to you, not to the user: pass on what matters.
- Agents started in one message work at the same time.
- Check changes that an agent made before you call them done.`

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
  const withType = (input: AgentInput): AgentInput => {
    const type = typeNamed(input.subagent_type, port.agents())
    return type === undefined || type === input.subagent_type ? input : { ...input, subagent_type: type }
  }
  const schema = port.teams ? teamAgentInputSchema : agentInputSchema
  return defineTool<AgentInput>({
    name: 'Task',
    description: describeTaskTool(port.agents()),
    inputSchema: port.background === false ? withoutBackgroundInput(schema) : schema,
    // Said by name to be missing: a model that knows it from elsewhere should not think it works alone.
    hidden: ['isolation'],
    // Agents work side by side; what each of them does is judged by itself.
    isReadOnly: () => true,
    runsOnce: true,
    facts: () => ({ kind: 'none' }),
    prepare: async (input) => withType(input),
    async execute(given, context) {
      // Again: a hook or the host may have given another input.
      const input = withType(given)
      const names = port.agents().map(({ name }) => name)
      if (!names.includes(input.subagent_type)) {
        const type = cutMiddle(input.subagent_type, 200)
        return { ok: false, error: `Agent type '${type}' not found. Available agents: ${names.join(', ')}` }
      }
      return port.run(input, context)
    },
  })
}

/** The type of that name, whatever its letters' case if no other is called so. */
function typeNamed(type: string, agents: readonly AgentSummary[]): string | undefined {
  const names = agents.map(({ name }) => name)
  if (names.includes(type)) return type
  const alike = names.filter((name) => name.toLowerCase() === type.trim().toLowerCase())
  return alike.length === 1 ? alike[0] : undefined
}
