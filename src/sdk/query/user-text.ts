/** A text as the user message that carries it. */
import type { SDKUserMessage } from '../../protocol/messages.js'

export function userTextMessage(text: string): SDKUserMessage {
  return {
    type: 'user',
    session_id: '',
    message: { role: 'user', content: [{ type: 'text', text }] },
    parent_tool_use_id: null,
  }
}
