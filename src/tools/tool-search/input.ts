/** What ToolSearch is asked for. */
import type { InputSchema } from '../input-schema.js'

export interface ToolSearchInput {
  /** Words to look for, or `select:` with names of tools. */
  query: string
  /** How many tools to find at most. */
  max_results: number
}

export const toolSearchInputSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    query: {
      description: 'Words to look for, "+word" for one that must be there, or "select:A,B" to take tools by name.',
      type: 'string',
    },
    max_results: { description: 'How many tools to find at most; 5 if left out.', default: 5, type: 'number' },
  },
  required: ['query', 'max_results'],
  additionalProperties: false,
} satisfies InputSchema<ToolSearchInput>
