/** What answers to control requests need of the session and of whoever serves it. */
import type { Session } from '../runtime/session.js'

export type ControlContext = {
  session: Session
  /** Once: a second `initialize` only describes the session again. */
  initialized: boolean
  /** When the session began, by a clock that never goes back. */
  began: number
  /** Aborted when nothing more will come of the host. */
  over: AbortSignal
  /** Questions about calls that the host hasn't answered yet. */
  openAsks(): object[]
  /** Ends the session after the answer has gone out. */
  end(): Promise<void>
  /** Ends it with an error result: it can't be what the host asked for. */
  refuse(message: string, code: string): void
  /** Says it to people, on stderr. */
  warn(message: string): void
}
