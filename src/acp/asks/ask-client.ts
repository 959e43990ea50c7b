/**
 * Shows an ask to the client's user, in a way that the client supports, and returns the answer. A failure never
 * approves anything.
 */
import type { CreateElicitationRequest, PermissionOption, ToolCallUpdate } from '@agentclientprotocol/sdk/unstable'
import { methods } from '@agentclientprotocol/sdk/unstable'
import { isObject } from '../../protocol/json.js'
import type { Ask, AskAnswer } from '../../protocol/session-log/ask-types.js'
import { textContent } from '../updates/tool-content.js'
import { askSignIn } from './ask-sign-in.js'
import type { ClientAskPorts } from './client-ask-ports.js'
import { toAcpFormSchema } from './form-schema.js'
import { answerOfOption, toAcpPermissionRequest } from './permission.js'
import {
  choiceOfOption,
  choiceOptions,
  DONE_OPTION,
  type FormQuestion,
  formatQuestionWithOptions,
  questionForm,
  readFormAnswers,
  readFormQuestions,
  SKIP_OPTION,
} from './questions.js'

const UNANSWERED: AskAnswer = { kind: 'deny', message: 'The user did not answer.' }
/** The client's user ended the turn. */
const STOPPED: AskAnswer = { kind: 'deny', message: 'The user stopped this.', stop: true }

export async function askClient(ask: Ask, ports: ClientAskPorts): Promise<AskAnswer> {
  switch (ask.kind) {
    case 'permission':
    case 'plan': {
      const chosen = await choose(toAcpPermissionRequest(ask, ports), ports)
      return chosen === undefined ? STOPPED : answerOfOption(ask, chosen)
    }
    case 'question':
      return ports.client.forms ? askForm(ask, ports) : askOneByOne(ask, ports)
    case 'elicitation':
      return elicit(ask, ports)
    case 'sign-in':
      return askSignIn(ask, ports)
  }
}

/** The id of the option; undefined: canceled. */
async function choose(
  request: Parameters<typeof requestPermission>[0],
  ports: ClientAskPorts,
): Promise<string | undefined> {
  const { outcome } = await requestPermission(request, ports)
  return outcome.outcome === 'selected' ? outcome.optionId : undefined
}

function requestPermission(request: ReturnType<typeof toAcpPermissionRequest>, { context, signal }: ClientAskPorts) {
  const cancellation = { cancellationSignal: signal, stopWaitingOnCancel: true }
  return context.request(methods.client.session.requestPermission, request, cancellation)
}

async function askForm(ask: Ask, { context, signal, session }: ClientAskPorts): Promise<AskAnswer> {
  const questions = readFormQuestions(ask)
  const answer = await context.request(
    methods.client.elicitation.create,
    {
      mode: 'form',
      sessionId: session,
      requestedSchema: questionForm(questions),
      ...(ask.tool ? { toolCallId: ask.tool.useId } : {}),
      message: questions.map(({ question }) => question).join('\n'),
    },
    { cancellationSignal: signal, stopWaitingOnCancel: true },
  )
  return answer.action === 'accept' && 'content' in answer ? readFormAnswers(questions, contentOf(answer)) : UNANSWERED
}

async function askOneByOne(ask: Ask, ports: ClientAskPorts): Promise<AskAnswer> {
  const answers: Record<string, string | string[]> = {}
  for (const question of readFormQuestions(ask)) {
    const answer = await askChoices(ask, question, ports)
    if (answer === undefined) return STOPPED
    if (answer.length > 0) answers[question.question] = question.isMultiple ? answer : (answer[0] ?? '')
  }
  return Object.keys(answers).length === 0 ? UNANSWERED : { kind: 'answers', answers }
}

/** Undefined: the turn is to end. */
async function askChoices(ask: Ask, question: FormQuestion, ports: ClientAskPorts): Promise<string[] | undefined> {
  let chosen: string[] = []
  for (;;) {
    const toolCall: ToolCallUpdate = {
      toolCallId: ask.tool?.useId ?? ask.id,
      title: question.question,
      kind: 'other',
      status: 'pending',
      content: [textContent(formatQuestionWithOptions(question))],
    }
    const options = choiceOptions(question, chosen)
    const optionId = await choose({ sessionId: ports.session, toolCall, options }, ports)
    if (optionId === undefined) return undefined
    if (optionId === SKIP_OPTION) return []
    if (optionId === DONE_OPTION) return chosen
    const choice = choiceOfOption(question, optionId)
    // Not one that was offered.
    if (choice === undefined) return []
    if (!question.isMultiple) return [choice]
    chosen = chosen.includes(choice) ? chosen.filter((one) => one !== choice) : [...chosen, choice]
  }
}

/** A question of an MCP server. */
async function elicit(ask: Ask, ports: ClientAskPorts): Promise<AskAnswer> {
  const {
    message,
    mode = 'form',
    url,
    elicitationId,
    requestedSchema,
    serverName,
  } = ask.elicitation ?? { message: '', serverName: '' }
  const { context, client, session, signal } = ports
  const cancellation = { cancellationSignal: signal, stopWaitingOnCancel: true }
  if (mode === 'url' && url !== undefined) {
    if (!client.urls) return askToOpen(ask, `${serverName}: ${message}`, url, ports)
    const request: CreateElicitationRequest = {
      mode: 'url',
      sessionId: session,
      message,
      url,
      elicitationId: elicitationId ?? ask.id,
    }
    const answer = await context.request(methods.client.elicitation.create, request, cancellation)
    return { kind: 'elicitation', action: actionOf(answer.action) }
  }
  const schema = toAcpFormSchema(requestedSchema)
  if (!client.forms || !schema) return { kind: 'elicitation', action: 'decline' }
  const request: CreateElicitationRequest = { mode: 'form', sessionId: session, message, requestedSchema: schema }
  const answer = await context.request(methods.client.elicitation.create, request, cancellation)
  const action = actionOf(answer.action)
  return action === 'accept'
    ? { kind: 'elicitation', action, content: contentOf(answer) }
    : { kind: 'elicitation', action }
}

/** Shows the address as a call, for the user to open. */
async function askToOpen(ask: Ask, title: string, url: string, ports: ClientAskPorts): Promise<AskAnswer> {
  const { context, session: sessionId } = ports
  const shown = {
    toolCallId: ask.id,
    title,
    kind: 'fetch' as const,
    status: 'pending' as const,
    content: [textContent(url)],
  }
  await context.notify(methods.client.session.update, { sessionId, update: { sessionUpdate: 'tool_call', ...shown } })
  const options: PermissionOption[] = [
    { optionId: 'done', name: 'I have opened it', kind: 'allow_once' },
    { optionId: 'reject', name: 'No', kind: 'reject_once' },
  ]
  const chosen = await choose({ sessionId, toolCall: shown, options }, ports).catch(() => undefined)
  const status = chosen === 'done' ? ('completed' as const) : ('failed' as const)
  const update = { sessionUpdate: 'tool_call_update' as const, toolCallId: ask.id, status }
  await context.notify(methods.client.session.update, { sessionId, update }).catch(() => {})
  return { kind: 'elicitation', action: chosen === undefined ? 'cancel' : chosen === 'done' ? 'accept' : 'decline' }
}

function actionOf(action: string): 'accept' | 'decline' | 'cancel' {
  return action === 'accept' || action === 'decline' ? action : 'cancel'
}

type Content = Record<string, string | number | boolean | string[]>

/** As the client gave it; the server checks it against its form. */
function contentOf(answer: object): Content {
  if (!('content' in answer) || !isObject(answer.content)) return {}
  return answer.content as Content // the protocol's library has checked it
}
