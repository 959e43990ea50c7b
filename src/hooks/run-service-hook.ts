/** Runs a hook that isn't a program, with a limit on its time: a request, a question to a model, an agent, a tool. */
import { messageOf } from '../protocol/thrown.js'
import type { Subscribe } from './listeners.js'
import type { HookRunEnd, RunningHook } from './run-command-hook.js'

/** What came back, as a command would print it. */
export type ServiceAnswer = { printed: string }

export type ServiceRun = {
  /** Rejects if it failed. */
  run(signal: AbortSignal): Promise<ServiceAnswer>
  seconds: number
  onCancel: Subscribe
  after(ms: number, callback: () => void): () => void
}

/** `letGo` does nothing: only commands say that they continue in the background. */
export function runServiceHook({ run, seconds, onCancel, after }: ServiceRun): RunningHook {
  const stop = new AbortController()
  const ended = new Promise<HookRunEnd>((resolve) => {
    const end = (how: HookRunEnd) => {
      stopTimer()
      unsubscribe()
      resolve(how)
      stop.abort()
    }
    const stopTimer = after(seconds * 1000, () => end({ service: '', failed: `it took longer than ${seconds} s` }))
    const unsubscribe = onCancel(() => end({ canceled: true }))
    run(stop.signal).then(
      ({ printed }) => end({ service: printed }),
      (error: unknown) => end({ service: '', failed: messageOf(error) }),
    )
  })
  return { ended, letGo: () => {} }
}
