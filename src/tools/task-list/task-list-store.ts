/** Where the task list of a session is kept. */
import type { CallContext, ToolContext } from '../tool.js'
import { changeTask, type ListedTask, type TaskChange, type TaskUpdateResult } from './change-task.js'

export type TaskDraft = Pick<ListedTask, 'subject' | 'description' | 'activeForm'> & {
  metadata?: ListedTask['metadata']
}

export interface TaskListStore {
  /** In the order they were made. */
  list(): Promise<ListedTask[]>
  get(id: string): Promise<ListedTask | undefined>
  /** Ids count up from 1 and are never used again. */
  create(draft: TaskDraft): Promise<ListedTask>
  update(id: string, change: TaskChange): Promise<TaskUpdateResult>
}

/** The list that a call is about: in a team it says who changes it. */
export type FindTaskListStore = (context: ToolContext) => TaskListStore

/** Checks before a task counts as created or completed. Each returns why it doesn't, or undefined. */
export interface TaskGuards {
  created(task: ListedTask, context: CallContext): Promise<string | undefined>
  completed(task: ListedTask, context: CallContext): Promise<string | undefined>
}

/** Lasts as long as the session. */
export function createTaskListStore(): TaskListStore {
  let tasks: ReadonlyMap<string, ListedTask> = new Map()
  let made = 0
  return {
    list: async () => [...tasks.values()],
    get: async (id) => tasks.get(id),
    async create(draft) {
      made += 1
      const task = createListedTask(String(made), draft)
      tasks = new Map([...tasks, [task.id, task]])
      return task
    },
    async update(id, change) {
      const result = changeTask(tasks, id, change)
      if (!result.ok) return result
      const { tasks: changed, ...update } = result
      tasks = changed
      return update
    },
  }
}

export function createListedTask(
  id: string,
  { subject, description, activeForm, metadata = {} }: TaskDraft,
): ListedTask {
  const named = activeForm === undefined ? {} : { activeForm }
  return { id, subject, description, ...named, status: 'pending', blocks: [], blockedBy: [], metadata }
}
