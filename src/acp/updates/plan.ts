/** The agent's list of steps, as clients show it. */
import type { PlanEntry, SessionUpdate } from '@agentclientprotocol/sdk/unstable'
import type { ViewTodo } from '../../view/view-items.js'
import type { AcpClientAbilities } from '../acp-client.js'

export function todosToPlanUpdate({ plans }: AcpClientAbilities, todos: readonly ViewTodo[]): SessionUpdate {
  const entries = todos.map(({ content, status }): PlanEntry => ({ content, status, priority: 'medium' }))
  if (!plans) return { sessionUpdate: 'plan', entries }
  return { sessionUpdate: 'plan_update', plan: { type: 'items', planId: 'todos', entries } }
}
