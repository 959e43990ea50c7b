/**
 * How each request is carried out: a generator that yields tool calls, is given what came of them, and returns a report.
 * Fed with the outcomes in the history it arrives at the next step, so nothing has to be remembered between requests.
 */

import {
  stepsToAppendToFile,
  stepsToCreateFile,
  stepsToEditFile,
  stepsToListFiles,
  stepsToReadFile,
  stepsToSearchFiles,
  stepsToWriteFile,
} from './file-steps.js'
import * as answer from './practice-answer.js'
import type { PracticeIntent, PracticePlanStep } from './practice-request.js'
import {
  type PracticeContext,
  type PracticeIntentOf,
  type PracticeSteps,
  reportDone,
  reportStopped,
  stepsToCallTool,
} from './practice-steps.js'

export function* stepsToCarryOutRequest(request: PracticeIntent, words: string, means: PracticeContext): PracticeSteps {
  switch (request.kind) {
    case 'list':
      return yield* stepsToListFiles(request, means)
    case 'read':
      return yield* stepsToReadFile(request, means)
    case 'search':
      return yield* stepsToSearchFiles(request, means)
    case 'create':
      return yield* stepsToCreateFile(request, means)
    case 'write':
      return yield* stepsToWriteFile(request, means)
    case 'edit':
      return yield* stepsToEditFile(request, means)
    case 'append':
      return yield* stepsToAppendToFile(request, means)
    case 'run':
      return yield* stepsToCallTool(
        means,
        'I run the command.',
        'Bash',
        { command: request.command },
        answer.commandOutputText,
      )
    case 'plan':
      return yield* plan(request.steps, means)
    case 'ask':
      return yield* ask(request, means)
    case 'propose': {
      const plan = `# A plan\n\n${request.steps.map((step, at) => `${at + 1}. ${step}`).join('\n')}\n`
      return yield* stepsToCallTool(
        means,
        'I propose a plan.',
        'ExitPlanMode',
        { plan },
        () => answer.PLAN_APPROVED_TEXT,
      )
    }
    case 'help':
      return reportDone(answer.practiceHelp())
    case 'unknown':
      return reportStopped(answer.notUnderstoodText(words))
  }
}

/** The denial of a question in a session without a host to put it to. */
const NOBODY_TO_ASK = 'Answer questions?'

function* ask({ question, options }: PracticeIntentOf<'ask'>, means: PracticeContext): PracticeSteps {
  if (!means.tools.has('AskUserQuestion')) return reportStopped(`${answer.QUESTION_OPENING}${question}`)
  const input = {
    questions: [
      {
        question,
        header: 'Question',
        options: options.map((label) => ({ label, description: `Answer with ${label}` })),
        multiSelect: false,
      },
    ],
  }
  const outcome = yield { say: 'I have a question.', call: { name: 'AskUserQuestion', input } }
  // Nobody answers questions here; the next message may.
  if (outcome.isError && outcome.text.startsWith(NOBODY_TO_ASK))
    return reportStopped(`${answer.QUESTION_OPENING}${question}`)
  return outcome.isError
    ? reportStopped(answer.failedToolText('AskUserQuestion', outcome))
    : reportDone(outcome.text || 'You gave no answer.')
}

/** Carries out the steps it understands; the others are moved along the list, and the report says that this is all. */
function* plan(steps: readonly PracticePlanStep[], means: PracticeContext): PracticeSteps {
  if (!means.tools.has('TodoWrite')) return reportStopped(answer.needsToolText('TodoWrite'))
  const reports: string[] = []
  for (let at = 0; at <= steps.length; at += 1) {
    const updated = yield { say: planLine(steps, at), call: { name: 'TodoWrite', input: { todos: todos(steps, at) } } }
    if (updated.isError) return reportStopped([...reports, answer.failedToolText('TodoWrite', updated)].join('\n\n'))
    const step = steps[at]
    if (!step || step.request.kind === 'unknown') continue
    const report = yield* stepsToCarryOutRequest(step.request, step.text, means)
    reports.push(report.text)
    if (!report.continues)
      return reportStopped([...reports, `The plan stopped at ${answer.quoteText(step.text)}.`].join('\n\n'))
  }
  const ticked = steps.filter((step) => step.request.kind === 'unknown').map((step) => answer.quoteText(step.text))
  reports.push(`The plan is complete: ${steps.length === 1 ? 'one step' : `${steps.length} steps`}.`)
  if (ticked.length > 0) {
    reports.push(
      `I only checked these off, without doing anything, because I do not understand them: ${ticked.join(', ')}.`,
    )
  }
  return reportDone(reports.join('\n\n'))
}

function planLine(steps: readonly PracticePlanStep[], at: number): string {
  const step = steps[at]
  if (!step) return 'I close the plan.'
  return at === 0
    ? `I write the plan and begin with ${answer.quoteText(step.text)}.`
    : `Next: ${answer.quoteText(step.text)}.`
}

function todos(steps: readonly PracticePlanStep[], at: number) {
  return steps.map(({ text }, index) => ({
    content: text,
    status: index < at ? 'completed' : index === at ? 'in_progress' : 'pending',
    activeForm: `Working on: ${text}`,
  }))
}
