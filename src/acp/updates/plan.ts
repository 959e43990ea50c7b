/** The agent's list of steps, from TodoWrite or from the tools of the task list. */
import type { PlanEntry, SessionUpdate } from '@agentclientprotocol/sdk/unstable'
import { isObject } from '../../protocol/json.js'
import type { AcpClientAbilities } from '../acp-client.js'

type Step = { content: string; status: PlanEntry['status'] }

export class PlanTracker {
  readonly #client: AcpClientAbilities
  #todos: Step[] = []
  readonly #tasks = new Map<string, Step>()

  constructor(client: AcpClientAbilities) {
    this.#client = client
  }

  /** After a call of a tool that plans; none: nothing changed. */
  after(name: string, input: Record<string, unknown>, output: unknown): SessionUpdate[] {
    if (!this.#take(name, input, isObject(output) ? output : {})) return []
    const entries = [...this.#todos, ...this.#tasks.values()].map(
      (step): PlanEntry => ({ ...step, priority: 'medium' }),
    )
    if (this.#client.plans) return [{ sessionUpdate: 'plan_update', plan: { type: 'items', planId: 'todos', entries } }]
    return [{ sessionUpdate: 'plan', entries }]
  }

  #take(name: string, input: Record<string, unknown>, output: Record<string, unknown>): boolean {
    switch (name) {
      case 'TodoWrite':
        this.#todos = stepsOf(input['todos'], 'content')
        return true
      case 'TaskCreate': {
        const { task } = output
        if (!isObject(task) || typeof task['id'] !== 'string') return false
        this.#tasks.set(task['id'], { content: String(task['subject'] ?? input['subject'] ?? ''), status: 'pending' })
        return true
      }
      case 'TaskUpdate':
        return this.#change(input)
      case 'TaskList':
        this.#tasks.clear()
        for (const task of listOf(output['tasks'])) this.#tasks.set(String(task['id']), stepOf(task, 'subject'))
        return true
      default:
        return false
    }
  }

  #change({ taskId, status, subject }: Record<string, unknown>): boolean {
    const task = this.#tasks.get(String(taskId))
    if (!task) return false
    if (status === 'deleted') return this.#tasks.delete(String(taskId))
    if (typeof subject === 'string') task.content = subject
    if (isStatus(status)) task.status = status
    return true
  }
}

function stepsOf(steps: unknown, key: string): Step[] {
  return listOf(steps).map((step) => stepOf(step, key))
}

function stepOf(step: Record<string, unknown>, key: string): Step {
  return { content: String(step[key] ?? ''), status: isStatus(step['status']) ? step['status'] : 'pending' }
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

function isStatus(status: unknown): status is PlanEntry['status'] {
  return status === 'pending' || status === 'in_progress' || status === 'completed'
}
