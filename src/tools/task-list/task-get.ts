/** TaskGet: shows one task of the list. */
import { cutMiddle } from '../bound-output.js'
import { defineTool, type Tool } from '../tool.js'
import type { ListedTask } from './change-task.js'
import { subjectOnOneLine } from './subject.js'
import { type TaskGetInput, type TaskGetOutput, taskGetInputSchema } from './task-list-shapes.js'
import type { FindTaskListStore } from './task-list-store.js'

const taskGetPrompt = `Shows one task of the list in full: its description, its status, what it waits for and what waits for it. Read it before you start on a task.`

export function createTaskGetTool(stores: FindTaskListStore): Tool<TaskGetInput> {
  return defineTool<TaskGetInput>({
    name: 'TaskGet',
    description: taskGetPrompt,
    inputSchema: taskGetInputSchema,
    isReadOnly: () => true,
    facts: () => ({ kind: 'none' }),
    async execute({ taskId }, context) {
      const task = await stores(context).get(taskId)
      const output: TaskGetOutput = { task: task ? toOutput(task) : null }
      return { ok: true, content: task ? show(task) : `There is no task #${cutMiddle(taskId, 200)}`, output }
    },
  })
}

function toOutput({ id, subject, description, status, blocks, blockedBy }: ListedTask): TaskGetOutput['task'] {
  return { id, subject, description, status, blocks: [...blocks], blockedBy: [...blockedBy] }
}

function show(task: ListedTask): string {
  const list = (ids: readonly string[]) => ids.map((id) => `#${id}`).join(', ')
  return [
    `Task #${task.id}: ${subjectOnOneLine(task.subject)}`,
    `Status: ${task.status}`,
    ...(task.owner === undefined ? [] : [`Owner: ${subjectOnOneLine(task.owner)}`]),
    ...(task.blockedBy.length > 0 ? [`Waits for: ${list(task.blockedBy)}`] : []),
    ...(task.blocks.length > 0 ? [`Waited for by: ${list(task.blocks)}`] : []),
    ...(Object.keys(task.metadata).length > 0 ? [`Metadata: ${JSON.stringify(task.metadata)}`] : []),
    `Description: ${task.description}`,
  ].join('\n')
}
