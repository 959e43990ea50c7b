/** Regular expressions with a limit on time: a pattern that backtracks without end is stopped instead of hanging everyone. */
import { createContext, Script } from 'node:vm'

/** Runs `match` for at most `ms`; undefined when it was stopped. */
export type TimedMatch = <T>(ms: number, match: () => T) => T | undefined

/** V8 interrupts a regular expression only on behalf of a timed script. One such script serves a whole search. */
export function createTimedMatch(): TimedMatch {
  const world: { run?: () => void } = {}
  createContext(world)
  const script = new Script('run()')
  return (ms, match) => {
    let result: ReturnType<typeof match> | undefined
    world.run = () => {
      result = match()
    }
    try {
      script.runInContext(world, { timeout: ms })
      return result
    } catch (error) {
      // No `instanceof`: the error is a child of the script's own world.
      const code = typeof error === 'object' && error && 'code' in error ? error.code : undefined
      if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined
      throw error
    }
  }
}
