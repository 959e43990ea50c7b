/** Changes to a task list as a pure function: all of a change or nothing, and never a circle of tasks waiting for each other. */
import type { TaskUpdateInput } from './task-list-shapes.js'

/** Never changed in place: an update makes a new one. */
export type ListedTask = {
  readonly id: string
  readonly subject: string
  readonly description: string
  readonly activeForm?: string
  readonly status: 'pending' | 'in_progress' | 'completed'
  readonly owner?: string
  /** Ids of those that wait for this one, and of those it waits for; each list mirrors the other side's. */
  readonly blocks: readonly string[]
  readonly blockedBy: readonly string[]
  readonly metadata: Readonly<Record<string, unknown>>
}

export type TaskChange = Omit<TaskUpdateInput, 'taskId'>

export type TaskUpdateResult =
  | { ok: true; updatedFields: string[]; statusChange?: { from: string; to: string } }
  /** Nothing was changed. */
  | { ok: false; problem: string }

type Tasks = ReadonlyMap<string, ListedTask>
export type TaskChangeOutcome =
  | (Extract<TaskUpdateResult, { ok: true }> & { tasks: Tasks })
  | Extract<TaskUpdateResult, { ok: false }>

export function changeTask(tasks: Tasks, id: string, change: TaskChange): TaskChangeOutcome {
  const task = tasks.get(id)
  if (!task) return { ok: false, problem: `There is no task #${id}` }
  if (change.status === 'deleted') {
    const statusChange = { from: task.status, to: 'deleted' }
    return { ok: true, tasks: without(tasks, id), updatedFields: ['deleted'], statusChange }
  }
  const { changed, fields } = withFields(task, change)
  const linked = withLinks(new Map([...tasks, [id, changed]]), id, change)
  if (typeof linked === 'string') return { ok: false, problem: linked }
  const isLonger = (list: 'blocks' | 'blockedBy') => (linked.get(id)?.[list].length ?? 0) > task[list].length
  return {
    ok: true,
    tasks: linked,
    updatedFields: [...fields, ...(['blocks', 'blockedBy'] as const).filter(isLonger)],
    ...(changed.status === task.status ? {} : { statusChange: { from: task.status, to: changed.status } }),
  }
}

const FIELDS = ['subject', 'description', 'activeForm', 'owner', 'metadata', 'status'] as const

/** The task with everything but its links changed, and the names of what is different. */
function withFields(task: ListedTask, change: TaskChange): { changed: ListedTask; fields: string[] } {
  const { subject, description, activeForm, owner, metadata = {}, status } = change
  const next = {
    subject: subject ?? task.subject,
    description: description ?? task.description,
    activeForm: activeForm ?? task.activeForm,
    owner: owner === undefined ? task.owner : owner || undefined,
    metadata: Object.keys(metadata).length > 0 ? merged(task.metadata, metadata) : task.metadata,
    status: status === undefined || status === 'deleted' ? task.status : status,
  }
  const { activeForm: form, owner: who, ...rest } = { ...task, ...next }
  const changed = {
    ...rest,
    ...(form === undefined ? {} : { activeForm: form }),
    ...(who === undefined ? {} : { owner: who }),
  }
  return { changed, fields: FIELDS.filter((name) => next[name] !== task[name]) }
}

function merged(before: ListedTask['metadata'], change: ListedTask['metadata']): ListedTask['metadata'] {
  const entries = new Map([...Object.entries(before), ...Object.entries(change)])
  // Defines own properties, also for the name `__proto__`.
  return Object.fromEntries([...entries].filter(([, value]) => value !== null))
}

/** The tasks with the links added, or why that can't be. */
function withLinks(tasks: Tasks, id: string, { addBlocks = [], addBlockedBy = [] }: TaskChange): Tasks | string {
  const links = [
    ...addBlocks.map((other) => [id, other] as const),
    ...addBlockedBy.map((other) => [other, id] as const),
  ]
  const next = new Map(tasks)
  for (const [first, then] of links) {
    const [before, after] = [next.get(first), next.get(then)]
    if (!before || !after) return `There is no task #${before ? then : first}`
    if (before.blocks.includes(then)) continue
    if (leadsTo(next, then, first)) return `Task #${then} would wait for #${first}, which waits for #${then} already`
    next.set(first, { ...before, blocks: [...before.blocks, then] })
    next.set(then, { ...after, blockedBy: [...after.blockedBy, first] })
  }
  return next
}

/** Whether `to` waits, directly or not, for `from`. Every task waits for itself. */
function leadsTo(tasks: Tasks, from: string, to: string): boolean {
  const seen = new Set([from])
  for (const id of seen) {
    if (id === to) return true
    for (const next of tasks.get(id)?.blocks ?? []) seen.add(next)
  }
  return false
}

function without(tasks: Tasks, id: string): Tasks {
  const others = [...tasks.values()].filter((task) => task.id !== id)
  const unlinked = (ids: readonly string[]) => (ids.includes(id) ? ids.filter((other) => other !== id) : ids)
  return new Map(others.map((t) => [t.id, { ...t, blocks: unlinked(t.blocks), blockedBy: unlinked(t.blockedBy) }]))
}
