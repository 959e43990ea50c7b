/** The agent's list of steps, from TodoWrite or from the tools of the task list. */
import { isObject } from '../protocol/json.js'
import type { ViewCallResult, ViewTodo } from './view-items.js'
import type { ViewStep } from './view-state.js'

type PlanningCall = { name: string; input: Record<string, unknown>; result: ViewCallResult | undefined }

/** After a call that changed the list, a new list is in the view. */
export function updateTodosAfterCall({ view }: ViewStep, { name, input, result }: PlanningCall): void {
  const { steps } = view.open
  const output = isObject(result?.detail) ? result.detail : {}
  switch (name) {
    case 'TodoWrite':
      for (const key of steps.keys()) if (key.startsWith('todo-')) steps.delete(key)
      for (const [n, todo] of listOf(input['todos']).entries()) steps.set(`todo-${n}`, stepOf(todo, 'content'))
      break
    case 'TaskCreate': {
      const { task } = output
      if (!isObject(task) || typeof task['id'] !== 'string') return
      const content = String(task['subject'] ?? input['subject'] ?? '')
      steps.set(task['id'], { content, ...activeFormOf(input), status: 'pending' })
      break
    }
    case 'TaskUpdate':
      if (!changeStep(steps, input)) return
      break
    case 'TaskList':
      for (const key of steps.keys()) if (!key.startsWith('todo-')) steps.delete(key)
      for (const task of listOf(output['tasks'])) steps.set(String(task['id']), stepOf(task, 'subject'))
      break
    default:
      return
  }
  const all = [...steps]
  const isTodo = ([key]: [string, ViewTodo]) => key.startsWith('todo-')
  view.todos = [...all.filter(isTodo), ...all.filter((step) => !isTodo(step))].map(([, step]) => step)
}

function changeStep(steps: Map<string, ViewTodo>, input: Record<string, unknown>): boolean {
  const { taskId, status, subject } = input
  const step = steps.get(String(taskId))
  if (!step) return false
  if (status === 'deleted') return steps.delete(String(taskId))
  steps.set(String(taskId), {
    ...step,
    ...activeFormOf(input),
    content: typeof subject === 'string' ? subject : step.content,
    status: isStepStatus(status) ? status : step.status,
  })
  return true
}

function stepOf(step: Record<string, unknown>, key: string): ViewTodo {
  const status = isStepStatus(step['status']) ? step['status'] : 'pending'
  return { content: String(step[key] ?? ''), ...activeFormOf(step), status }
}

function activeFormOf({ activeForm }: Record<string, unknown>): Pick<ViewTodo, 'activeForm'> {
  return typeof activeForm === 'string' && activeForm !== '' ? { activeForm } : {}
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

function isStepStatus(status: unknown): status is ViewTodo['status'] {
  return status === 'pending' || status === 'in_progress' || status === 'completed'
}
