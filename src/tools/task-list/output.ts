/** What the tools of the task list give back to hosts. */

export interface TaskCreateOutput {
  task: { id: string; subject: string }
}

export interface TaskGetOutput {
  /** Null: there is no such task. */
  task: {
    id: string
    subject: string
    description: string
    status: 'pending' | 'in_progress' | 'completed'
    blocks: string[]
    blockedBy: string[]
  } | null
}

export interface TaskUpdateOutput {
  success: boolean
  taskId: string
  /** What is different now. */
  updatedFields: string[]
  error?: string
  statusChange?: { from: string; to: string }
}

export interface TaskListOutput {
  tasks: {
    id: string
    subject: string
    status: 'pending' | 'in_progress' | 'completed'
    owner?: string
    /** Those that are not completed yet. */
    blockedBy: string[]
  }[]
}
