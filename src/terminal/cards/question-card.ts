/**
 * The agent's questions, one after another: single choice, multiple choice, or a custom answer. All answers can be
 * reviewed before they are sent.
 */

import { isObject } from '../../protocol/json.js'
import type { Ask, AskAnswer } from '../../protocol/session-log/ask-types.js'
import { QUESTION_AND_FORM_ANSWERS } from '../../protocol/shown/vocabulary.js'
import { requestTitle } from '../../view/request-title.js'
import { wrapText } from '../screen/styled-text.js'
import { toTerminalSafeLine } from '../screen/terminal-safe-text.js'
import type { Card, CardViewOptions } from './card.js'
import { choiceCard } from './choice-card.js'
import type { Choice } from './choice-list.js'
import { textFieldCard } from './text-field.js'

export type AskedQuestion = {
  question: string
  header: string
  options: { label: string; description: string }[]
  isMultiple: boolean
}

/** The tool has checked its input. */
export function questionsOfAsk({ tool }: Ask): AskedQuestion[] {
  const questions = tool?.input['questions']
  return (Array.isArray(questions) ? questions : []).filter(isObject).map((one) => ({
    question: String(one['question'] ?? ''),
    header: String(one['header'] ?? ''),
    isMultiple: one['multiSelect'] === true,
    options: (Array.isArray(one['options']) ? one['options'] : []).filter(isObject).map((option) => ({
      label: String(option['label'] ?? ''),
      description: String(option['description'] ?? ''),
    })),
  }))
}

export type QuestionPorts = { answer(answer: AskAnswer): void; show(card: Card): void }

const OWN = Symbol('own words')

export function questionCard(ask: Ask, { answer, show }: QuestionPorts): Card {
  const questions = questionsOfAsk(ask)
  const answers = new Map<string, string | string[]>()
  const step = (n: number): Card => {
    const one = questions[n]
    if (!one) return review()
    const next = (given: string | string[]) => {
      answers.set(one.question, given)
      // A single question needs no second look.
      if (questions.length === 1) send()
      else show(step(n + 1))
    }
    return oneQuestion(one, {
      asks: requestTitle(ask, ''),
      n,
      count: questions.length,
      next,
      show,
      back: () => (n === 0 ? answer({ kind: 'deny' }) : show(step(n - 1))),
    })
  }
  const send = () => answer({ kind: 'answers', answers: Object.fromEntries(answers) })
  const review = (): Card =>
    choiceCard<'send' | 'again'>({
      title: 'Your answers',
      choices: [
        { value: 'send', label: QUESTION_AND_FORM_ANSWERS.send },
        { value: 'again', label: QUESTION_AND_FORM_ANSWERS.change },
      ],
      words: ({ columns, styles }) =>
        questions.flatMap(({ question }) => {
          const given = answers.get(question)
          const text = Array.isArray(given) ? given.join(', ') : (given ?? '')
          return wrapText(`  ${styles.dim(toTerminalSafeLine(question))} ${toTerminalSafeLine(text)}`, columns - 1, {
            indent: '    ',
          })
        }),
      onChosen: ([choice]) => (choice === 'send' ? send() : show(step(0))),
      onCanceled: () => show(step(questions.length - 1)),
    })
  return step(0)
}

type StepPorts = {
  /** The title of the request. */
  asks: string
  n: number
  count: number
  next(given: string | string[]): void
  show(card: Card): void
  back(): void
}

function oneQuestion({ question, header, options, isMultiple }: AskedQuestion, ports: StepPorts): Card {
  const { asks, n, count, next, show, back } = ports
  const place = count > 1 ? ` (${n + 1} of ${count})` : ''
  const words = ({ columns, styles }: CardViewOptions) =>
    wrapText(styles.bold(`  ${toTerminalSafeLine(question)}`), columns - 1, { indent: '  ' })
  const choices: Choice<string | typeof OWN>[] = [
    ...options.map(({ label, description }) => ({
      value: label,
      label,
      ...(description === '' ? {} : { detail: description }),
    })),
    { value: OWN, label: QUESTION_AND_FORM_ANSWERS.ownAnswer },
  ]
  const about = toTerminalSafeLine(header)
  const title = `${asks}${about === '' ? '' : `: ${about}`}${place}`
  const card: Card = choiceCard<string | typeof OWN>({
    title,
    choices,
    isMultiple,
    words,
    hint: isMultiple ? 'space: choose · enter: done · esc: back' : 'enter: choose · esc: back',
    onCanceled: back,
    onChosen(chosen) {
      const labels = chosen.filter((one) => typeof one === 'string')
      if (!chosen.includes(OWN)) {
        // Nothing chosen of several is no answer yet.
        return labels.length > 0 ? next(isMultiple ? labels : (labels[0] ?? '')) : undefined
      }
      show(
        textFieldCard({
          title,
          words,
          hint: 'your answer',
          onDone: (text) =>
            text.trim() === '' ? show(card) : next(isMultiple ? [...labels, text.trim()] : text.trim()),
          onCanceled: () => show(card),
        }),
      )
    },
  })
  return card
}
