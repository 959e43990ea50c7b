/** What TodoWrite is asked for. */
import type { InputSchema } from '../input-schema.js'

export interface TodoWriteInput {
  /** The whole list as it should be from now on; it replaces the old one. */
  todos: {
    /** @minLength 1 */
    content: string
    status: 'pending' | 'in_progress' | 'completed'
    /** @minLength 1 */
    activeForm: string
  }[]
}

export const todoWriteInputSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    todos: {
      description: 'The whole list as it should be from now on; it replaces the old one.',
      type: 'array',
      items: {
        type: 'object',
        properties: {
          content: { type: 'string', minLength: 1 },
          status: { type: 'string', enum: ['pending', 'in_progress', 'completed'] },
          activeForm: { type: 'string', minLength: 1 },
        },
        required: ['content', 'status', 'activeForm'],
        additionalProperties: false,
      },
    },
  },
  required: ['todos'],
  additionalProperties: false,
} satisfies InputSchema<TodoWriteInput>
