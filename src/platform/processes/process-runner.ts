/** Child processes as a port: what a start is told, what a run gives back, and what the processes of one session can do. */
import type { OutputTaker } from './process-output.js'
import type { ProcessEnd, RunningProcess } from './running-process.js'

export type StartOptions = {
  command: string
  args: readonly string[]
  cwd: string
  /** The whole environment of the child. `PATH` in it says where `command` is looked for. */
  env: Readonly<Record<string, string | undefined>>
  /** stdout and stderr as one, in the order the child wrote them. */
  merge?: boolean
  /** stdout, or both when `merge`, as it comes. */
  onOutput?: OutputTaker
  onErrorOutput?: OutputTaker
  input?: string | Uint8Array
  /** stdin stays open and is written to through `input` of the running process. */
  interactive?: boolean
  /** Opens descriptor 3 for the child to report one line on. */
  report?: boolean
  /** `keep` lets processes that outlive the child run on, until `close`; their output is dropped. Otherwise they are ended. */
  leftovers?: 'end' | 'keep'
  /** No child is made when this was aborted before; afterwards nobody looks at it. */
  unless?: AbortSignal | undefined
}

export type RunOptions = Pick<StartOptions, 'command' | 'args' | 'cwd' | 'env' | 'merge' | 'input' | 'onOutput'> & {
  signal?: AbortSignal
  timeoutMs?: number
  /** Bytes kept of each output, 16 MiB if not said; what happens beyond that is up to `overflow`. */
  maxBytes?: number
  /** `drop-middle` (the default) keeps beginning and end and lets the child go on; `stop` keeps the beginning and ends it. */
  overflow?: 'drop-middle' | 'stop'
}

export type RunResult = Pick<ProcessEnd, 'exitCode' | 'signal'> & {
  timedOut: boolean
  aborted: boolean
  /** Everything, when `merge`; otherwise stdout. */
  stdout: string
  stderr: string
  /** Bytes that `maxBytes` dropped. */
  droppedBytes: number
}

/** The processes of one session. */
export interface ProcessRunner {
  /** Rejects when the child could not be started (ENOENT, EACCES). */
  start(options: StartOptions): Promise<RunningProcess>
  /**
   * Resolves when the child has ended, also by kill, and what it left running has been ended too.
   * Rejects only when it could not be started (ENOENT, EACCES).
   */
  run(options: RunOptions): Promise<RunResult>
  /**
   * A limit on the processes of this user that leaves room for so many more than there were at the first call. Undefined
   * where they can't be counted, no limit binds the user (root), or a lower one does already.
   */
  processLimit(more: number): number | undefined
  /** What runs now no longer keeps our own process alive. */
  unref(): void
  /** Ends everything that was ever started and still runs. Nothing can be started any more. */
  close(): Promise<void>
}
