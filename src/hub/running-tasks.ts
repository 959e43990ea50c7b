/** The tasks that run in a session's agent, from what it says of them. A task runs until its end was told. */
import type { SDKMessage } from '../protocol/messages.js'

export class RunningTasks {
  readonly #ids = new Set<string>()

  get ids(): string[] {
    return [...this.#ids]
  }

  note(message: SDKMessage): void {
    if (message.type !== 'system') return
    if (message.subtype === 'background_tasks_changed') for (const { task_id: id } of message.tasks) this.#ids.add(id)
    if (message.subtype === 'task_notification') this.#ids.delete(message.task_id)
  }

  /** Its agent has ended. */
  clear(): void {
    this.#ids.clear()
  }
}
