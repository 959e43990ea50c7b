/**
 * A sign-in to an MCP server in an editor: a request with choices, then the page. The editor's user is mostly on the
 * agent's machine, so the browser comes back to it, and the request for the visit is withdrawn.
 */
import type { PermissionOption, ToolCallUpdate } from '@agentclientprotocol/sdk/unstable'
import { methods } from '@agentclientprotocol/sdk/unstable'
import { isObject } from '../../protocol/json.js'
import type { Ask, AskAnswer } from '../../protocol/session-log/ask-types.js'
import { SIGN_IN_TEXTS } from '../../protocol/shown/vocabulary.js'
import { requestTitle } from '../../view/request-title.js'
import { textContent } from '../updates/tool-content.js'
import type { ClientAskPorts } from './client-ask-ports.js'

type SignInAnswer = Extract<AskAnswer, { kind: 'sign-in' }>
type Choices = Record<string, string>

const CANCEL: SignInAnswer = { kind: 'sign-in', action: 'cancel' }

export async function askSignIn(ask: Ask, ports: ClientAskPorts): Promise<AskAnswer> {
  const { step, url = '', problem } = ask.signIn ?? {}
  if (step === 'visit') return askVisit(ask, ports)
  const failed = problem === undefined ? '' : `${SIGN_IN_TEXTS.failed(problem)}\n\n`
  const options = {
    browser: SIGN_IN_TEXTS.start,
    device: SIGN_IN_TEXTS.startWithCode,
    cancel: SIGN_IN_TEXTS.notNow,
  }
  const chosen = await choose(ask, failed + SIGN_IN_TEXTS.offer(url), options, ports)
  if (chosen !== 'browser' && chosen !== 'device') return CANCEL
  return { kind: 'sign-in', action: 'start', method: chosen }
}

async function askVisit(ask: Ask, ports: ClientAskPorts): Promise<AskAnswer> {
  const { address = '', code, canPaste, problem } = ask.signIn ?? {}
  const { context, client, session, signal } = ports
  const cancellation = { cancellationSignal: signal, stopWaitingOnCancel: true }
  const words = [
    ...(problem === undefined ? [] : [SIGN_IN_TEXTS.failed(problem)]),
    SIGN_IN_TEXTS.visit,
    ...(code === undefined ? [] : [SIGN_IN_TEXTS.code(code)]),
  ]
  if (client.urls) {
    const message = [requestTitle(ask, ''), ...words].join('\n')
    const opened = await context.request(
      methods.client.elicitation.create,
      { mode: 'url', sessionId: session, message, url: address, elicitationId: ask.id },
      cancellation,
    )
    if (opened.action !== 'accept') return CANCEL
  }
  const options = {
    ...(canPaste && client.forms ? { paste: SIGN_IN_TEXTS.paste } : {}),
    cancel: SIGN_IN_TEXTS.cancel,
  }
  const chosen = await choose(ask, [...words, address].join('\n\n'), options, ports)
  return chosen === 'paste' ? askPaste(ports) : CANCEL
}

async function askPaste({ context, session, signal }: ClientAskPorts): Promise<AskAnswer> {
  const answer = await context.request(
    methods.client.elicitation.create,
    {
      mode: 'form',
      sessionId: session,
      message: SIGN_IN_TEXTS.pasteHint,
      requestedSchema: {
        type: 'object',
        properties: { address: { type: 'string', title: SIGN_IN_TEXTS.pasteExample } },
        required: ['address'],
      },
    },
    { cancellationSignal: signal, stopWaitingOnCancel: true },
  )
  const content: unknown = answer.action === 'accept' && 'content' in answer ? answer.content : undefined
  const callback = isObject(content) ? content['address'] : undefined
  return typeof callback === 'string' && callback.trim() !== ''
    ? { kind: 'sign-in', action: 'finish', callback: callback.trim() }
    : CANCEL
}

/** Undefined: the user closed it. */
async function choose(ask: Ask, text: string, choices: Choices, ports: ClientAskPorts): Promise<string | undefined> {
  const { context, session: sessionId, signal } = ports
  const toolCall: ToolCallUpdate & { title: string } = {
    toolCallId: ask.id,
    title: requestTitle(ask, ''),
    kind: 'other',
    status: 'pending',
    content: [textContent(text)],
  }
  const options: PermissionOption[] = Object.entries(choices).map(([optionId, name]) => ({
    optionId,
    name,
    kind: optionId === 'cancel' ? 'reject_once' : 'allow_once',
  }))
  await context.notify(methods.client.session.update, {
    sessionId,
    update: { sessionUpdate: 'tool_call', ...toolCall },
  })
  try {
    const { outcome } = await context.request(
      methods.client.session.requestPermission,
      { sessionId, toolCall, options },
      { cancellationSignal: signal, stopWaitingOnCancel: true },
    )
    return outcome.outcome === 'selected' ? outcome.optionId : undefined
  } finally {
    const status = 'completed' as const
    await context
      .notify(methods.client.session.update, {
        sessionId,
        update: { sessionUpdate: 'tool_call_update', toolCallId: ask.id, status },
      })
      .catch(() => {})
  }
}
