/** What the input of a run says: what its page has of the turn, and what the user wants. */
import { isObject, type JsonObject, textOrEmpty } from '../../../protocol/json.js'
import type { Ask, AskAnswer } from '../../public-client.js'
import { answerOfPageOutput, approvalAnswer } from '../call-content.js'
import { callKey, type KnownItem } from '../turn-events.js'

/** The input of a run, as far as it is read. */
export type AgUiRunInput = {
  threadId: string
  runId: string
  messages: readonly { id: string; role: string; content?: unknown; toolCalls?: unknown; toolCallId?: unknown }[]
  /** Answers to the interrupts of the run before. */
  resume?: readonly AgUiResume[] | undefined
}

/** An answer to an interrupt. */
export type AgUiResume = { interruptId: string; status: string; payload?: unknown }

export type KnownTurnContent = { items: ReadonlyMap<string, KnownItem>; calls: ReadonlySet<string> }

/** Returns what the messages have of a turn. */
export function knownTurnContentInMessages({ messages }: Pick<AgUiRunInput, 'messages'>): KnownTurnContent {
  const items = new Map<string, KnownItem>()
  const calls = new Set<string>()
  for (const { id, role, content, toolCalls, toolCallId } of messages) {
    if (role === 'assistant' || role === 'reasoning')
      items.set(id, { length: textOrEmpty(content).length, isOver: true })
    for (const call of Array.isArray(toolCalls) ? toolCalls : []) {
      const useId = isObject(call) ? textOrEmpty(call['id']) : ''
      calls.add(useId)
      items.set(callKey(useId), { isCalled: true })
    }
    if (role === 'tool') items.set(callKey(textOrEmpty(toolCallId)), { isCalled: true, isOver: true })
  }
  return { items, calls }
}

/** Returns the answer that a resume entry gives. Without a payload that is one, it's a denial. */
export function answerOfResume(ask: Ask, { status, payload }: AgUiResume): AskAnswer {
  if (status !== 'resolved') return approvalAnswer(ask, false)
  if (ask.kind === 'question' || ask.kind === 'elicitation')
    return answerOfPageOutput(ask, payload) ?? approvalAnswer(ask, payload === true)
  const given: JsonObject = isObject(payload) ? payload : { approved: payload }
  const isAllowed = given['approved'] === true
  const answer = approvalAnswer(ask, isAllowed, textOrEmpty(given['message']) || textOrEmpty(given['reason']))
  const { editedArgs } = given
  return answer.kind === 'allow' && isObject(editedArgs) ? { ...answer, input: editedArgs } : answer
}

/** Returns the text of a user message. */
export function messageText(content: unknown): string {
  if (typeof content === 'string') return content
  const parts: unknown[] = Array.isArray(content) ? content : []
  return parts
    .flatMap((part) => (isObject(part) && part['type'] === 'text' ? textOrEmpty(part['text']) : []))
    .join('\n')
}
