/** What TaskStop is asked for. */
import type { InputSchema } from '../input-schema.js'

export interface TaskStopInput {
  task_id?: string
  /** @deprecated Use `task_id`. */
  shell_id?: string
}

export const taskStopInputSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    task_id: { description: 'The id of the task.', type: 'string' },
    shell_id: { description: 'Deprecated: use task_id.', type: 'string' },
  },
  additionalProperties: false,
} satisfies InputSchema<TaskStopInput>
