/** For tests of commands without a shell: a process that prints, reports and ends when the test says so, and a clock to wind. */
import assert from 'node:assert/strict'
import type { Clock } from '../../platform/clock.js'
import type { ProcessEnd, RunningProcess, StartProcessOptions } from '../../platform/processes/processes.js'
import type { CallContext } from '../tool.js'

export type FakeShell = {
  context: CallContext
  /** What was started, in order. */
  started: StartProcessOptions[]
  /** How it was asked to end, in order. */
  asked: ('politely' | 'at once')[]
  print(text: string): void | Promise<void>
  end(how?: Partial<ProcessEnd>): void
  /** Lets the time pass that the call waits for. */
  timeOut(): void
  /** How long timers were set for. */
  timers: number[]
}

export type FakeShellOptions = {
  /** In place of starting: the errors of the first starts. */
  failures?: unknown[]
  /** What asking it to end does; if left out, it ends by that. */
  onEnd?: (how: 'politely' | 'at once') => void
  processLimit?: number
}

export function createFakeShell(context: CallContext, options: FakeShellOptions = {}): FakeShell {
  const started: StartProcessOptions[] = []
  const asked: ('politely' | 'at once')[] = []
  const timers: number[] = []
  const callbacks = new Set<() => void>()
  const failures = [...(options.failures ?? [])]
  let resolve: (end: ProcessEnd) => void = () => {}
  const ended = new Promise<ProcessEnd>((done) => {
    resolve = done
  })
  const end = (how: Partial<ProcessEnd> = {}) =>
    resolve({ exitCode: 0, signal: null, report: '', endedLeftovers: 0, ...how })
  const running: RunningProcess = {
    pid: 1,
    ended,
    end(how) {
      asked.push(how)
      if (options.onEnd) options.onEnd(how)
      else end({ exitCode: null, signal: how === 'politely' ? 'SIGTERM' : 'SIGKILL' })
    },
    unref: () => {},
  }
  const clock: Clock = {
    ...context.platform.clock,
    after(ms, callback) {
      timers.push(ms)
      callbacks.add(callback)
      return () => callbacks.delete(callback)
    },
    atMost: async <T>(_: number, work: Promise<T>) => work,
  }
  const processes = {
    ...context.platform.processes,
    processLimit: () => options.processLimit,
    async start(how: StartProcessOptions) {
      started.push(how)
      const failure = failures.shift()
      if (failure !== undefined) throw failure
      return running
    },
  }
  return {
    context: { ...context, platform: { ...context.platform, clock, processes } },
    started,
    asked,
    timers,
    end,
    print: (text) => (started.at(-1)?.onOutput ?? assert.fail('nothing was started'))(new TextEncoder().encode(text)),
    timeOut() {
      for (const callback of [...callbacks]) callback()
    },
  }
}

/** Lets everything that can continue without outside help continue, files included. */
export async function untilFakeShellStarted(shell: FakeShell): Promise<void> {
  while (shell.started.length === 0) await new Promise((resolve) => setImmediate(resolve))
}
