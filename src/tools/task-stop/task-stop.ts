/** TaskStop: ends a background task. */
import type { Task } from '../../engine/task-ports.js'
import { noSuchTask } from '../task-output/task-output.js'
import { defineTool, type ToolContext } from '../tool.js'
import { type TaskStopInput, taskStopInputSchema } from './input.js'
import type { TaskStopOutput } from './output.js'
import { taskStopPrompt } from './prompt.js'

export const taskStopTool = defineTool<TaskStopInput>({
  name: 'TaskStop',
  description: taskStopPrompt,
  inputSchema: taskStopInputSchema,
  isReadOnly: () => false,
  facts: () => ({ kind: 'none' }),
  async check(input, context) {
    const found = find(input, context)
    return typeof found === 'string' ? found : undefined
  },
  async execute(input, context) {
    const task = find(input, context)
    if (typeof task === 'string') return { ok: false, error: task, refused: true }
    const over = new AbortController()
    const interrupted = new Promise<void>((resolve) => {
      context.signal.addEventListener('abort', () => resolve(), { signal: over.signal })
    })
    await Promise.race([context.tasks.stop(task), interrupted])
    over.abort()
    if (task.status === 'running') return { ok: false, error: `Interrupted while task ${task.id} was being stopped.` }
    if (task.status !== 'stopped') return { ok: false, error: notRunning(task), refused: true }
    const command = task.command ?? task.description
    const output: TaskStopOutput = {
      message: `Successfully stopped task: ${task.id} (${command})`,
      task_id: task.id,
      task_type: task.type,
      command,
    }
    return { ok: true, content: JSON.stringify(output), output }
  },
})

/** A task that can be stopped, or why there is none. */
function find({ task_id, shell_id }: TaskStopInput, { tasks }: ToolContext): Task | string {
  const id = task_id ?? shell_id
  if (id === undefined) return 'The required parameter `task_id` is missing'
  const task = tasks.find(id)
  if (!task) return noSuchTask(id)
  return task.status === 'running' ? task : notRunning(task)
}

function notRunning({ id, status }: Task): string {
  return `Task ${id} does not run any more: it is ${status}.`
}
