/** Child processes, as a port: argument vectors only, own process group, output in order, killed as a group. */

export type RunOptions = {
  command: string
  args: readonly string[]
  cwd: string
  /** The whole environment of the child. */
  env: Readonly<Record<string, string | undefined>>
  signal?: AbortSignal
  timeoutMs?: number
  /** stdout and stderr in the order the child wrote them; the same chunks go to `onOutput` as they come. */
  merge?: boolean
  onOutput?(chunk: string): void
  /** Bytes kept of the output; the middle is dropped beyond that. */
  maxBytes?: number
  input?: string | Uint8Array
}

export type RunResult = {
  exitCode: number | null
  signal: string | null
  timedOut: boolean
  aborted: boolean
  /** Everything, when `merge`; otherwise stdout. */
  stdout: string
  stderr: string
  /** Bytes that `maxBytes` dropped. */
  droppedBytes: number
}

export interface ProcessRunner {
  /** Resolves when the child has ended, also by kill. Rejects only when it could not be started (ENOENT, EACCES). */
  run(options: RunOptions): Promise<RunResult>
}
