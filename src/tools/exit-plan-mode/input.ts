/** What ExitPlanMode is asked for. */
import type { InputSchema } from '../input-schema.js'

export interface ExitPlanModeInput {
  /** Kinds of commands the plan needs, in words, to be allowed together with it. */
  allowedPrompts?: { tool: 'Bash'; prompt: string }[]
  [key: string]: unknown
}

export const exitPlanModeInputSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    allowedPrompts: {
      description: 'Kinds of commands the plan needs, in words, for the user to see with it.',
      type: 'array',
      items: {
        type: 'object',
        properties: {
          tool: { description: 'The tool they are run with.', type: 'string', enum: ['Bash'] },
          prompt: {
            description: 'What the commands do, such as "run the tests" or "install dependencies".',
            type: 'string',
          },
        },
        required: ['tool', 'prompt'],
        additionalProperties: false,
      },
    },
  },
  additionalProperties: {},
} satisfies InputSchema<ExitPlanModeInput>
