/** What TaskStop gives back to hosts. */

export interface TaskStopOutput {
  message: string
  task_id: string
  task_type: string
  /** The command line, or what the task was called. */
  command?: string
}
