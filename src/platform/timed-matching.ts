/** Regular expressions with a limit on time: a pattern that backtracks without end is stopped instead of hanging everyone. */
import { createContext, Script } from 'node:vm'

/** Runs `match` for at most `ms`; undefined when it was stopped. V8 can interrupt a regular expression only from a timed script. */
export function matchWithin<T>(ms: number, match: () => T): T | undefined {
  let result: T | undefined
  const run = () => {
    result = match()
  }
  try {
    new Script('run()').runInContext(createContext({ run }), { timeout: ms })
    return result
  } catch (error) {
    // No `instanceof`: the error is a child of the script's own world.
    if (typeof error === 'object' && error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined
    throw error
  }
}
