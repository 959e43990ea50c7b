/** AskUserQuestion: the questions go out with the request for permission, and the answers come back in its answer. */
import type { ToolOutcome } from '../../engine/ports.js'
import { cutMiddle } from '../bound-output.js'
import { defineTool } from '../tool.js'
import {
  type AskUserQuestionInput,
  type AskUserQuestionOutput,
  askUserQuestionInputSchema,
} from './ask-user-question-shapes.js'

const askUserQuestionPrompt = `Asks the user questions and waits for the answers.

Use it when a decision is the user's and changes what you do: a request that can be read in two ways, approaches with different costs, a preference you can't know. Don't ask what you can find out, nor whether to continue.

- Ask related questions in one call, at most four. Each has two to four options that exclude each other, or multiSelect.
- Put a recommended option first, with "(Recommended)" in its label.
- The user can always answer in other words.
- A plan is approved with ExitPlanMode, not with this tool.`

export const askUserQuestionTool = defineTool<AskUserQuestionInput>({
  name: 'AskUserQuestion',
  description: askUserQuestionPrompt,
  inputSchema: askUserQuestionInputSchema,
  // The host fills them in.
  hidden: ['answers', 'annotations', 'metadata'],
  // What else the model asked for may depend on the answers, or be called off by them.
  isReadOnly: () => false,
  // Only the user answers: a model that fills the answers in itself does not get them back as the user's.
  prepare: async ({ questions, metadata }) => ({ questions, ...(metadata ? { metadata } : {}) }),
  facts: () => ({ kind: 'ask' }),
  check: async (input) => refuse(input),
  execute: async (input) => report(input),
})

function refuse({ questions }: AskUserQuestionInput): string | undefined {
  const brief = (text: string) => quote(cutMiddle(text, 200))
  for (const [index, { question, options }] of questions.entries()) {
    if (question.trim() === '') return `Question ${index + 1} has no text.`
    const labels = options.map(({ label }) => label)
    if (labels.some((label) => label.trim() === '')) return `An option of the question ${brief(question)} has no label.`
    const twice = firstRepeated(labels)
    if (twice !== undefined) return `The question ${brief(question)} has the option ${brief(twice)} twice.`
  }
  const twice = firstRepeated(questions.map(({ question }) => question))
  if (twice === undefined) return undefined
  return `The question ${brief(twice)} is asked twice. Answers are told apart by the texts of their questions.`
}

function report({ questions, answers = {}, annotations = {} }: AskUserQuestionInput): ToolOutcome {
  const asked = questions.map(({ question }) => ({
    question,
    answer: own(answers, question),
    added: own(annotations, question),
  }))
  const open = asked
    .filter(({ answer }) => !answer?.trim())
    .map(({ question, added }) => quote(question) + describe(added))
  const answered = asked.flatMap(({ question, answer, added }) => (answer?.trim() ? [{ question, answer, added }] : []))
  if (answered.length === 0) {
    const error = `No answer was given to ${open.join(', ')}: the call was allowed, but without \`answers\` in its updatedInput. Do not guess what the user wants.`
    return { ok: false, error }
  }
  const pairs = answered.map(({ question, answer, added }) => `${quote(question)}=${quote(answer)}${describe(added)}`)
  const left = open.length === 0 ? '' : `Not answered: ${open.join(', ')}. `
  const annotated = asked.flatMap(({ question, added }) => (added ? [[question, added] as const] : []))
  const output: AskUserQuestionOutput = {
    questions,
    answers: Object.fromEntries(answered.map(({ question, answer }) => [question, answer])),
    ...(annotated.length > 0 ? { annotations: Object.fromEntries(annotated) } : {}),
  }
  const content = `User has answered your questions: ${pairs.join(', ')}. ${left}Go on with that in mind.`
  return { ok: true, content, output }
}

function describe(added: { markdown?: string; notes?: string } | undefined): string {
  const parts = [
    ...(added?.markdown ? [`of what was shown, chosen: ${quote(added.markdown)}`] : []),
    ...(added?.notes ? [`note: ${quote(added.notes)}`] : []),
  ]
  return parts.length === 0 ? '' : ` (${parts.join('; ')})`
}

/** So that no answer can look like two. */
function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}

function own<Value>(record: { [key: string]: Value }, key: string): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}

function firstRepeated(texts: readonly string[]): string | undefined {
  return texts.find((text, index) => texts.indexOf(text) < index)
}
