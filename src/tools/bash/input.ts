/** What Bash is asked for. */
import type { InputSchema } from '../input-schema.js'

export interface BashInput {
  /** The command line, as bash reads it. */
  command: string
  /** Milliseconds to wait for the command, which then goes on in the background; 120000 if left out, at most 600000. */
  timeout?: number
  /** What the command does, in five to ten plain words, for whoever watches. */
  description?: string
  /** Start the command and return at once, without waiting for its end. */
  run_in_background?: boolean
  /** Ask to run outside the sandbox, when one is active. */
  dangerouslyDisableSandbox?: boolean
}

export const bashInputSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    command: { description: 'The command line, as bash reads it.', type: 'string' },
    timeout: {
      description:
        'Milliseconds to wait for the command, which then goes on in the background; 120000 if left out, at most 600000.',
      type: 'number',
    },
    description: {
      description: 'What the command does, in five to ten plain words, for whoever watches.',
      type: 'string',
    },
    run_in_background: {
      description: 'Start the command and return at once, without waiting for its end.',
      type: 'boolean',
    },
    dangerouslyDisableSandbox: {
      description: 'Ask to run outside the sandbox, when one is active.',
      type: 'boolean',
    },
  },
  required: ['command'],
  additionalProperties: false,
} satisfies InputSchema<BashInput>
