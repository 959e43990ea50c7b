/** What Config is asked for. */
import type { InputSchema } from '../input-schema.js'

export interface ConfigInput {
  setting: string
  /** Absent: read it. */
  value?: string | boolean | number
}

export const configInputSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    setting: { description: 'The name of the setting, such as "model".', type: 'string' },
    value: {
      description: 'The new value. Leave it out to read the setting.',
      anyOf: [{ type: 'string' }, { type: 'boolean' }, { type: 'number' }],
    },
  },
  required: ['setting'],
  additionalProperties: false,
} satisfies InputSchema<ConfigInput>
