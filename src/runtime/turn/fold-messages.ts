/** Makes waiting user messages part of the running turn: their hooks are asked, and they enter the transcript. */
import type { FoldedMessage } from '../../engine/ports.js'
import type { Conversation } from '../conversation.js'
import type { UserTurnMessage } from '../messages/user-message.js'

export async function foldMessages(
  conversation: Conversation,
  messages: readonly UserTurnMessage[],
  signal: AbortSignal,
): Promise<FoldedMessage[]> {
  const folded: FoldedMessage[] = []
  for (const message of messages) {
    const verdict = await conversation.hooks.promptSubmit(message.text, signal)
    // Blocked: the model never sees it, as if it had come by itself.
    if (verdict.blocked) continue
    const uuid = message.uuid ?? conversation.shared.platform.identity.uuid()
    await conversation.shared.checkpoints.begin(uuid)
    conversation.transcript.user({
      type: 'user',
      message: { role: 'user', content: message.content },
      uuid,
      permissionMode: conversation.permissions.mode(),
    })
    folded.push({
      text: [...verdict.context, message.text].join('\n'),
      blocks: message.blocks.filter((block) => block.type !== 'text'),
    })
  }
  return folded
}
