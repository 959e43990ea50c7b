/** The contract between `query()` and a caller that starts the agent process itself. Only shapes: a browser has no `node:stream`. */

/** What is used of the stdin of a started process. */
export interface AgentStdin {
  /** False when the other side is behind; `drain` says when it takes more. */
  write(text: string): boolean
  end(): unknown
  on(event: 'drain' | 'close', listener: () => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  off(event: 'drain' | 'close', listener: () => void): unknown
}

/** What is used of its stdout: chunks of bytes, or of text. */
export interface AgentStdout extends AsyncIterable<Uint8Array | string> {
  destroy(): unknown
}

/** What a started agent process must offer; a `ChildProcess` of Node fits as it is. */
export interface AgentProcess {
  stdin: AgentStdin
  stdout: AgentStdout
  readonly killed: boolean
  readonly exitCode: number | null
  kill(signal: 'SIGTERM' | 'SIGKILL'): boolean
  on(event: 'exit', listener: (code: number | null, signal: string | null) => void): void
  on(event: 'error', listener: (error: Error) => void): void
  once(event: 'exit', listener: (code: number | null, signal: string | null) => void): void
  once(event: 'error', listener: (error: Error) => void): void
  off(event: 'exit', listener: (code: number | null, signal: string | null) => void): void
  off(event: 'error', listener: (error: Error) => void): void
}

export interface SpawnOptions {
  command: string
  args: string[]
  cwd?: string
  env: { [envVar: string]: string | undefined }
  signal: AbortSignal
}
