/** TaskCreate: puts a task on the list. */
import { defineTool, type Tool } from '../tool.js'
import { subjectOnOneLine, whyEmptySubjectIsRefused } from './subject.js'
import { type TaskCreateInput, type TaskCreateOutput, taskCreateInputSchema } from './task-list-shapes.js'
import type { FindTaskListStore, TaskGuards } from './task-list-store.js'

const taskCreatePrompt = `Puts a task on the list of this session, where you and the user see what is to be done and how far it is.

Use the list for work of three steps or more, or when the user names several things to do. Skip it for a single simple step or a question. A new task is pending and has no owner; set up with TaskUpdate which tasks wait for which.`

export function createTaskCreateTool(stores: FindTaskListStore, guards?: TaskGuards): Tool<TaskCreateInput> {
  return defineTool<TaskCreateInput>({
    name: 'TaskCreate',
    description: taskCreatePrompt,
    inputSchema: taskCreateInputSchema,
    isReadOnly: () => false,
    facts: () => ({ kind: 'none' }),
    check: async ({ subject }) => whyEmptySubjectIsRefused(subject),
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
      return { ok: true, content: `Task #${id} is on the list: ${subjectOnOneLine(subject)}`, output }
    },
  })
}
