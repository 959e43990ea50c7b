/**
 * What the loop needs from outside, as functions and plain data. The loop imports nothing else: no `node:`, no clock,
 * no fetch. Failures of a port are values, not throws; a port that throws anyway is a bug and ends the turn as one.
 * Other folders import all port types from here; which port a type belongs to only matters inside this folder.
 */
import type { ContentBlockParam, UUID } from '../protocol/content.js'
import type { PermissionPort } from './approval-port.js'
import type { EngineEvent } from './events.js'
import type { HookPort } from './hook-port.js'
import type { ModelPort } from './model-port.js'
import type { ToolPort } from './tool-port.js'

export type * from './approval-port.js'
export type * from './hook-port.js'
export type * from './model-port.js'
export { BUDGET_SPENT } from './model-port.js'
export type * from './tool-port.js'

/** `session_taken_over`: another program has the session now. `session_store_failed`: who keeps it takes no more lines. */
export type SaveFailure = 'session_taken_over' | 'session_store_failed'

export interface EnginePorts {
  model: ModelPort
  tools: ToolPort
  permissions: PermissionPort
  hooks: HookPort
  /** Tells the outside. A promise means: wait, the reader is behind. */
  emit(event: EngineEvent): void | Promise<void>
  /** What has come during the turn and goes out with the next request: words of the user, ends of tasks. Taken once. */
  takeFolded(signal: AbortSignal): Promise<ContentBlockParam[]>
  /** True once the session has spent its budget. */
  overBudget(): boolean
  /** True once the model has had all its tries to answer in the shape that is wanted. */
  gaveUp(): boolean
  /** Replaces the history by a shorter one: when it is near the limit, or because the API said that it is too long.
   *  False when it stays as it is. */
  makeRoom?(why: 'near' | 'too-long', signal: AbortSignal): Promise<boolean>
  /**
   * Resolves when all that was told so far is kept where others can read it, or with why it never will be: nothing may run or
   * be said then. Absent: it always is.
   */
  saved?(): Promise<SaveFailure | undefined>
  /** True once the turn is to stop where another can continue: no further call and no further request begin. */
  yields?(): boolean
  /** Calls that wait for a user while they run. Absent: they end with their process. */
  waits?: {
    /** What earlier processes kept, by the id of the call. */
    kept: ReadonlyMap<string, Record<string, unknown>>
    /** A turn can end with such a call open. */
    canPark: boolean
  }
  /** Calls back every `ms` until the returned function is called. */
  every(ms: number, callback: () => void): () => void
  /** A clock that only goes forward, in ms. Absent: nobody wants to know how long tools take. */
  now?(): number
  uuid(): UUID
}
