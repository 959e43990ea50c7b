/** TaskStop: ends a background task. */
import type { BackgroundTask } from '../../engine/background-port.js'
import { raceWithAbort } from '../../platform/until-aborted.js'
import type { InputSchema } from '../input-schema.js'
import { noSuchTaskText } from '../task-output/task-output.js'
import { defineTool, type ToolContext } from '../tool.js'

/** What `TaskStop` takes. */
export interface TaskStopInput {
  /** The background work to stop. */
  task_id?: string
  /**
   * The same, as older prompts name it.
   *
   * @deprecated Use `task_id`.
   */
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

/** What TaskStop gives back to hosts. */
export interface TaskStopOutput {
  /** What was stopped, as a sentence. */
  message: string
  /** The background work to stop. */
  task_id: string
  /** A command, an agent, and so on. */
  task_type: string
  /** The command line, or what the task was called. */
  command?: string
}

const taskStopPrompt = `Ends a background task, with all processes it started. What it printed stays readable.`

export const taskStopTool = defineTool<TaskStopInput>({
  name: 'TaskStop',
  description: taskStopPrompt,
  inputSchema: taskStopInputSchema,
  hidden: ['shell_id'],
  isReadOnly: () => false,
  facts: () => ({ kind: 'none' }),
  async check(input, context) {
    const found = find(input, context)
    return typeof found === 'string' ? found : undefined
  },
  async execute(input, context) {
    const task = find(input, context)
    if (typeof task === 'string') return { ok: false, error: task, refused: true }
    await raceWithAbort(
      context.signal,
      () => undefined,
      () => context.tasks.stop(task),
    )
    if (task.status === 'running') return { ok: false, error: `Interrupted while task ${task.id} was being stopped.` }
    if (task.status !== 'stopped') return { ok: false, error: notRunning(task), refused: true }
    const command = task.command ?? task.description
    const output: TaskStopOutput = {
      message: `Successfully stopped task: ${task.id} (${command})`,
      task_id: task.id,
      task_type: task.type,
      command,
    }
    return { ok: true, content: `${output.message}. What it printed can still be read with TaskOutput.`, output }
  },
})

/** A task that can be stopped, or why there is none. */
function find({ task_id, shell_id }: TaskStopInput, { tasks }: ToolContext): BackgroundTask | string {
  const id = task_id ?? shell_id
  if (id === undefined) return 'The required parameter `task_id` is missing'
  const task = tasks.find(id)
  if (!task) return noSuchTaskText(id)
  return task.status === 'running' ? task : notRunning(task)
}

function notRunning({ id, status }: BackgroundTask): string {
  return `Task ${id} has already ended: it is ${status}.`
}
