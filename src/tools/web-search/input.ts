/** What WebSearch is asked for. */
import type { InputSchema } from '../input-schema.js'

export interface WebSearchInput {
  /** What to search for. */
  query: string
  /** Only pages of these domains. */
  allowed_domains?: string[]
  /** No pages of these domains. */
  blocked_domains?: string[]
}

export const webSearchInputSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    query: { description: 'What to search for.', type: 'string', minLength: 2 },
    allowed_domains: {
      description: 'Only pages of these domains, such as "example.com".',
      type: 'array',
      items: { type: 'string' },
    },
    blocked_domains: {
      description: 'No pages of these domains. Not together with allowed_domains.',
      type: 'array',
      items: { type: 'string' },
    },
  },
  required: ['query'],
  additionalProperties: false,
} satisfies InputSchema<WebSearchInput>
