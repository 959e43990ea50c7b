/** TaskUpdate: changes a task of the list. */
import { cutMiddle } from '../bound-output.js'
import { defineTool, type Tool } from '../tool.js'
import { whyEmptySubjectIsRefused } from './subject.js'
import { type TaskUpdateInput, type TaskUpdateOutput, taskUpdateInputSchema } from './task-list-shapes.js'
import type { FindTaskListStore, TaskGuards } from './task-list-store.js'

const taskUpdatePrompt = `Changes a task of the list.

- Set status to in_progress when you start, and to completed as soon as the task is really done: not when tests fail or parts are missing.
- addBlockedBy and addBlocks say which tasks wait for which. Tasks cannot wait for each other in a circle.
- deleted takes a task off the list for good.`

export function createTaskUpdateTool(stores: FindTaskListStore, guards?: TaskGuards): Tool<TaskUpdateInput> {
  return defineTool<TaskUpdateInput>({
    name: 'TaskUpdate',
    description: taskUpdatePrompt,
    inputSchema: taskUpdateInputSchema,
    isReadOnly: () => false,
    facts: () => ({ kind: 'none' }),
    check: async ({ subject }) => whyEmptySubjectIsRefused(subject),
    async execute({ taskId, ...change }, context) {
      const store = stores(context)
      const task = change.status === 'completed' ? await store.get(taskId) : undefined
      const objection = task && task.status !== 'completed' ? await guards?.completed(task, context) : undefined
      if (objection !== undefined) return { ok: false, error: `The task is not done yet: ${objection}` }
      const result = await store.update(taskId, change)
      if (!result.ok) {
        const error = `${cutMiddle(result.problem, 500)}. Nothing was changed.`
        const output: TaskUpdateOutput = { success: false, taskId, updatedFields: [], error }
        // As observed: told in the result, not by an error.
        return { ok: true, content: error, output }
      }
      const { updatedFields, statusChange } = result
      const output: TaskUpdateOutput = {
        success: true,
        taskId,
        updatedFields,
        ...(statusChange ? { statusChange } : {}),
      }
      const what = updatedFields.length > 0 ? `Updated task #${taskId}: ${updatedFields.join(', ')}` : undefined
      return { ok: true, content: what ?? `Task #${taskId} is as it was: nothing to change.`, output }
    },
  })
}
