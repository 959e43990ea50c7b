/** What TaskOutput is asked for. */
import type { InputSchema } from '../input-schema.js'

export interface TaskOutputInput {
  task_id: string
  /** Wait for the task to end. */
  block: boolean
  /** Milliseconds to wait at most. */
  timeout: number
}

export const taskOutputInputSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    task_id: { description: 'The id of the task.', type: 'string' },
    block: { description: 'Wait for the task to end; true if left out.', default: true, type: 'boolean' },
    timeout: {
      description: 'Milliseconds to wait at most; 30000 if left out.',
      default: 30000,
      type: 'number',
      minimum: 0,
      maximum: 600000,
    },
  },
  required: ['task_id', 'block', 'timeout'],
  additionalProperties: false,
} satisfies InputSchema<TaskOutputInput>
