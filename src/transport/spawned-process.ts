/** A started agent process as hosts on Node know it: the protocol only says what is used of one. */
import type { Readable, Writable } from 'node:stream'
import type { AgentProcess } from '../protocol/spawn.js'

/** A started agent process with the streams of Node: a `ChildProcess` fits. */
export interface SpawnedProcess extends AgentProcess {
  /** Where messages are written to. */
  stdin: Writable
  /** Where messages are read from. */
  stdout: Readable
  /** Tells it to end; false when that was not possible. */
  kill(signal: NodeJS.Signals): boolean
  /** Tells when it has ended, or could not be started. */
  on(event: 'exit', listener: (code: number | null, signal: NodeJS.Signals | null) => void): void
  on(event: 'error', listener: (error: Error) => void): void
  /** The same, one time. */
  once(event: 'exit', listener: (code: number | null, signal: NodeJS.Signals | null) => void): void
  once(event: 'error', listener: (error: Error) => void): void
  /** Stops telling. */
  off(event: 'exit', listener: (code: number | null, signal: NodeJS.Signals | null) => void): void
  off(event: 'error', listener: (error: Error) => void): void
}
