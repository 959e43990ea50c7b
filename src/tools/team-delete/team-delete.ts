/** TeamDelete: takes the team away once its members have ended. What a team is arrives as a port. */
import { defineTool, type Tool } from '../tool.js'
import { teamDeleteInputSchema } from './input.js'
import type { TeamDeleteOutput } from './output.js'
import { teamDeletePrompt } from './prompt.js'

export interface TeamDeletePort {
  delete(): Promise<TeamDeleteOutput>
}

export function createTeamDeleteTool(port: TeamDeletePort): Tool<Record<string, never>> {
  return defineTool<Record<string, never>>({
    name: 'TeamDelete',
    description: teamDeletePrompt,
    inputSchema: teamDeleteInputSchema,
    isReadOnly: () => false,
    facts: () => ({ kind: 'none' }),
    async execute() {
      const output = await port.delete()
      return { ok: true, content: [{ type: 'text', text: JSON.stringify(output, null, 2) }], output }
    },
  })
}
