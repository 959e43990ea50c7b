/**
 * A task list that a team shares: one file per task in a folder, in the observed shape. Every change is made under one
 * lock, so that agents of several processes see one list.
 */
import type { FileSystem } from '../../platform/files/files.js'
import { join } from '../../platform/paths.js'
import { changeTask, type ListedTask } from './change-task.js'
import { planTaskChangeBy, type TaskActor } from './plan-task-change.js'
import { createListedTask, type TaskListStore } from './task-list-store.js'

export type SharedTaskListPorts = {
  files: Pick<FileSystem, 'entries' | 'readTextSync' | 'replace' | 'remove' | 'makeDirectorySync'>
  whileLocked<T>(path: string, work: () => Promise<T>): Promise<T>
  folder: string
  /** Somebody gave a task to somebody else. */
  onAssigned?(task: ListedTask, by: string): Promise<void>
}

type Tasks = ReadonlyMap<string, ListedTask>

const MAX_TASKS = 10_000
const MAX_BYTES = 16 * 1024 * 1024
/** The highest number that was ever given. */
const MARK = '.highwatermark'

export type SharedTaskList = ReturnType<typeof openSharedTaskList>

export function openSharedTaskList({ files, whileLocked, folder, onAssigned }: SharedTaskListPorts) {
  const locked = <T>(work: () => Promise<T>) => {
    files.makeDirectorySync(folder, 0o700)
    return whileLocked(join(folder, '.lock'), work)
  }
  const load = () => loadTasks(files, folder)
  const save = async (before: Tasks, after: Tasks) => {
    for (const [id, task] of after) {
      if (before.get(id) !== task) await files.replace(join(folder, `${id}.json`), toText(task))
    }
    for (const id of before.keys()) if (!after.has(id)) await files.remove(join(folder, `${id}.json`))
  }
  /** Also those of files that can't be read. */
  const highest = async () => Math.max(readMark(files, folder), ...(await numbersIn(files, folder)))

  return {
    /** The list as one of the team sees and changes it. */
    as: (actor: TaskActor): TaskListStore => ({
      list: async () => [...(await load()).values()].filter(isShown),
      get: async (id) => (await load()).get(id),
      create: (draft) =>
        locked(async () => {
          const tasks = await load()
          const id = String((await highest()) + 1)
          // First, so that a number is not given again whatever happens next.
          await files.replace(join(folder, MARK), `${id}\n`)
          const task = createListedTask(id, draft)
          await save(tasks, new Map([...tasks, [id, task]]))
          return task
        }),
      async update(id, wanted) {
        const result = await locked(async () => {
          const tasks = await load()
          const change = planTaskChangeBy(tasks, id, wanted, actor)
          if ('problem' in change) return { ok: false as const, problem: change.problem }
          const changed = changeTask(tasks, id, change)
          if (changed.ok) await save(tasks, changed.tasks)
          return changed
        })
        if (!result.ok) return result
        const { tasks, ...update } = result
        const task = tasks.get(id)
        const isGiven = update.updatedFields.includes('owner') && task?.owner !== undefined && task.owner !== actor.name
        if (isGiven) await onAssigned?.(task, actor.name)
        return update
      },
    }),
    /** What somebody who is gone had not finished is free again. Returns the tasks that are. */
    releaseAll: (owner: string): Promise<ListedTask[]> =>
      locked(async () => {
        const tasks = await load()
        const mine = [...tasks.values()].filter((task) => task.owner === owner && task.status !== 'completed')
        const free = mine.map(({ owner: _, ...task }): ListedTask => ({ ...task, status: 'pending' }))
        const after = new Map(tasks)
        for (const task of free) after.set(task.id, task)
        await save(tasks, after)
        return free
      }),
  }
}

/** As observed: notes of the program to itself are no tasks of anybody. */
function isShown({ metadata }: ListedTask): boolean {
  return metadata['_internal'] !== true
}

async function loadTasks(files: SharedTaskListPorts['files'], folder: string): Promise<Tasks> {
  const numbers = await numbersIn(files, folder)
  const tasks = numbers.flatMap((id) => readTask(files, join(folder, `${id}.json`), String(id)) ?? [])
  return withBothEnds(new Map(tasks.map((task) => [task.id, task])))
}

async function numbersIn(files: SharedTaskListPorts['files'], folder: string): Promise<number[]> {
  const entries = await files.entries(folder, MAX_TASKS).catch(() => [])
  const numbers = entries.flatMap(({ name }) => /^(\d{1,15})\.json$/.exec(name)?.[1] ?? []).map(Number)
  return numbers.sort((a, b) => a - b)
}

/** A link stands in two files: where a writer died between them the one that has it counts, but not a link to nothing. */
function withBothEnds(tasks: Tasks): Tasks {
  const known = (ids: readonly string[]) => (ids.every((id) => tasks.has(id)) ? ids : ids.filter((id) => tasks.has(id)))
  const next = new Map<string, ListedTask>()
  for (const [id, task] of tasks) {
    next.set(id, { ...task, blocks: known(task.blocks), blockedBy: known(task.blockedBy) })
  }
  const link = (list: 'blocks' | 'blockedBy', id: string, other: string) => {
    const task = next.get(id)
    if (task && !task[list].includes(other)) next.set(id, { ...task, [list]: [...task[list], other] })
  }
  for (const { id, blocks, blockedBy } of tasks.values()) {
    for (const other of blocks) link('blockedBy', other, id)
    for (const other of blockedBy) link('blocks', other, id)
  }
  return next
}

function readTask(files: SharedTaskListPorts['files'], path: string, id: string): ListedTask | undefined {
  try {
    const value: unknown = JSON.parse(files.readTextSync(path, MAX_BYTES))
    if (typeof value !== 'object' || value === null) return undefined
    const fields = value as Record<string, unknown> // any object can be looked into
    const { subject, description, activeForm, owner, status, blocks, blockedBy, metadata } = fields
    if (typeof subject !== 'string' || typeof description !== 'string') return undefined
    return {
      id,
      subject,
      description,
      ...(typeof activeForm === 'string' ? { activeForm } : {}),
      status: status === 'in_progress' || status === 'completed' ? status : 'pending',
      ...(typeof owner === 'string' && owner !== '' ? { owner } : {}),
      blocks: texts(blocks),
      blockedBy: texts(blockedBy),
      metadata: typeof metadata === 'object' && metadata !== null ? { ...metadata } : {},
    }
  } catch {
    // Gone meanwhile, or not written by anybody we know.
    return undefined
  }
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

function toText({
  id,
  subject,
  description,
  activeForm,
  owner,
  status,
  blocks,
  blockedBy,
  metadata,
}: ListedTask): string {
  const task = {
    id,
    subject,
    description,
    activeForm,
    owner,
    status,
    blocks,
    blockedBy,
    ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
  }
  return `${JSON.stringify(task, null, 2)}\n`
}

function readMark(files: SharedTaskListPorts['files'], folder: string): number {
  try {
    const mark = Number(files.readTextSync(join(folder, MARK), MAX_BYTES))
    return Number.isSafeInteger(mark) && mark > 0 ? mark : 0
  } catch {
    return 0
  }
}
