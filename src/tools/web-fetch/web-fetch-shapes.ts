/** What WebFetch takes and gives back. */
import type { InputSchema } from '../input-schema.js'

/** What `WebFetch` takes. */
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

/** What WebFetch gives back to hosts. */
export interface WebFetchOutput {
  /** Size of the page, decompressed; 0 when it only points elsewhere. */
  bytes: number
  /** HTTP status. */
  code: number
  /** The HTTP status in words. */
  codeText: string
  /** The answer to the prompt, or the text of the page where no model answers it. */
  result: string
  /** How long it took. */
  durationMs: number
  /** The address that was asked for. */
  url: string
}
