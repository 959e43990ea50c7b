/** TaskCreate: puts a task on the list. */
import { defineTool, type Tool } from '../tool.js'
import { type TaskCreateInput, taskCreateInputSchema } from './input.js'
import type { TaskCreateOutput } from './output.js'
import { taskCreatePrompt } from './prompt.js'
import type { TaskListStore } from './store.js'
import { oneLine, refuseEmptySubject } from './subject.js'

export function createTaskCreateTool(store: TaskListStore): Tool<TaskCreateInput> {
  return defineTool<TaskCreateInput>({
    name: 'TaskCreate',
    description: taskCreatePrompt,
    inputSchema: taskCreateInputSchema,
    isReadOnly: () => false,
    facts: () => ({ kind: 'none' }),
    check: async ({ subject }) => refuseEmptySubject(subject),
    async execute(input) {
      const { id, subject } = await store.create(input)
      const output: TaskCreateOutput = { task: { id, subject } }
      return { ok: true, content: `Task #${id} is on the list: ${oneLine(subject)}`, output }
    },
  })
}
