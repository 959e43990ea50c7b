/** The next step of the practice model as a pure function of the conversation: something to say, and maybe a call. */

import { stepsToCarryOutRequest } from './carry-out.js'
import * as answer from './practice-answer.js'
import type { PracticeRequest } from './practice-request.js'
import type { PracticeCall, PracticeContext, PracticeStep } from './practice-steps.js'
import type { PracticeConversation, PracticeToolOutcome } from './read-request.js'
import { MAX_REQUESTS, splitRequests } from './split.js'

export type PracticeDecision = { text: string; call?: PracticeCall }

export function decideNextCall(conversation: PracticeConversation, means: PracticeContext): PracticeDecision {
  const { prompt, outcomes, saidBefore, interjected } = conversation
  const asked = splitRequests(prompt)
  if (saidBefore.includes(answer.QUESTION_OPENING) && asked.every(({ request }) => request.kind === 'unknown')) {
    return { text: answer.acknowledgeAnswerText(prompt) }
  }
  const work = carryOutAll(asked.length > 0 ? asked : [{ words: prompt, request: { kind: 'unknown' } }], means)
  let step = work.next()
  for (const outcome of outcomes) {
    if (step.done) break
    step = work.next(outcome)
  }
  if (!step.done) return { text: step.value.say, call: step.value.call }
  return { text: interjected ? `${step.value}\n\n${answer.INTERJECTED_TEXT}` : step.value }
}

/** One after another; the first that does not come off ends it, because the others may have relied on it. */
function* carryOutAll(
  asked: readonly PracticeRequest[],
  means: PracticeContext,
): Generator<PracticeStep, string, PracticeToolOutcome> {
  const reports: string[] = []
  for (const [index, { words, request }] of asked.slice(0, MAX_REQUESTS).entries()) {
    const report = yield* stepsToCarryOutRequest(request, words, means)
    reports.push(report.text)
    if (!report.continues) return [...reports, ...notDone(asked.slice(index + 1))].join('\n\n')
  }
  if (asked.length > MAX_REQUESTS) {
    reports.push(`I take ${MAX_REQUESTS} requests of one message at most, so I stopped there.`)
  }
  return reports.join('\n\n')
}

function notDone(rest: readonly PracticeRequest[]): string[] {
  return rest.length === 0
    ? []
    : [`I stopped there. Not done: ${rest.map(({ words }) => answer.quoteText(words)).join(', ')}.`]
}
