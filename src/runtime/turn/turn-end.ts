/** What becomes of background work when a turn is over: it is waited for, let go of, or canceled; and for how long at most. */

import type { BackgroundTable } from '../../background/background-table.js'
import type { BackgroundTask } from '../../engine/background-port.js'
import type { Clock } from '../../platform/clock.js'
import type { Options } from '../../protocol/options.js'
import type { UserTurnMessage } from '../messages/user-message.js'

export type TurnEndPorts = {
  settings: { onTurnEnd: NonNullable<Options['onTurnEnd']>; backgroundCeilingMs: number | null }
  clock: Clock
  table: BackgroundTable
  /** The tasks that somebody has to wait for. */
  busy(): readonly BackgroundTask[]
  /** Keep no process alive from here on. */
  letGo(): void
  submit(message: UserTurnMessage): boolean
}

export type TurnEndBackgroundPolicy = ReturnType<typeof createTurnEndBackgroundPolicy>

export function createTurnEndBackgroundPolicy({ settings, clock, table, busy, letGo, submit }: TurnEndPorts) {
  const { onTurnEnd, backgroundCeilingMs: ceiling } = settings
  let stopClock: (() => void) | undefined

  const disarm = () => {
    stopClock?.()
    stopClock = undefined
  }
  const cancel = (reason: string) => {
    const tasks = table.running()
    if (tasks.length === 0) return
    // At once, whatever runs or waits: only the result has to wait for its turn.
    const over = table.stopAll(reason)
    submit({ uuid: undefined, content: '', blocks: [], text: '', canceled: { reason, tasks, over } })
  }

  return {
    /** The last turn for now is over. True: the session is idle, although work may continue. */
    atRest(): boolean {
      if (busy().length === 0) {
        disarm()
        return true
      }
      if (onTurnEnd === 'cancel') {
        cancel("onTurnEnd is 'cancel'")
        return false
      }
      if (ceiling !== null) {
        stopClock ??= clock.everyInBackground(ceiling, () => {
          disarm()
          cancel(`it went on longer than backgroundCeilingMs, ${ceiling} ms`)
        })
      }
      if (onTurnEnd === 'wait') return false
      letGo()
      return true
    },
    /** A message of the user: the time counts from the end of its turn. */
    disarm,
  }
}
