/** What a user message becomes for the model: the blocks of the prompt, and what the model reads before them. */
import { reminder } from '../../engine/loop.js'
import { isAbsolute, join, resolve } from '../../platform/paths.js'
import type { ContentBlockParam, MessageParam, UUID } from '../../protocol/content.js'
import { readMcpMentions } from '../mcp/session-resources.js'
import type { UserTurnMessage } from '../messages/user-message.js'
import { quietCall } from '../permission/quiet-call.js'
import type { SessionParts } from '../session-parts.js'
import type { SessionProject } from '../session-project.js'
import type { SlashCommand } from './slash-commands.js'

/** Of one file that a command mentions; the model can read on. */
const MAX_MENTIONED = 50_000
const MAX_MENTIONS = 20

/** What the model reads once, before the first prompt; of a session that goes on, what it has not read yet. */
export function openingTexts(project: SessionProject, before: readonly MessageParam[] = []): SessionParts['opening'] {
  const unread = (text: string) => (text === '' || hasRead(before, reminder(text)) ? [] : [text])
  return {
    listing: unread(project.skillListing),
    instructions: unread(project.instructionsText(project.instructions)),
  }
}

function hasRead(messages: readonly MessageParam[], text: string): boolean {
  const isIt = (block: ContentBlockParam) => block.type === 'text' && block.text === text
  return messages.some(({ role, content }) => role === 'user' && typeof content !== 'string' && content.some(isIt))
}

/** Undefined: there is nothing to ask the model. */
export function promptBlocks(command: SlashCommand, message: UserTurnMessage): ContentBlockParam[] | undefined {
  if (command.kind === 'none') return message.blocks
  if (command.kind !== 'prompt') return undefined
  const body = command.body === '' ? [] : [{ type: 'text' as const, text: command.body }]
  return [{ type: 'text', text: command.marks }, ...body, ...command.attached]
}

export function recordPrompt(parts: SessionParts, command: SlashCommand, message: UserTurnMessage, uuid: UUID): void {
  const { transcript, permissions } = parts
  const permissionMode = permissions.mode()
  const content = command.kind === 'prompt' ? command.marks : message.content
  transcript.user({ type: 'user', message: { role: 'user', content }, uuid, permissionMode })
  if (command.kind !== 'prompt') return
  transcript.context([{ type: 'text', text: command.body }, ...command.attached])
}

/** Before the prompt: what hooks and the session have to say, in the order hosts have always sent it. */
export async function contextBlocks(
  parts: SessionParts,
  fromHooks: readonly string[],
  command: SlashCommand,
  said: string,
  signal: AbortSignal,
): Promise<ContentBlockParam[]> {
  const { opening } = parts
  const texts = [
    ...parts.pendingContext.splice(0),
    ...parts.hooks.takeLate(),
    ...opening.listing.splice(0),
    ...parts.plan.reminders(),
    ...parts.mcpOffer.reminders(),
    ...fromHooks,
    ...(command.kind === 'prompt' ? await readMentions(parts, command.mentions, signal) : []),
    ...(await readMcpMentions(parts.mcp, said, signal)),
    ...opening.instructions.splice(0),
  ]
  return texts.map((text) => ({ type: 'text', text: reminder(text) }))
}

/** Files that a command names as `@path`, as far as they may be read without a question. */
async function readMentions(parts: SessionParts, mentions: readonly string[], signal: AbortSignal): Promise<string[]> {
  const { cwd, home } = parts.settings
  const texts: string[] = []
  for (const mention of mentions.slice(0, MAX_MENTIONS)) {
    const path = mention.startsWith('~/') ? join(home, mention.slice(2)) : mention
    const filePath = isAbsolute(path) ? path : resolve(cwd, path)
    if ((await parts.platform.workspace.files.stat(filePath))?.kind !== 'file') continue
    const { result } = await quietCall(parts, 'Read', { file_path: filePath }, signal)
    // What hooks and nested instructions have to say to it, too: they say it once.
    texts.push(...(result?.context ?? []))
    const content = result && !result.block.is_error ? result.block.content : undefined
    if (typeof content !== 'string') continue
    texts.push(`The command below mentions ${filePath}, which Read shows as:\n${content.slice(0, MAX_MENTIONED)}`)
  }
  return texts
}
