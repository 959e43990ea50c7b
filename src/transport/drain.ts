/** Waits until a stream takes more: one wait for all who ask, so that no listeners pile up on a stream that is behind. */
import type { AgentStdin } from '../protocol/spawn.js'

/** Resolves at the next drain, or when the stream is gone and nobody will ever take more. */
export function createDrainWaiter(): (stream: Pick<AgentStdin, 'on' | 'off'>) => Promise<void> {
  let draining: Promise<void> | undefined
  return (stream) => {
    draining ??= new Promise((resolve) => {
      const done = () => {
        draining = undefined
        stream.off('drain', done)
        stream.off('close', done)
        resolve()
      }
      stream.on('drain', done)
      stream.on('close', done)
    })
    return draining
  }
}
