/** What Skill is asked for. */
import type { InputSchema } from '../input-schema.js'

export interface SkillInput {
  /** The name of the skill. */
  skill: string
  /** What to pass to it. */
  args?: string
}

export const skillInputSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    skill: { description: 'The name of the skill, such as "review" or "plugin:review".', type: 'string' },
    args: { description: 'What to pass to the skill, if it takes anything.', type: 'string' },
  },
  required: ['skill'],
  additionalProperties: false,
} satisfies InputSchema<SkillInput>
