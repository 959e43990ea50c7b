/** TaskList: shows all tasks of the list. */
import { defineTool, type Tool } from '../tool.js'
import { subjectOnOneLine } from './subject.js'
import { type TaskListOutput, taskListInputSchema } from './task-list-shapes.js'
import type { FindTaskListStore } from './task-list-store.js'

const taskListPrompt = `Lists all tasks with their status, owner, and the unfinished tasks they wait for. A task is free to start when it is pending, has no owner and waits for nothing. Take tasks in the order of their ids unless there is a reason not to.`

export function createTaskListTool(stores: FindTaskListStore): Tool<Record<string, never>> {
  return defineTool<Record<string, never>>({
    name: 'TaskList',
    description: taskListPrompt,
    inputSchema: taskListInputSchema,
    isReadOnly: () => true,
    facts: () => ({ kind: 'none' }),
    async execute(_, context) {
      const all = await stores(context).list()
      const done = new Set(all.filter(({ status }) => status === 'completed').map(({ id }) => id))
      const tasks = all.map(({ id, subject, status, owner, blockedBy }) => ({
        id,
        subject,
        status,
        ...(owner === undefined ? {} : { owner }),
        blockedBy: blockedBy.filter((other) => !done.has(other)),
      }))
      const output: TaskListOutput = { tasks }
      return { ok: true, content: tasks.map(show).join('\n') || 'The list has no tasks.', output }
    },
  })
}

function show({ id, subject, status, owner, blockedBy }: TaskListOutput['tasks'][number]): string {
  const who = owner === undefined ? '' : ` (${subjectOnOneLine(owner)})`
  const waits = blockedBy.length === 0 ? '' : ` [waits for ${blockedBy.map((other) => `#${other}`).join(', ')}]`
  return `#${id} [${status}] ${subjectOnOneLine(subject)}${who}${waits}`
}
