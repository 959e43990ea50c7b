/** A mind: what answers model requests in a trial. A real model is none; scripted minds, recordings, and people are. */
import type { ModelRequest } from '../../testing/observed-request.js'
import type { Answer, ToolCall } from '../../testing/turn.js'
import type { PlannedCall } from './mind-script.js'

/** Answers every model request of one trial. */
export type Mind = {
  /** Its name in tables. */
  name: string
  /** Whether a person answers: the trial then has no time limit. */
  isPerson?: boolean
  /** The answer to a request. Sub-agents' requests come here too. */
  answer(request: ModelRequest): Answer | Promise<Answer>
}

/** An intended call on its way to a result. */
export type PlannedCallAttempt = {
  call: PlannedCall
  /** The call as it was sent last. */
  sent?: ToolCall
  /** How often it was sent. */
  tries: number
  /** What the mind no longer gets wrong about it: names of parameters, `tool`, or `all`. */
  mended: Set<string>
  /** Whether it serves another call or no purpose of the task: its failure is not repaired. */
  isExtra?: boolean
}

export const createAttempt = (call: PlannedCall): PlannedCallAttempt => ({ call, tries: 0, mended: new Set() })

/** A call beside the task: written as it is meant, and not repaired. */
export const createExtraAttempt = (call: PlannedCall): PlannedCallAttempt => ({
  call,
  tries: 0,
  mended: new Set(['all']),
  isExtra: true,
})

/** How a mind carries out its intentions. */
export type MindBehavior = {
  name: string
  /** How many calls it puts into one message. */
  callsAtOnce: number
  /** The call as this mind writes it. `seen`: results it has read so far. */
  write(attempt: PlannedCallAttempt, request: ModelRequest, seen: readonly string[]): ToolCall
  /** What it does about an error before the repairs that every mind knows; undefined: nothing of its own. */
  repair?(attempt: PlannedCallAttempt, error: string): PlannedCallAttempt[] | undefined
  /** What it tries before step number `at`, whatever its task is. */
  before?(at: number): PlannedCall[]
}
