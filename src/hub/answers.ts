/** What a person's answer means to the agent. Pure. */
import { KedgeError } from '../errors.js'
import type { ElicitationResult, McpSignInAnswer } from '../protocol/mcp-servers.js'
import type { PermissionResult } from '../protocol/permission-types.js'
import type { Ask, AskAnswer, AskKind } from '../protocol/session-log/ask-types.js'

const FITTING: Record<AskKind, readonly AskAnswer['kind'][]> = {
  permission: ['allow', 'deny'],
  question: ['answers', 'deny'],
  plan: ['approve', 'revise', 'deny'],
  elicitation: ['elicitation', 'deny'],
  'sign-in': ['sign-in', 'deny'],
}

/**
 * Checks an answer against its request. Throws `invalid_answer` when the answer does not fit what was asked, or was
 * about another input.
 */
export function checkAnswerFitsAsk(ask: Ask, answer: AskAnswer): void {
  const fitting = FITTING[ask.kind]
  if (!fitting.includes(answer.kind)) {
    const choices = fitting.map((kind) => `"${kind}"`).join(' or ')
    throw new KedgeError('invalid_answer', `A ${ask.kind} needs the answer ${choices}, got "${answer.kind}".`)
  }
  if (answer.kind === 'sign-in') checkSignInAnswer(ask, answer)
  if (answer.hash !== undefined && answer.hash !== ask.tool?.hash)
    throw new KedgeError('invalid_answer', 'The answer is for another input than the one that the request shows.')
}

/** `start` and `finish` belong to one step each. */
function checkSignInAnswer({ signIn }: Ask, { action, callback }: Extract<AskAnswer, { kind: 'sign-in' }>): void {
  if (action === 'cancel') return
  const fitting = signIn?.step === 'visit' ? 'finish' : 'start'
  if (action !== fitting)
    throw new KedgeError('invalid_answer', `This step of a sign-in needs "${fitting}" or "cancel", got "${action}".`)
  if (action === 'finish' && !callback)
    throw new KedgeError(
      'invalid_answer',
      'A sign-in is finished with `callback`, the address that the browser ended at.',
    )
}

/** Returns an answer as logs have it: without the code of an authorization server. */
export function answerForLog(answer: AskAnswer): AskAnswer {
  if (answer.kind !== 'sign-in') return answer
  const { callback: _callback, ...rest } = answer
  return rest
}

const DENIED = 'The user refused this call; it did not run.'
const SENT_BACK = 'The user did not approve the plan; plan mode is still on.'

/** Bare, the words would read as what the tool itself said. */
function withWords(what: string, words: string | undefined): string {
  const said = words?.trim()
  return said ? `${what} They said: ${JSON.stringify(said)}` : what
}

/** The text the model reads when a user denies a request; `words` is the user's message. */
export function denialText(kind: AskKind, words: string | undefined): string {
  return withWords(kind === 'plan' ? SENT_BACK : DENIED, words)
}

export function toPermissionResult({ kind, tool }: Ask, answer: AskAnswer): PermissionResult {
  const input = tool?.input ?? {}
  switch (answer.kind) {
    case 'allow':
      return {
        behavior: 'allow',
        updatedInput: answer.input ?? input,
        ...(answer.updates ? { updatedPermissions: answer.updates } : {}),
      }
    case 'answers':
      return { behavior: 'allow', updatedInput: { ...input, ...toAnswers(answer) } }
    case 'approve': {
      const { mode, plan } = answer
      return {
        behavior: 'allow',
        updatedInput: plan === undefined ? input : { ...input, plan },
        ...(mode ? { updatedPermissions: [{ type: 'setMode', mode, destination: 'session' }] } : {}),
      }
    }
    case 'revise':
      return { behavior: 'deny', message: withWords(SENT_BACK, answer.comments) }
    case 'deny':
      return {
        behavior: 'deny',
        message: denialText(kind, answer.message),
        ...(answer.stop ? { interrupt: true } : {}),
      }
    case 'elicitation':
    case 'sign-in':
      return { behavior: 'deny', message: DENIED }
  }
}

export function toElicitationResult(answer: AskAnswer): ElicitationResult {
  if (answer.kind !== 'elicitation') return { action: 'decline' }
  return { action: answer.action, ...(answer.content ? { content: answer.content } : {}) }
}

export function toMcpSignInAnswer(answer: AskAnswer): McpSignInAnswer {
  if (answer.kind !== 'sign-in') return { action: 'cancel' }
  const { action, method, callback } = answer
  if (action === 'start') return { action, ...(method ? { method } : {}) }
  return action === 'finish' && callback !== undefined ? { action, callback } : { action: 'cancel' }
}

/** Several choices are one text, as the tool has it. */
function toAnswers({ answers, notes }: Extract<AskAnswer, { kind: 'answers' }>) {
  const texts = Object.entries(answers).map(([question, answer]) => [
    question,
    Array.isArray(answer) ? answer.join(', ') : answer,
  ])
  const annotations = Object.entries(notes ?? {}).map(([question, text]) => [question, { notes: text }])
  return {
    answers: Object.fromEntries(texts),
    ...(annotations.length > 0 ? { annotations: Object.fromEntries(annotations) } : {}),
  }
}
