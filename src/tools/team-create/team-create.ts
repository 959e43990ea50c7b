/** TeamCreate: makes a team that this session leads. What a team is arrives as a port. */
import { defineTool, type Tool } from '../tool.js'
import { type TeamCreateInput, teamCreateInputSchema } from './input.js'
import type { TeamCreateOutput } from './output.js'
import { teamCreatePrompt } from './prompt.js'

export interface TeamCreatePort {
  create(input: TeamCreateInput): Promise<{ ok: true; output: TeamCreateOutput } | { ok: false; error: string }>
}

export function createTeamCreateTool(port: TeamCreatePort): Tool<TeamCreateInput> {
  return defineTool<TeamCreateInput>({
    name: 'TeamCreate',
    description: teamCreatePrompt,
    inputSchema: teamCreateInputSchema,
    isReadOnly: () => false,
    facts: () => ({ kind: 'none' }),
    async execute(input) {
      const result = await port.create(input)
      if (!result.ok) return result
      const { output } = result
      return { ok: true, content: [{ type: 'text', text: JSON.stringify(output, null, 2) }], output }
    },
  })
}
