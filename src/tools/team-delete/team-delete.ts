/** TeamDelete: takes the team away once its members have ended. What a team is arrives as a port. */
import { defineTool, type Tool } from '../tool.js'

export const teamDeleteInputSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {},
  additionalProperties: false,
} as const

/** What TeamDelete gives back to hosts. */
export interface TeamDeleteOutput {
  /** False: there are members that still run, or there is no team. */
  success: boolean
  message: string
  team_name?: string
}

const teamDeletePrompt = `Removes your team, its mailboxes and its task list. Members that still run keep it: ask each of them to shut down first (SendMessage, shutdown_request) and await their answers.`

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
