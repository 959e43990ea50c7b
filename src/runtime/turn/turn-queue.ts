/** User messages waiting their turn: one after another, or folded into the turn that is running. */
import type { SDKCommandLifecycleMessage } from '../../protocol/messages.js'
import { isFromUser, parseSlashCommand, type UserTurnMessage } from '../messages/user-message.js'

export type TurnQueuePorts = {
  /** Runs one turn to its result. Never throws. */
  run(message: UserTurnMessage): Promise<void>
  lifecycle(message: UserTurnMessage, state: SDKCommandLifecycleMessage['state']): void
  recorded(operation: 'enqueue' | 'dequeue' | 'remove', message: UserTurnMessage): void
}

export type TurnQueue = ReturnType<typeof createTurnQueue>

export function createTurnQueue(ports: TurnQueuePorts, seen: Set<string>) {
  const waiting: UserTurnMessage[] = []
  let folded: UserTurnMessage[] = []
  let running: Promise<void> | undefined
  let closed = false
  let watchers: (() => void)[] = []

  const wake = () => {
    const due = watchers
    watchers = []
    for (const resolve of due) resolve()
  }

  const clear = () => {
    const dropped = waiting.filter(({ canceled }) => !canceled)
    // What was canceled has its result, whatever else is dropped.
    waiting.splice(0, waiting.length, ...waiting.filter(({ canceled }) => canceled))
    for (const message of dropped) ports.lifecycle(message, 'dropped')
    wake()
  }

  const pump = async () => {
    try {
      for (let message = waiting.shift(); message; message = waiting.shift()) {
        ports.recorded('dequeue', message)
        ports.lifecycle(message, 'started')
        wake()
        await ports.run(message)
        ports.lifecycle(message, 'completed')
        for (const extra of folded) ports.lifecycle(extra, 'completed')
        folded = []
      }
    } finally {
      running = undefined
    }
  }

  return {
    /** False: a message with this id was seen before and is dropped. */
    add(message: UserTurnMessage): boolean {
      if (message.uuid !== undefined && seen.has(message.uuid)) return false
      if (message.uuid !== undefined) seen.add(message.uuid)
      if (closed) {
        // The return value reports a dropped task.
        if (!message.task) ports.lifecycle(message, 'dropped')
        return false
      }
      ports.recorded('enqueue', message)
      waiting.push(message)
      if (running) ports.lifecycle(message, 'queued')
      else running = pump()
      return true
    },
    /** The user's waiting messages and ends of tasks, for the running turn to take along. Commands get turns of their own. */
    takeWaiting(): UserTurnMessage[] {
      const taken = waiting.filter(mayBeFolded)
      waiting.splice(0, waiting.length, ...waiting.filter((message) => !mayBeFolded(message)))
      for (const message of taken) {
        ports.recorded('remove', message)
        ports.lifecycle(message, 'started')
      }
      folded.push(...taken)
      wake()
      return taken
    },
    /** Takes back a message that waits. False: it does not, or not any more. */
    cancel(uuid: string): boolean {
      const at = waiting.findIndex((message) => message.uuid === uuid && isFromUser(message))
      const [message] = at < 0 ? [] : waiting.splice(at, 1)
      if (!message) return false
      ports.recorded('remove', message)
      ports.lifecycle(message, 'dropped')
      wake()
      return true
    },
    /** Ids of the user's messages that wait. */
    waitingIds: () => waiting.flatMap((message) => (isFromUser(message) && message.uuid ? [message.uuid] : [])),
    /** Drops what waits. */
    clear,
    /** Drops what waits and takes nothing more. */
    close() {
      closed = true
      clear()
    },
    async idle(): Promise<void> {
      while (running) await running
    },
    /** Messages that wait. */
    size: () => waiting.length,
    /** Resolves when a waiting message was taken. */
    changed: () => new Promise<void>((resolve) => watchers.push(resolve)),
    isBusy: () => running !== undefined,
  }
}

function mayBeFolded(message: UserTurnMessage): boolean {
  return message.task !== undefined || (isFromUser(message) && parseSlashCommand(message.text) === undefined)
}
