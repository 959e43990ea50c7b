/** The turn that another process began, parked or yielded, from where it was left to its one result. */
import { failedCallResult } from '../../engine/finished-call.js'
import { toEngineCall } from '../../engine/read-call.js'
import type { ToolUseBlock } from '../../protocol/content.js'
import type { Conversation } from '../conversation.js'
import type { UserTurnMessage } from '../messages/user-message.js'

/** It stands for no message: nobody said anything. */
export const EMPTY_CONTINUATION_MESSAGE: UserTurnMessage = {
  uuid: undefined,
  content: '',
  blocks: [],
  text: '',
  continues: true,
}

export const NOTHING_TO_CONTINUE_RESULT = {
  reason: 'invalid_input',
  text: '',
  errors: ['There is no turn to go on with: the last one has come to its end.'],
  errorCode: 'nothing_to_continue',
  numTurns: 0,
} as const

const GIVEN_UP = 'This call was still waiting when the conversation went on. It was not run.'

/** Calls of the last answer that have no result. */
export function findOpenCalls({ history: { messages } }: Conversation): ToolUseBlock[] {
  const at = messages.findLastIndex(({ role }) => role === 'assistant')
  const content = messages[at]?.content
  if (content === undefined || typeof content === 'string') return []
  const next = messages[at + 1]?.content
  const results = typeof next === 'string' ? [] : (next ?? [])
  const done = new Set(results.flatMap((block) => (block.type === 'tool_result' ? block.tool_use_id : [])))
  return content.filter((block): block is ToolUseBlock => block.type === 'tool_use' && !done.has(block.id))
}

/** A prompt that comes in place of the answer that calls wait for: they are over. */
export async function giveUpOpenCalls(conversation: Conversation): Promise<void> {
  const open = findOpenCalls(conversation)
  if (open.length === 0) return
  const results = open.map((use) => failedCallResult(toEngineCall(use), GIVEN_UP))
  for (const { call, block, output } of results) {
    await conversation.emitter.emit({ type: 'tool-result', call, block, output })
  }
  conversation.history.addUser(results.map(({ block }) => block))
}
