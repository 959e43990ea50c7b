/** The processes of a workspace: what Bash and hook commands need to start, read and end one. */

/** A promise means: wait with the rest. */
export type OutputTaker = (chunk: Uint8Array) => void | Promise<void>

export type StartProcessOptions = {
  command: string
  args: readonly string[]
  /** The index in `args` of a Bash script. A statement can be inserted at the start of its first line. */
  scriptAt?: number
  cwd: string
  /** Where `cwd` led, links followed, when the command was judged: the child starts in this very folder, or not at all
   *  (`ELOOP`: it was moved, or a link took its place; `ENOENT`: it is gone). */
  judgedCwd?: string
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
  /** If it is aborted before the start, no child is made. After the start it has no effect. */
  unless?: AbortSignal | undefined
}

export interface ProcessInput {
  /** Returns a promise if the child is behind: wait for it. It also resolves if the text will never be read. */
  write(text: string): Promise<void> | undefined
  /** The child reads the end; most take it as a sign to go. */
  close(): void
  readonly closed: boolean
}

export type ProcessEnd = {
  /** Null when a signal ended the child. */
  exitCode: number | null
  signal: string | null
  /** What the child wrote to descriptor 3, when `report`. */
  report: string
  /** Processes that were left running, were too many, and were ended. */
  endedLeftovers: number
}

export interface RunningProcess {
  readonly pid: number
  /** Never rejects. Resolves when nothing of it runs, except for leftovers that may stay. */
  readonly ended: Promise<ProcessEnd>
  /** Ends it with everything it started. Politely: a signal it can react to, force half a second later. */
  end(how: 'politely' | 'at once'): void
  /** The input of a child that was started as `interactive`. */
  readonly input?: ProcessInput
  /** It no longer keeps our own process alive. */
  unref(): void
}

export type RunProcessOptions = Pick<
  StartProcessOptions,
  'command' | 'args' | 'cwd' | 'env' | 'merge' | 'input' | 'onOutput'
> & {
  signal?: AbortSignal
  timeoutMs?: number
  /** Bytes kept of each output, 16 MiB if not said; what happens beyond that is up to `overflow`. */
  maxBytes?: number
  /**
   * `drop-middle` (the default) keeps the beginning and the end, and the child continues. `stop` keeps the beginning
   * and ends the child.
   */
  overflow?: 'drop-middle' | 'stop'
}

export type ProcessRunResult = Pick<ProcessEnd, 'exitCode' | 'signal'> & {
  timedOut: boolean
  aborted: boolean
  /** Everything, when `merge`; otherwise stdout. */
  stdout: string
  stderr: string
  /** Bytes that `maxBytes` dropped. */
  droppedBytes: number
}

/** Runs the programs of a session, on whatever machine its files are. */
export interface WorkspaceProcesses {
  /** Rejects when the child could not be started (ENOENT, EACCES). */
  start(options: StartProcessOptions): Promise<RunningProcess>
  /** Ends everything that was ever started and still runs. Nothing can be started any more. */
  close(): Promise<void>
  /**
   * Resolves when the child has ended, also by kill, and what it left running has been ended too. Rejects only when it
   * could not be started. Made from `start` if it is not there.
   */
  run?(options: RunProcessOptions): Promise<ProcessRunResult>
  /**
   * Returns a limit on this user's processes: `more` than there were at the first call. Undefined if they can't be
   * counted, if no limit applies to the user (root), or if a lower one already applies.
   */
  processLimit?(more: number): number | undefined
  /** What runs now no longer keeps our own process alive. */
  unref?(): void
}
