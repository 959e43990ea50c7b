/** What TaskOutput gives back to hosts. */
import type { TaskStatus, TaskType } from '../../engine/task-ports.js'

export interface TaskOutputOutput {
  /** `not_ready`: it runs, and nobody wanted to wait; `timeout`: it runs, and the time to wait was over. */
  retrieval_status: 'success' | 'not_ready' | 'timeout'
  task: {
    task_id: string
    task_type: TaskType
    status: TaskStatus
    description: string
    output: string
    /** Null: none, or none yet. */
    exitCode: number | null
  }
}
