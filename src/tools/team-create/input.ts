/** What TeamCreate is asked for. */
import type { InputSchema } from '../input-schema.js'

export interface TeamCreateInput {
  team_name: string
  /** What the team is for. */
  description?: string
  /** What the lead is in the team, such as `researcher`. */
  agent_type?: string
}

export const teamCreateInputSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    team_name: { description: 'A short name for the team, with letters or digits in it.', type: 'string' },
    description: { description: 'What the team is for.', type: 'string' },
    agent_type: {
      description: 'What you are in the team, such as "researcher"; "team-lead" if left out.',
      type: 'string',
    },
  },
  required: ['team_name'],
  additionalProperties: false,
} satisfies InputSchema<TeamCreateInput>
