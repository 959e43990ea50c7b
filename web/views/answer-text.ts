/** An answer in one line. */
import { toDisplaySafeLine } from '../safe/clean-text.js'
import { askLabel } from '../state/ask-title.js'
import type { Ask, AskAnswer } from '../state/server-types.js'
import { T } from '../texts.js'

export function answerText(ask: Ask, answer: AskAnswer): string {
  const name = askLabel(ask)
  switch (answer.kind) {
    case 'allow': {
      const rules = ask.suggestions.filter(({ update }) =>
        answer.updates?.some((given) => JSON.stringify(given) === JSON.stringify(update)),
      )
      if (rules.length > 0) return T.allowedAlways(name, rules.map(({ rule }) => toDisplaySafeLine(rule)).join(', '))
      return answer.input ? T.allowedEdited(name) : T.allowed(name)
    }
    case 'deny':
      return answer.message ? T.deniedWith(name, toDisplaySafeLine(answer.message)) : T.denied(name)
    case 'answers':
      return T.answered(
        Object.values(answer.answers)
          .map((one) => toDisplaySafeLine(Array.isArray(one) ? one.join(', ') : one))
          .join(' · '),
      )
    case 'approve':
      return T.approved(answer.mode ? T.modes[answer.mode] : undefined, answer.plan !== undefined)
    case 'revise':
      return T.revised(toDisplaySafeLine(answer.comments))
    case 'elicitation':
      return T.elicited[answer.action]
    case 'sign-in':
      return T.signInAnswers[answer.action]
  }
}
