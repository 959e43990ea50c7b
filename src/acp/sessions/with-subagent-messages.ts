/**
 * A stored conversation in the original order: a sub-agent's messages stand between the call that started it and its
 * result.
 */
import { isObject } from '../../protocol/json.js'
import type { SessionMessage } from '../../protocol/stored-sessions.js'

export function* withSubagentMessages(
  messages: readonly SessionMessage[],
  byCall: ReadonlyMap<string, readonly SessionMessage[]>,
): Generator<SessionMessage> {
  // Each once, even if a damaged file has the call twice or below itself.
  yield* inOrder(messages, new Map(byCall))
}

function* inOrder(
  messages: readonly SessionMessage[],
  left: Map<string, readonly SessionMessage[]>,
): Generator<SessionMessage> {
  for (const message of messages) {
    yield message
    if (left.size === 0) continue
    for (const call of callsIn(message)) {
      const said = left.get(call) ?? []
      left.delete(call)
      yield* inOrder(said, left)
    }
  }
}

function callsIn({ type, message }: SessionMessage): string[] {
  if (type !== 'assistant' || !isObject(message) || !Array.isArray(message['content'])) return []
  return message['content'].flatMap((block) =>
    isObject(block) && block['type'] === 'tool_use' && typeof block['id'] === 'string' ? block['id'] : [],
  )
}
