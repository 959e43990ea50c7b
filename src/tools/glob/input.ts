/** What Glob is asked for. */
import type { InputSchema } from '../input-schema.js'

export interface GlobInput {
  /** Which files, such as "**\/*.ts" or "src/{a,b}/*.json". A pattern without a slash means names at any depth. */
  pattern: string
  /** The folder to look in. Leave it out for the working directory. */
  path?: string
}

export const globInputSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    pattern: {
      description:
        'Which files, such as "**/*.ts" or "src/{a,b}/*.json". A pattern without a slash means names at any depth.',
      type: 'string',
    },
    path: { description: 'The folder to look in. Leave it out for the working directory.', type: 'string' },
  },
  required: ['pattern'],
  additionalProperties: false,
} satisfies InputSchema<GlobInput>
