/** What the model reads once, before the first prompt: the skills there are, and the instructions of CLAUDE.md files. */

import type { ContentBlockParam, MessageParam } from '../../protocol/content.js'
import { reminderText } from '../../protocol/shown/own-tags.js'
import type { PendingTexts } from '../conversation.js'
import type { SessionProject } from '../session-project.js'

/** Returns the opening texts that the conversation doesn't contain yet. */
export function openingTexts(
  project: SessionProject,
  before: readonly MessageParam[] = [],
): Pick<PendingTexts, 'listing' | 'instructions'> {
  const unread = (text: string) => (text === '' || hasReminder(before, text) ? [] : [text])
  return {
    listing: unread(project.skillListing),
    instructions: unread(project.instructionsText(project.instructions)),
  }
}

/** Whether a reminder of this text stands in the conversation. */
export function hasReminder(messages: readonly MessageParam[], text: string): boolean {
  const told = reminderText(text)
  const isIt = (block: ContentBlockParam) => block.type === 'text' && block.text === told
  return messages.some(({ role, content }) => role === 'user' && typeof content !== 'string' && content.some(isIt))
}
