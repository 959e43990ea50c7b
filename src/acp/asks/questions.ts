/** Questions of the agent: one form for all of them, or, without forms, one after another as choices. Pure. */
import type {
  ElicitationContentValue,
  ElicitationPropertySchema,
  ElicitationSchema,
  PermissionOption,
} from '@agentclientprotocol/sdk/unstable'
import { isObject } from '../../protocol/json.js'
import type { Ask, AskAnswer } from '../../protocol/session-log/ask-types.js'

export type FormQuestion = {
  question: string
  header: string
  options: { label: string; description: string }[]
  isMultiple: boolean
}

/** The input was checked by the tool. */
export function readFormQuestions({ tool }: Ask): FormQuestion[] {
  const questions = tool?.input['questions']
  if (!Array.isArray(questions)) return []
  return questions.filter(isObject).map((one) => ({
    question: String(one['question'] ?? ''),
    header: String(one['header'] ?? ''),
    options: (Array.isArray(one['options']) ? one['options'] : []).filter(isObject).map((option) => ({
      label: String(option['label'] ?? ''),
      description: String(option['description'] ?? ''),
    })),
    isMultiple: one['multiSelect'] === true,
  }))
}

/** Returns a form with the field names that clients know: `question_0`, and `question_0_custom` for a custom answer. */
export function questionForm(questions: readonly FormQuestion[]): ElicitationSchema {
  const fields = questions.flatMap(
    ({ question, header, options, isMultiple }, at): [string, ElicitationPropertySchema][] => {
      const choices = options.map(({ label, description }) => ({ const: label, title: label, description }))
      const shown = { title: header || question, description: question }
      const choice: ElicitationPropertySchema = isMultiple
        ? { type: 'array', ...shown, items: { anyOf: choices } }
        : { type: 'string', ...shown, oneOf: choices }
      const custom = { type: 'string' as const, title: `${header || question}: something else`, description: question }
      return [
        [`question_${at}`, choice],
        [`question_${at}_custom`, custom],
      ]
    },
  )
  return { type: 'object', properties: Object.fromEntries(fields) }
}

/** Returns the filled-in answers. A custom answer replaces a choice, or is added to it. */
export function readFormAnswers(
  questions: readonly FormQuestion[],
  content: Record<string, ElicitationContentValue> | null | undefined,
): AskAnswer {
  const answers: Record<string, string | string[]> = {}
  for (const [at, { question, isMultiple }] of questions.entries()) {
    const chosen = content?.[`question_${at}`]
    const custom = content?.[`question_${at}_custom`]
    const own = typeof custom === 'string' && custom.trim() !== '' ? custom.trim() : undefined
    const list = Array.isArray(chosen) ? chosen : typeof chosen === 'string' && chosen !== '' ? [chosen] : []
    if (isMultiple) {
      const all = own === undefined ? list : [...list, own]
      if (all.length > 0) answers[question] = all
    } else {
      const answer = own ?? list[0]
      if (answer !== undefined) answers[question] = answer
    }
  }
  return { kind: 'answers', answers }
}

const CHOICE = 'choice-'
export const DONE_OPTION = 'done'
export const SKIP_OPTION = 'skip'

/**
 * Returns the options of a question, as choices of a permission request. In a multiple-choice question, chosen
 * options are marked, and choosing one again removes it.
 */
export function choiceOptions({ options, isMultiple }: FormQuestion, chosen: readonly string[]): PermissionOption[] {
  const mark = (label: string) => (!isMultiple ? label : `${chosen.includes(label) ? '☑' : '☐'} ${label}`)
  return [
    ...options.map(
      ({ label }, at): PermissionOption => ({
        optionId: `${CHOICE}${at}`,
        name: mark(label),
        kind: 'allow_once',
      }),
    ),
    ...(isMultiple ? [{ optionId: DONE_OPTION, name: 'Done', kind: 'allow_once' as const }] : []),
    { optionId: SKIP_OPTION, name: 'Skip', kind: 'reject_once' },
  ]
}

export function choiceOfOption({ options }: FormQuestion, optionId: string): string | undefined {
  return options.find((_, at) => optionId === `${CHOICE}${at}`)?.label
}

export function formatQuestionWithOptions({ question, options }: FormQuestion): string {
  return [question, ...options.map(({ label, description }) => `- ${label}: ${description}`)].join('\n')
}
