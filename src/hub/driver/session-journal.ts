/**
 * Where the driver of a session writes down what happens, and how that is confirmed: a file of this process
 * (`open-session.ts`), or the database of a cluster (`cluster/worker/run-session.ts`).
 */
import type { Ask, AskAnswer } from '../../protocol/session-log/ask-types.js'
import type { EntryBody, SdkDeltaMessage } from '../../protocol/session-log/entries.js'

export type SessionJournal = {
  /** Adds an entry to the log. It comes after those before it, and no reader sees it before it is written. */
  add(body: EntryBody): void
  /** Passes a piece of something unfinished to live readers. */
  addDelta(data: SdkDeltaMessage): void
  /**
   * Writes a request down before any client sees it. Resolves with the decision, once that is written down. An earlier
   * decision about the same call counts.
   */
  decide(ask: Ask, wait: AskWait): Promise<AskOutcome>
}

/** `canPark`: the turn can end without the answer, and continue with it. `signal`: the agent waits no longer. */
export type AskWait = { canPark: boolean; signal: AbortSignal }

/** `void`: why no answer is needed. `park`: the turn ends here; the answer continues it. */
export type AskOutcome = { answer: AskAnswer } | { void: string } | 'park'

export const NO_ANSWER_NEEDED_TEXT = "The answer isn't needed any more."
