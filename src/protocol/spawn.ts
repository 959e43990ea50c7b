/** The contract between `query()` and a caller that starts the agent process itself. */
import type { Readable, Writable } from 'node:stream'
import type { StdoutMessage } from './control.js'

/** What a started agent process must offer; a `ChildProcess` fits as it is. */
export interface SpawnedProcess {
  stdin: Writable
  stdout: Readable
  readonly killed: boolean
  readonly exitCode: number | null
  kill(signal: NodeJS.Signals): boolean
  on(event: 'exit', listener: (code: number | null, signal: NodeJS.Signals | null) => void): void
  on(event: 'error', listener: (error: Error) => void): void
  once(event: 'exit', listener: (code: number | null, signal: NodeJS.Signals | null) => void): void
  once(event: 'error', listener: (error: Error) => void): void
  off(event: 'exit', listener: (code: number | null, signal: NodeJS.Signals | null) => void): void
  off(event: 'error', listener: (error: Error) => void): void
}

export interface SpawnOptions {
  command: string
  args: string[]
  cwd?: string
  env: { [envVar: string]: string | undefined }
  signal: AbortSignal
}

/** A connection to an agent program, as text lines in and messages out. */
export interface Transport {
  write(data: string): void | Promise<void>
  close(): void
  isReady(): boolean
  readMessages(): AsyncGenerator<StdoutMessage, void, unknown>
  endInput(): void
}
