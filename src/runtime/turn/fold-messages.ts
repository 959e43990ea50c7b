/** Makes waiting user messages part of the running turn: their hooks are asked, and they enter the transcript. */
import type { FoldedMessage } from '../../engine/ports.js'
import type { UserTurnMessage } from '../messages/user-message.js'
import type { SessionParts } from '../session-parts.js'

export async function foldMessages(
  parts: SessionParts,
  messages: readonly UserTurnMessage[],
  signal: AbortSignal,
): Promise<FoldedMessage[]> {
  const folded: FoldedMessage[] = []
  for (const message of messages) {
    const verdict = await parts.hooks.promptSubmit(message.text, signal)
    // Blocked: the model never sees it, as if it had come by itself.
    if (verdict.blocked) continue
    const uuid = message.uuid ?? parts.platform.identity.uuid()
    await parts.checkpoints.begin(uuid)
    parts.transcript.user({
      type: 'user',
      message: { role: 'user', content: message.content },
      uuid,
      permissionMode: parts.permissions.mode(),
    })
    folded.push({
      text: [...verdict.context, message.text].join('\n'),
      blocks: message.blocks.filter((block) => block.type !== 'text'),
    })
  }
  return folded
}
