/** TaskOutput: what a background task has put out, after waiting for its end or at once. */

import type { BackgroundStatus, BackgroundTask, BackgroundType } from '../../engine/background-port.js'
import { withFirstAbort } from '../../platform/first-abort.js'
import { cutMiddle } from '../bound-output.js'
import type { InputSchema } from '../input-schema.js'
import { type CallContext, defineTool, type ToolContext } from '../tool.js'

/** What `TaskOutput` takes. */
export interface TaskOutputInput {
  /** The background work to look at. */
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
    block: { description: 'Wait for the task to end; true by default.', default: true, type: 'boolean' },
    timeout: {
      description: 'Milliseconds to wait at most; 30000 by default.',
      default: 30000,
      type: 'number',
      minimum: 0,
      maximum: 600000,
    },
  },
  required: ['task_id'],
  additionalProperties: false,
} satisfies InputSchema<Pick<TaskOutputInput, 'task_id'> & Partial<TaskOutputInput>>

export interface TaskOutputOutput {
  /** `not_ready`: it runs, and nobody wanted to wait; `timeout`: it runs, and the time to wait was over. */
  retrieval_status: 'success' | 'not_ready' | 'timeout'
  task: {
    task_id: string
    task_type: BackgroundType
    status: BackgroundStatus
    description: string
    output: string
    /** Null: none, or none yet. */
    exitCode: number | null
  }
}

const taskOutputPrompt = `Shows what a background task has printed so far, and its status.

- It waits for the task to end, up to timeout; set block to false to look at once.
- You are told when a task ends: don't ask again and again.
- Long output loses its beginning; the task's output file has all of it.`

const MAX_OUTPUT = 30_000
const HIGHEST_OUTPUT = 160_000

export const taskOutputTool = defineTool<TaskOutputInput>({
  name: 'TaskOutput',
  description: taskOutputPrompt,
  inputSchema: taskOutputInputSchema,
  isReadOnly: () => true,
  facts: () => ({ kind: 'none' }),
  check: async ({ task_id }, { tasks }) => (tasks.find(task_id) ? undefined : noSuchTaskText(task_id)),
  async execute({ task_id, block, timeout }, context) {
    const task = context.tasks.find(task_id)
    if (!task) return { ok: false, error: noSuchTaskText(task_id), refused: true }
    if (block) await waitFor(task, timeout, context)
    if (context.signal.aborted) return { ok: false, error: `Interrupted. Task ${task_id} is ${task.status}.` }
    // Before the output: a task that ends while that is read must not look ended with half of it.
    const { status, exitCode, reason } = task
    const output: TaskOutputOutput = {
      retrieval_status: status !== 'running' ? 'success' : block ? 'timeout' : 'not_ready',
      task: {
        task_id,
        task_type: task.type,
        status,
        description: task.description,
        output: await task.output(outputLimit(context)),
        exitCode,
      },
    }
    if (status !== 'running') context.tasks.noteTold(task)
    return { ok: true, content: show(output, reason), output }
  },
})

export function noSuchTaskText(id: string): string {
  return `No task found with ID: ${cutMiddle(id, 200)}`
}

/** Until it ended, the time is up, or the call is interrupted. */
async function waitFor(task: BackgroundTask, timeoutMs: number, { platform, signal }: CallContext): Promise<void> {
  if (task.status !== 'running') return
  const over = new AbortController()
  await withFirstAbort([signal, over.signal], undefined, async (end) => {
    await Promise.race([task.ended, platform.clock.sleep(timeoutMs, end)])
    over.abort()
  })
}

function outputLimit({ env }: ToolContext): number {
  const asked = Number(env['TASK_MAX_OUTPUT_LENGTH'])
  return Number.isInteger(asked) && asked > 0 ? Math.min(asked, HIGHEST_OUTPUT) : MAX_OUTPUT
}

function show({ retrieval_status, task }: TaskOutputOutput, reason: string | undefined): string {
  const tags: [name: string, text: string | number | null | undefined][] = [
    ['retrieval_status', retrieval_status],
    ['task_id', task.task_id],
    ['task_type', task.task_type],
    ['status', task.status],
    ['exit_code', task.exitCode],
    ['reason', reason],
    // What a command prints must not be able to end the tag it stands in.
    ['output', task.output.trimEnd() && `\n${task.output.trimEnd().replace(/<(?=\s*\/\s*output)/gi, '&lt;')}\n`],
  ]
  const given = tags.filter(([, text]) => text !== null && text !== undefined && text !== '')
  return given.map(([name, text]) => `<${name}>${text}</${name}>`).join('\n\n')
}
