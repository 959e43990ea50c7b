/** What an agent reads when an answer comes after the process that asked has ended. Pure. */
import type { Ask, AskAnswer } from '../protocol/session-log/ask-types.js'

/**
 * Returns the prompt to continue with; undefined if there is nothing to do. The call was never made, so making it now
 * isn't a repetition.
 */
export function lateAnswerPrompt(ask: Ask, answer: AskAnswer): string | undefined {
  const said = sayingOf(answer)
  if (said === undefined || !ask.tool) return undefined
  return [
    `Your last turn was cut off because its process ended while a call of ${ask.tool.name} waited for an answer.`,
    `That call was not made. The answer has come since: ${said}`,
    "Continue your work, and repeat the call if it's still needed.",
  ].join(' ')
}

function sayingOf(answer: AskAnswer): string | undefined {
  switch (answer.kind) {
    case 'allow':
      return 'it is allowed.'
    case 'answers':
      return JSON.stringify(answer.answers)
    case 'approve':
      return 'the plan is approved. Call ExitPlanMode again to leave plan mode: if you leave the plan as it is, it needs no further approval.'
    case 'revise':
      return `the plan is to be changed: ${answer.comments}`
    case 'deny':
    case 'elicitation':
    case 'sign-in':
      return undefined
  }
}
