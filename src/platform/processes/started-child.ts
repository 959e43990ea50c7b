/** A child, whoever started it: we ourselves, or the starter. */
import type { ChildProcess } from 'node:child_process'
import type { ProcessEnd } from './process-runner.js'

export type ExitStatus = Pick<ProcessEnd, 'exitCode' | 'signal'>

export interface StartedChild {
  readonly pid: number
  /** `lost`: nobody can tell any more how it ends, or whether it has. */
  readonly exited: Promise<ExitStatus | 'lost'>
  /** From then on its number may become somebody else's. */
  isOver(): boolean
  kill(): void
  /** Nobody stays for it. */
  unref(): void
}

export function wrapChild(child: ChildProcess, pid: number): StartedChild {
  return {
    pid,
    exited: new Promise((resolve) => {
      child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }))
    }),
    isOver: () => child.exitCode !== null || child.signalCode !== null,
    kill: () => void child.kill('SIGKILL'),
    unref: () => child.unref(),
  }
}
