/** What carrying out a request is made of: calls that are yielded, outcomes that come back, and a report at the end. */

import * as answer from './practice-answer.js'
import type { PracticeIntent } from './practice-request.js'
import type { PracticeToolOutcome } from './read-request.js'

/** What the practice model knows of its session: its folder and its tools. */
export type PracticeContext = { cwd: string; tools: ReadonlySet<string> }

export type PracticeCall = { name: string; input: Record<string, unknown> }

/** One step of the practice model: a call, and what is said before it. */
export type PracticeStep = { say: string; call: PracticeCall }

/** `continues` false: what was to follow is left undone. */
export type PracticeReport = { continues: boolean; text: string }

/** The steps that carry out one request; returns the report on it. */
export type PracticeSteps = Generator<PracticeStep, PracticeReport, PracticeToolOutcome>

export type PracticeIntentOf<Kind extends PracticeIntent['kind']> = Extract<PracticeIntent, { kind: Kind }>

export function reportDone(text: string): PracticeReport {
  return { continues: true, text }
}

export function reportStopped(text: string): PracticeReport {
  return { continues: false, text }
}

/** One call, and the report of it. */
export function* stepsToCallTool(
  means: PracticeContext,
  say: string,
  name: string,
  input: Record<string, unknown>,
  report: (outcome: PracticeToolOutcome) => string,
): PracticeSteps {
  if (!means.tools.has(name)) return reportStopped(answer.needsToolText(name))
  const outcome = yield { say, call: { name, input } }
  return outcome.isError ? reportStopped(answer.failedToolText(name, outcome)) : reportDone(report(outcome))
}
