/** What TeamDelete is asked for: nothing. */

export const teamDeleteInputSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {},
  additionalProperties: false,
} as const
