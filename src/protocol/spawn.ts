/**
 * The contracts with callers who reach an agent in a way of their own: a process they start, or a channel. Only shapes: a browser
 * has no `node:stream`.
 */

/** What is used of the stdin of a started process. */
export interface AgentStdin {
  /** False when the other side is behind; `drain` says when it takes more. */
  write(text: string): boolean
  /** Nothing more will be written. */
  end(): unknown
  /** Tells when more can be written, when it is closed, and what went wrong. */
  on(event: 'drain' | 'close', listener: () => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  /** Stops telling. */
  off(event: 'drain' | 'close', listener: () => void): unknown
}

/** What is used of its stdout: chunks of bytes, or of text. */
export interface AgentStdout extends AsyncIterable<Uint8Array | string> {
  /** Reads no more. */
  destroy(): unknown
}

/** What a started agent process must offer; a `ChildProcess` of Node fits as it is. */
export interface AgentProcess {
  /** Where messages are written to. */
  stdin: AgentStdin
  /** Where messages are read from. */
  stdout: AgentStdout
  /** Whether a signal was sent to end it. */
  readonly killed: boolean
  /** How it ended; null while it runs. */
  readonly exitCode: number | null
  /** Tells it to end; false when that was not possible. */
  kill(signal: 'SIGTERM' | 'SIGKILL'): boolean
  /** Tells when it has ended, or could not be started. */
  on(event: 'exit', listener: (code: number | null, signal: string | null) => void): void
  on(event: 'error', listener: (error: Error) => void): void
  /** The same, one time. */
  once(event: 'exit', listener: (code: number | null, signal: string | null) => void): void
  once(event: 'error', listener: (error: Error) => void): void
  /** Stops telling. */
  off(event: 'exit', listener: (code: number | null, signal: string | null) => void): void
  off(event: 'error', listener: (error: Error) => void): void
}

/** What `spawnClaudeCodeProcess` gets to start the agent with. */
export interface SpawnOptions {
  /** The program to start. */
  command: string
  /** Its arguments, each as it is: no shell reads them. */
  args: string[]
  /** The folder to start it in. */
  cwd?: string
  /** Its whole environment. */
  env: { [envVar: string]: string | undefined }
  /** Aborted when the process has to end. */
  signal: AbortSignal
}

/** The connection between the two halves: whole messages, both ways, whatever carries them. */
export interface Channel<Incoming = object, Outgoing = object> {
  /** A promise when the other side is behind; await it before producing more. Ignored once the channel is closed. */
  send(message: Outgoing): void | Promise<void>
  /** Nothing more will be sent. */
  end(): void
  /** For one consumer. Ends when the other side has ended. */
  readonly incoming: AsyncIterable<Incoming>
  /** Called once, when reading and writing are over, even if the other side never ended. Frees resources. */
  close?(): void
}

/** How the agent of a query is to be started, for whoever starts it at the other end of a channel. */
export interface AgentStart {
  /** Its command line: what the options of the query mean. */
  args: string[]
  /** The folder it works in. */
  cwd: string
  /** Its whole environment. */
  env: { [envVar: string]: string | undefined }
  /** Aborted when the query gives the agent up. */
  signal: AbortSignal
}
