/** A started agent process as hosts on Node know it: the protocol only says what is used of one. */
import type { Readable, Writable } from 'node:stream'
import type { AgentProcess } from '../protocol/spawn.js'

export interface SpawnedProcess extends AgentProcess {
  stdin: Writable
  stdout: Readable
  kill(signal: NodeJS.Signals): boolean
  on(event: 'exit', listener: (code: number | null, signal: NodeJS.Signals | null) => void): void
  on(event: 'error', listener: (error: Error) => void): void
  once(event: 'exit', listener: (code: number | null, signal: NodeJS.Signals | null) => void): void
  once(event: 'error', listener: (error: Error) => void): void
  off(event: 'exit', listener: (code: number | null, signal: NodeJS.Signals | null) => void): void
  off(event: 'error', listener: (error: Error) => void): void
}
