/** The tasks that run in a session's agent, from what it says of them. A task runs until its end was told. */
import type { SDKMessage } from '../../protocol/messages.js'

export class RunningTasks {
  readonly #ids = new Set<string>()
  /** Those that would end with the agent now, by their ids, in words. */
  readonly #kept = new Map<string, string>()

  get ids(): string[] {
    return [...this.#ids]
  }

  /** What would end with the agent, in words: also a sub-agent that its turn waits for. */
  get descriptions(): string[] {
    return [...this.#kept.values()]
  }

  note(message: SDKMessage): void {
    if (message.type === 'user') this.#noteStart(message.tool_use_result)
    if (message.type === 'result') {
      this.#kept.clear()
      for (const { task_id, description } of message.pending_tasks ?? []) this.#kept.set(task_id, description)
    }
    if (message.type !== 'system') return
    if (message.subtype === 'background_tasks_changed') for (const { task_id: id } of message.tasks) this.#ids.add(id)
    if (message.subtype === 'task_started') this.#kept.set(message.task_id, message.description)
    if (message.subtype === 'task_notification') {
      this.#ids.delete(message.task_id)
      this.#kept.delete(message.task_id)
    }
  }

  /** Its agent has ended. */
  clear(): void {
    this.#ids.clear()
    this.#kept.clear()
  }

  /** A task is described with the result of its turn. Before that, only the result of its call tells of it. */
  #noteStart(result: unknown): void {
    const { backgroundTaskId, status, agentId } = (result ?? {}) as Record<string, unknown> // of any tool
    if (typeof backgroundTaskId === 'string') this.#kept.set(backgroundTaskId, 'a command')
    if (status === 'async_launched' && typeof agentId === 'string') this.#kept.set(agentId, 'a sub-agent')
  }
}
