/** What a user message becomes for the model: the blocks of the prompt, and what the model reads before them. */

import { isAbsolute, join, resolve } from '../../platform/paths.js'
import type { ContentBlockParam, UUID } from '../../protocol/content.js'
import { reminderText } from '../../protocol/shown/own-tags.js'
import type { Conversation } from '../conversation.js'
import { readMcpMentions } from '../mcp/session-resources.js'
import type { UserTurnMessage } from '../messages/user-message.js'
import { runCallWithoutAsking } from '../permission/call-without-asking.js'
import type { TypedCommandOutcome } from './slash-commands.js'

/** Maximum characters of one file that a command mentions; the model can read on. */
const MAX_MENTIONED = 50_000
const MAX_MENTIONS = 20

/** Returns the content blocks of a prompt. Undefined: there is nothing to ask the model. */
export function promptBlocks(command: TypedCommandOutcome, message: UserTurnMessage): ContentBlockParam[] | undefined {
  if (command.kind === 'none') return message.blocks
  if (command.kind !== 'prompt') return undefined
  const body = command.body === '' ? [] : [{ type: 'text' as const, text: command.body }]
  return [{ type: 'text', text: command.marks }, ...body, ...command.attached]
}

export function recordPrompt(
  conversation: Conversation,
  command: TypedCommandOutcome,
  message: UserTurnMessage,
  uuid: UUID,
): void {
  const { transcript, permissions, turn } = conversation
  const permissionMode = permissions.mode()
  const content = command.kind === 'prompt' ? command.marks : message.content
  transcript.user({ type: 'user', message: { role: 'user', content }, uuid, permissionMode }, turn.prompt?.context)
  if (command.kind !== 'prompt') return
  transcript.context([{ type: 'text', text: command.body }, ...command.attached])
}

/** Before the prompt: what hooks and the session have to say, in the order hosts have always sent it. */
export async function contextBlocks(
  conversation: Conversation,
  fromHooks: readonly string[],
  command: TypedCommandOutcome,
  said: string,
  signal: AbortSignal,
): Promise<ContentBlockParam[]> {
  const { toTell: opening } = conversation
  const texts = [
    ...opening.pending.splice(0),
    ...conversation.hooks.takeLate(),
    ...opening.listing.splice(0),
    ...conversation.shared.plan.reminders(),
    ...conversation.offer.reminders(),
    ...fromHooks,
    ...((command.kind === 'prompt' && command.context) || []),
    ...(command.kind === 'prompt' ? await readMentions(conversation, command.mentions, signal) : []),
    ...(await readMcpMentions(conversation.shared.mcp, said, signal)),
    ...opening.instructions.splice(0),
  ]
  const notices = opening.ended.splice(0)
  return [...notices, ...texts.map(reminderText)].map((text) => ({ type: 'text', text }))
}

/** Files that a command names as `@path`, as far as they may be read without a question. */
async function readMentions(
  conversation: Conversation,
  mentions: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const { cwd, home } = conversation.shared.settings
  const texts: string[] = []
  for (const mention of mentions.slice(0, MAX_MENTIONS)) {
    const path = mention.startsWith('~/') ? join(home, mention.slice(2)) : mention
    const filePath = isAbsolute(path) ? path : resolve(cwd, path)
    if ((await conversation.shared.platform.workspace.files.stat(filePath))?.kind !== 'file') continue
    const { result } = await runCallWithoutAsking(conversation, 'Read', { file_path: filePath }, signal)
    // What hooks and nested instructions have to say to it, too: they say it once.
    texts.push(...(result?.context ?? []))
    const content = result && !result.block.is_error ? result.block.content : undefined
    if (typeof content !== 'string') continue
    texts.push(`The command below mentions ${filePath}, which Read shows as:\n${content.slice(0, MAX_MENTIONED)}`)
  }
  return texts
}
