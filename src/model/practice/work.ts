/** What carrying out a request is made of: calls that are yielded, outcomes that come back, and a report at the end. */

import * as answer from './practice-answer.js'
import type { Request } from './practice-request.js'
import type { PracticeOutcome } from './read-request.js'

export type Means = { cwd: string; tools: ReadonlySet<string> }

export type Call = { name: string; input: Record<string, unknown> }

/** A call, and what is said before it. */
export type PracticeStep = { say: string; call: Call }

/** `continues` false: what was to follow is left undone. */
export type WorkReport = { continues: boolean; text: string }

export type Work = Generator<PracticeStep, WorkReport, PracticeOutcome>

export type Of<Kind extends Request['kind']> = Extract<Request, { kind: Kind }>

export function done(text: string): WorkReport {
  return { continues: true, text }
}

export function stop(text: string): WorkReport {
  return { continues: false, text }
}

/** One call, and the report of it. */
export function* useTool(
  means: Means,
  say: string,
  name: string,
  input: Record<string, unknown>,
  report: (outcome: PracticeOutcome) => string,
): Work {
  if (!means.tools.has(name)) return stop(answer.needsTool(name))
  const outcome = yield { say, call: { name, input } }
  return outcome.isError ? stop(answer.failedText(name, outcome)) : done(report(outcome))
}
