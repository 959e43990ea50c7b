/** Rules for a task list that several agents share: no task is claimed twice, and none starts before its time. */
import type { ListedTask, TaskChange } from './change-task.js'

export type TaskActor = {
  name: string
  /** May hand any task to anybody. */
  leads: boolean
}

/** The change as it is to be made by `actor`, or why it must not be. */
export function planTaskChangeBy(
  tasks: ReadonlyMap<string, ListedTask>,
  id: string,
  change: TaskChange,
  actor: TaskActor,
): TaskChange | { problem: string } {
  const task = tasks.get(id)
  if (!task) return change
  const { owner } = task
  const takes = change.owner !== undefined || change.status !== undefined
  if (takes && !actor.leads && owner !== actor.name) {
    if (task.status === 'completed') return { problem: `Task #${id} is done` }
    if (owner !== undefined)
      return { problem: `Task #${id} belongs to ${owner}. Take another one, or agree with ${owner} by SendMessage` }
  }
  if (change.status === 'in_progress' || change.status === 'completed') {
    const waits = task.blockedBy.filter((other) => tasks.get(other)?.status !== 'completed')
    if (waits.length > 0) return { problem: `Task #${id} waits for ${waits.map((other) => `#${other}`).join(', ')}` }
  }
  // As observed: who starts a task that nobody has becomes its owner.
  const begins = change.status === 'in_progress' && owner === undefined && change.owner === undefined && !actor.leads
  return begins ? { ...change, owner: actor.name } : change
}
