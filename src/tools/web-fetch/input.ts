/** What WebFetch is asked for. */
import type { InputSchema } from '../input-schema.js'

export interface WebFetchInput {
  /** The address of the page, with http or https. */
  url: string
  /** What to find out from the page. */
  prompt: string
}

export const webFetchInputSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    url: { description: 'The address of the page, with http or https.', type: 'string', format: 'uri' },
    prompt: { description: 'What to find out from the page.', type: 'string' },
  },
  required: ['url', 'prompt'],
  additionalProperties: false,
} satisfies InputSchema<WebFetchInput>
