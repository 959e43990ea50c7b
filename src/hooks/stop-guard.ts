/** Ends a loop in which a stop hook sends the model back for ever. */
import type { StopVerdict } from '../engine/ports.js'

/** Blocks in a row without a single tool call in between. */
const MAX_IDLE = 20
/** Blocks in one turn, whatever the model does in between. */
const MAX_ALL = 500

export function createStopLoopGuard(inform: (text: string) => void) {
  let idle = 0
  let all = 0
  return {
    /** The model is calling a tool. */
    working() {
      idle = 0
    },
    /** `active`: this turn was blocked before. */
    check(verdict: StopVerdict, active: boolean): StopVerdict {
      if (!active) {
        idle = 0
        all = 0
      }
      if (verdict.block === undefined) return verdict
      idle += 1
      all += 1
      if (idle <= MAX_IDLE && all <= MAX_ALL) return verdict
      inform(
        idle > MAX_IDLE
          ? `Stop hooks sent the model back ${MAX_IDLE} times without a tool call in between. The turn ends here. A hook can see in stop_hook_active that it has blocked before.`
          : `Stop hooks sent the model back ${MAX_ALL} times. The turn ends here.`,
      )
      const { block: _, ...rest } = verdict
      return rest
    },
  }
}
