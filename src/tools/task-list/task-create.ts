/** TaskCreate: puts a task on the list. */
import { defineTool, type Tool } from '../tool.js'
import { type TaskCreateInput, taskCreateInputSchema } from './input.js'
import type { TaskCreateOutput } from './output.js'
import { taskCreatePrompt } from './prompt.js'
import type { TaskGuards, TaskStores } from './store.js'
import { oneLine, refuseEmptySubject } from './subject.js'

export function createTaskCreateTool(stores: TaskStores, guards?: TaskGuards): Tool<TaskCreateInput> {
  return defineTool<TaskCreateInput>({
    name: 'TaskCreate',
    description: taskCreatePrompt,
    inputSchema: taskCreateInputSchema,
    isReadOnly: () => false,
    facts: () => ({ kind: 'none' }),
    check: async ({ subject }) => refuseEmptySubject(subject),
    async execute(input, context) {
      const store = stores(context)
      const task = await store.create(input)
      const { id, subject } = task
      const objection = await guards?.created(task, context)
      if (objection !== undefined) {
        await store.update(id, { status: 'deleted' })
        return { ok: false, error: `The task was not made: ${objection}` }
      }
      const output: TaskCreateOutput = { task: { id, subject } }
      return { ok: true, content: `Task #${id} is on the list: ${oneLine(subject)}`, output }
    },
  })
}
