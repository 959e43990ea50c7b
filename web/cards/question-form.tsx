/** Questions of the agent: choices with what they mean, or an answer in one's own words. Drafts outlast a reload. */
import { useSignal } from '@preact/signals'
import { MarkdownText } from '../parts/markdown-text.js'
import { toDisplaySafeLine, toDisplaySafeText, toStringOrEmpty } from '../safe/clean-text.js'
import { store, stored } from '../state/stored.js'
import { T } from '../texts.js'
import { submitAnswer } from './answering.js'
import type { CardProps } from './card-props.js'

type Option = { label: string; description: string; markdown: string }
type Question = { question: string; header: string; options: Option[]; multiSelect: boolean }
type Draft = Record<string, { chosen: string[]; own: string }>

const fields = (value: unknown): Map<string, unknown> =>
  new Map(typeof value === 'object' && value !== null ? Object.entries(value) : [])
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

function questionsOf(input: Record<string, unknown>): Question[] {
  return list(input['questions']).map((given) => {
    const question = fields(given)
    const options = list(question.get('options')).map((one) => {
      const option = fields(one)
      return {
        label: toStringOrEmpty(option.get('label')),
        description: toStringOrEmpty(option.get('description')),
        markdown: toStringOrEmpty(option.get('markdown') ?? option.get('preview')),
      }
    })
    return {
      question: toStringOrEmpty(question.get('question')),
      header: toStringOrEmpty(question.get('header')),
      options,
      multiSelect: question.get('multiSelect') === true,
    }
  })
}

export function QuestionForm({ ask, guard }: CardProps) {
  const questions = questionsOf(ask.tool?.input ?? {})
  const draft = useSignal<Draft>(stored<Draft>(`ask:${ask.id}`) ?? {})
  const of = (question: string) => draft.value[question] ?? { chosen: [], own: '' }
  const change = (question: string, part: Partial<Draft[string]>) => {
    draft.value = { ...draft.value, [question]: { ...of(question), ...part } }
    store(`ask:${ask.id}`, draft.value)
  }
  const answerOf = ({ question, multiSelect }: Question): string | string[] => {
    const { chosen, own } = of(question)
    const words = own.trim()
    if (multiSelect) return words === '' ? chosen : [...chosen, words]
    return words === '' ? (chosen[0] ?? '') : words
  }
  const isComplete = questions.every((question) => answerOf(question).length > 0)
  const submit = (event: Event) => {
    event.preventDefault()
    if (!isComplete) return
    const answers = Object.fromEntries(questions.map((question) => [question.question, answerOf(question)]))
    guard.act(() => submitAnswer(ask, { kind: 'answers', answers }))
  }
  const isOff = !guard.isReady.value || guard.isSending.value
  return (
    <form class="questions" onSubmit={submit}>
      {questions.map((question, at) => (
        <fieldset key={at}>
          <legend>
            {question.header !== '' && <span class="tag">{toDisplaySafeLine(question.header, 30)}</span>}{' '}
            {toDisplaySafeText(question.question)}
          </legend>
          {question.options.map((option, n) => {
            const { chosen, own } = of(question.question)
            const isChosen = chosen.includes(option.label) && (question.multiSelect || own.trim() === '')
            return (
              <div key={n} class={isChosen ? 'option chosen' : 'option'}>
                <label>
                  <input
                    type={question.multiSelect ? 'checkbox' : 'radio'}
                    name={`q-${ask.id}-${at}`}
                    checked={isChosen}
                    {...(at === 0 && n === 0 ? { 'data-first': true } : {})}
                    onChange={({ currentTarget }) => {
                      const others = question.multiSelect ? chosen.filter((one) => one !== option.label) : []
                      const mine = currentTarget.checked ? [option.label] : []
                      change(question.question, {
                        chosen: [...others, ...mine],
                        ...(question.multiSelect ? {} : { own: '' }),
                      })
                    }}
                  />
                  <span class="label">{toDisplaySafeLine(option.label)}</span>
                  <span class="quiet">{toDisplaySafeLine(option.description, 500)}</span>
                </label>
                {option.markdown !== '' && isChosen && <MarkdownText text={option.markdown} />}
              </div>
            )
          })}
          <label class="own">
            <span class="unseen">{T.ownAnswerTo(toDisplaySafeLine(question.question, 100))}</span>
            <input
              type="text"
              placeholder={T.ownAnswer}
              value={of(question.question).own}
              onInput={({ currentTarget }) => change(question.question, { own: currentTarget.value })}
            />
          </label>
        </fieldset>
      ))}
      <div class="buttons">
        <button type="submit" class="good" disabled={!isComplete} aria-disabled={isOff}>
          {T.sendAnswers}
        </button>
        <button
          type="button"
          aria-disabled={isOff}
          onClick={() => guard.act(() => submitAnswer(ask, { kind: 'deny' }))}
        >
          {T.dontAnswer}
        </button>
      </div>
    </form>
  )
}
