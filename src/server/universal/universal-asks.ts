/** Asks and answers in the words of the universal schema, both ways. Pure. */

import { isObject } from '../../protocol/json.js'
import type { Ask, AskAnswer } from '../../protocol/session-log/ask-types.js'
import { requestTitle } from '../../view/request-title.js'
import type { RequestEnd } from '../../view/view-items.js'
import { HttpProblem } from '../api/problems.js'
import type { EventDraft } from './universal-events.js'

const PLAN_OPTIONS = ['approve', 'reject']

export function createAskRequestedEvent(ask: Ask, cwd: string): EventDraft {
  const type = ask.kind === 'permission' ? 'permission.requested' : 'question.requested'
  return { type, data: { ...dataOf(ask, cwd), status: 'requested' } }
}

/** The event for a closed request. Without an answer it was withdrawn, and counts as denied. */
export function createAskResolvedEvent(ask: Ask, closed: RequestEnd, cwd: string): EventDraft {
  const data = dataOf(ask, cwd)
  const answer = 'answer' in closed ? closed.answer : undefined
  const more = 'answer' in closed ? closed : { reason: closed.withdrawn }
  if (ask.kind === 'permission') {
    const isYes = answer?.kind === 'allow'
    const isLasting = isYes && (answer.updates?.length ?? 0) > 0
    const status = isLasting ? 'accept_for_session' : isYes ? 'accept' : 'reject'
    return { type: 'permission.resolved', source: 'daemon', data: { ...data, status, ...more } }
  }
  const response = answer && responseOf(answer)
  const status = response === undefined ? 'rejected' : 'answered'
  const told = { ...data, status, response: response ?? null, ...more }
  return { type: 'question.resolved', source: 'daemon', data: told }
}

function dataOf(ask: Ask, cwd: string): Record<string, unknown> {
  return { ...(ask.kind === 'permission' ? permissionOf(ask) : questionOf(ask)), title: requestTitle(ask, cwd) }
}

/** What we know beside it is added: why it is asked, what would happen, which rules would keep it from being asked again. */
function permissionOf({ id, tool, why, preview, suggestions, agent, since }: Ask): Record<string, unknown> {
  const { name = '', input = {}, hash } = tool ?? {}
  const metadata = { toolName: name, input, permissionSuggestions: suggestions.map(({ update }) => update) }
  return {
    permission_id: id,
    action: name,
    metadata: { ...metadata, blockedPath: null },
    why,
    preview: preview ?? null,
    suggestions,
    agent,
    since,
    input_hash: hash ?? null,
    call_id: tool?.useId ?? null,
  }
}

function questionOf(ask: Ask): Record<string, unknown> {
  const { id, kind, tool, elicitation, agent, since } = ask
  const more = { ask_kind: kind, agent, since }
  if (kind === 'plan') {
    const prompt = String(tool?.input['plan'] ?? '')
    return { question_id: id, prompt, options: PLAN_OPTIONS, questions: [], ...more }
  }
  if (kind === 'elicitation')
    return { question_id: id, prompt: elicitation?.message ?? '', options: [], questions: [], elicitation, ...more }
  if (kind === 'sign-in') {
    const options = ask.signIn?.step === 'visit' ? ['cancel'] : ['start', 'cancel']
    return { question_id: id, prompt: ask.why.text, options, questions: [], sign_in: ask.signIn, ...more }
  }
  const questions = questionsIn(ask)
  const [first] = questions
  const options = first?.options.map(({ label }) => label) ?? []
  return { question_id: id, prompt: first?.question ?? '', options, questions, ...more }
}

type Question = {
  question: string
  header: string
  multi_select: boolean
  options: { label: string; description: string }[]
}

function questionsIn({ tool }: Ask): Question[] {
  const given = tool?.input['questions']
  if (!Array.isArray(given)) return []
  return given.filter(isObject).map((one) => ({
    question: String(one['question'] ?? ''),
    header: String(one['header'] ?? ''),
    multi_select: one['multiSelect'] === true,
    options: (Array.isArray(one['options']) ? one['options'] : []).filter(isObject).map((option) => ({
      label: String(option['label'] ?? ''),
      description: String(option['description'] ?? ''),
    })),
  }))
}

/** Undefined for a denial. */
function responseOf(answer: AskAnswer): string | undefined {
  switch (answer.kind) {
    case 'answers':
      return Object.values(answer.answers).flat().join(', ')
    case 'approve':
      return 'approve'
    case 'revise':
      return answer.comments
    case 'elicitation':
      return answer.action === 'accept' ? JSON.stringify(answer.content ?? {}) : undefined
    case 'sign-in':
      return answer.action === 'cancel' ? undefined : answer.action
    default:
      return undefined
  }
}

export type PermissionReply = 'once' | 'always' | 'reject'

/** `always` is for the session: the schema has nothing that lasts longer. */
export function toPermissionAnswer(
  { suggestions }: Ask,
  reply: PermissionReply,
  message: string | undefined,
): AskAnswer {
  if (reply === 'reject') return { kind: 'deny', ...(message === undefined ? {} : { message }) }
  if (reply === 'once') return { kind: 'allow' }
  const updates = suggestions.map(({ update }) => ({ ...update, destination: 'session' as const }))
  return { kind: 'allow', ...(updates.length > 0 ? { updates } : {}) }
}

/** One list per question, in their order. */
export function toQuestionAnswer(ask: Ask, answers: readonly (readonly string[])[]): AskAnswer {
  const [[first = ''] = []] = answers
  if (ask.kind === 'plan') {
    if (first === 'approve') return { kind: 'approve' }
    return first === 'reject' || first === '' ? { kind: 'deny' } : { kind: 'revise', comments: first }
  }
  if (ask.kind === 'sign-in') {
    if (first === 'start') return { kind: 'sign-in', action: 'start' }
    if (first === 'cancel' || first === '') return { kind: 'sign-in', action: 'cancel' }
    return { kind: 'sign-in', action: 'finish', callback: first }
  }
  if (ask.kind === 'elicitation') return { kind: 'elicitation', ...elicitationOf(first) }
  const questions = questionsIn(ask)
  if (answers.length > questions.length)
    throw new HttpProblem('invalid_answer', `There are ${questions.length} questions, and ${answers.length} answers.`)
  const given = questions.flatMap(({ question }, n) => {
    const chosen = answers[n] ?? []
    return chosen.length === 0 ? [] : [[question, chosen.length === 1 ? chosen[0] : [...chosen]]]
  })
  return { kind: 'answers', answers: Object.fromEntries(given) }
}

function elicitationOf(text: string): Omit<Extract<AskAnswer, { kind: 'elicitation' }>, 'kind'> {
  if (text === 'decline' || text === 'cancel') return { action: text }
  if (text === '' || text === 'accept') return { action: 'accept' }
  try {
    const content = JSON.parse(text)
    if (isObject(content)) return { action: 'accept', content: content as never } // looked at by the server that asked
  } catch {
    // said below
  }
  throw new HttpProblem('invalid_answer', 'Answer with accept, decline, cancel, or the fields of the form as JSON.')
}
