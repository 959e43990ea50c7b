/**
 * How much our own code does, without a clock: V8 counts how often each block of it runs. What happens inside of a call into
 * Node (a regular expression, a look at the disk) is one step; those who look at files count their looks beside it.
 */
import { Session } from 'node:inspector'
import { setFlagsFromString } from 'node:v8'

type Range = { count: number }
type Script = { url: string; functions: { ranges: Range[] }[] }

export type WorkCounter = {
  /** The steps since the last call, here or there. `run` may return some of its own to be added. */
  count(run: () => unknown): Promise<number>
  /** What was done until now counts for nobody. */
  forget(): void
  close(): void
}

export function countWork(): WorkCounter {
  // What was optimized is not counted where it was inlined: nothing is.
  setFlagsFromString('--max-optimized-bytecode-size=0')
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  /** Since the last call. */
  const take = (): number => {
    let steps = 0
    session.post('Profiler.takePreciseCoverage', (error, coverage) => {
      if (error) throw error
      for (const { url, functions } of coverage.result as Script[]) {
        if (!/\/\.build\/src\/(?!.*test-)/.test(url)) continue
        for (const { ranges } of functions) for (const { count } of ranges) steps += count
      }
    })
    return steps
  }
  return {
    async count(run) {
      const own = await run()
      return take() + (typeof own === 'number' ? own : 0)
    },
    forget: () => void take(),
    close() {
      setFlagsFromString('--max-optimized-bytecode-size=61440')
      session.post('Profiler.stopPreciseCoverage')
      session.disconnect()
    },
  }
}
