/** The tool `askUserQuestions` of the harness specification: its input and output as the session's question and answer. */
import { isObject, type JsonObject, textOrEmpty } from '../../../protocol/json.js'
import type { Ask, AskAnswer } from '../../public-client.js'
import { approvalAnswer } from '../call-content.js'

export const QUESTIONS_TOOL = 'askUserQuestions'

type AskedOption = { id: string; label: string; description?: string }

/** The input of the tool. A question has no id of its own, so its place is its id. */
export type HarnessQuestions = {
  allowPartialAnswers: boolean
  questions: {
    id: string
    question: string
    header?: string
    options: AskedOption[]
    allowMultiple: boolean
    allowFreeForm: true
  }[]
}

export function questionsOf({ tool }: Pick<Ask, 'tool'>): HarnessQuestions {
  return { allowPartialAnswers: false, questions: listOf(tool?.input['questions']).map(questionOf) }
}

function questionOf(question: JsonObject, place: number): HarnessQuestions['questions'][number] {
  const { header, multiSelect } = question
  const options = listOf(question['options']).map((option): AskedOption => {
    const label = textOrEmpty(option['label'])
    const { description } = option
    return { id: label, label, ...(typeof description === 'string' ? { description } : {}) }
  })
  return {
    id: String(place),
    question: textOrEmpty(question['question']),
    ...(typeof header === 'string' ? { header } : {}),
    options,
    allowMultiple: multiSelect === true,
    allowFreeForm: true,
  }
}

/** Returns the answer for the tool's output: a denial, if it isn't one. */
export function answerOfQuestionsOutput(ask: Ask, output: unknown): AskAnswer {
  const given = isObject(output) && isObject(output['answers']) ? output['answers'] : {}
  const answers = questionsOf(ask).questions.flatMap(
    ({ id, question, allowMultiple }): [string, string | string[]][] => {
      const answer = given[id]
      if (!isObject(answer)) return []
      const chosen = Array.isArray(answer['optionIds']) ? answer['optionIds'].map(String) : []
      const words = textOrEmpty(answer['freeform'])
      const all = words === '' ? chosen : [...chosen, words]
      return all.length === 0 ? [] : [[question, allowMultiple ? all : all.join(', ')]]
    },
  )
  return answers.length === 0 ? approvalAnswer(ask, false) : { kind: 'answers', answers: Object.fromEntries(answers) }
}

const listOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])

/** The tool as the framework looks it up: any input is one, because the session has checked it. */
export const QUESTIONS_TOOL_DEFINITION = {
  description: 'Ask the user one or more questions',
  inputSchema: {
    '~standard': {
      version: 1 as const,
      vendor: 'kedge',
      validate: (value: unknown) => ({ value: value as HarnessQuestions }), // as `questionsOf` made it
      jsonSchema: { input: () => ({ type: 'object' }), output: () => ({ type: 'object' }) },
    },
  },
}
