/** Makes what has come during a turn part of it: messages of the user, whose hooks are asked, and ends of tasks. */
import type { ContentBlockParam } from '../../protocol/content.js'
import { MID_TURN_PROMPT_PREFIX, reminderText } from '../../protocol/shown/own-tags.js'
import type { Conversation } from '../conversation.js'
import type { UserTurnMessage } from '../messages/user-message.js'

export async function addPromptsToTurn(
  conversation: Conversation,
  messages: readonly UserTurnMessage[],
  signal: AbortSignal,
): Promise<ContentBlockParam[]> {
  const blocks = tellEnded(conversation)
  for (const message of messages) blocks.push(...(await fold(conversation, message, signal)))
  return blocks
}

/** Tasks that ended before the turn, where no prompt could tell of them: the turn continues one of another process. */
function tellEnded(conversation: Conversation): ContentBlockParam[] {
  return conversation.toTell.ended.splice(0).map((text) => {
    record(conversation, { content: text, uuid: undefined })
    return { type: 'text', text }
  })
}

async function fold(
  conversation: Conversation,
  message: UserTurnMessage,
  signal: AbortSignal,
): Promise<ContentBlockParam[]> {
  const { background, checkpoints, platform } = conversation.shared
  if (message.task) {
    background.announceEnd(message.task)
    if (background.table.isTold(message.task)) return []
    background.table.noteTold(message.task)
    record(conversation, message)
    return message.blocks
  }
  const verdict = await conversation.hooks.promptSubmit(message.text, signal)
  // Blocked: the model never sees it, as if it had come by itself.
  if (verdict.blocked) return []
  const uuid = message.uuid ?? platform.identity.uuid()
  await checkpoints.begin(uuid)
  record(conversation, { ...message, uuid })
  const attached = message.blocks.filter((block) => block.type !== 'text')
  const said = message.text === '' ? [] : [`${MID_TURN_PROMPT_PREFIX}\n${message.text}`]
  return [
    ...[...verdict.context.map(reminderText), ...said].map((text) => ({ type: 'text' as const, text })),
    ...attached,
  ]
}

function record(
  { transcript, permissions, shared }: Conversation,
  { content, uuid }: Pick<UserTurnMessage, 'content' | 'uuid'>,
): void {
  transcript.user({
    type: 'user',
    message: { role: 'user', content },
    uuid: uuid ?? shared.platform.identity.uuid(),
    permissionMode: permissions.mode(),
  })
}
