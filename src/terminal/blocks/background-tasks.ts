/** Work in the background of a session. */
import type { ViewTask } from '../../view/view-items.js'
import type { SessionView } from '../../view/view-state.js'

/** Returns the tasks that run in the background now. */
export function backgroundTasks({ tasks }: Pick<SessionView, 'tasks'>): ViewTask[] {
  return tasks.filter(({ status, isUnlisted }) => status === 'running' && isUnlisted !== true)
}
