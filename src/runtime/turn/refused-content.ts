/**
 * What the API refuses must not stay in the conversation: every later request would be refused as well. A prompt is taken out,
 * pictures and documents in results of tools are replaced; on disk that is another branch, which a resumed session takes.
 */

import type { ModelFailure } from '../../engine/ports.js'
import type { ContentBlockParam } from '../../protocol/content.js'
import { reminderText } from '../../protocol/shown/own-tags.js'
import type { Conversation } from '../conversation.js'

const MEDIA = ['image', 'document', 'container_upload']
const LEFT_OUT = '[The API refused what stood here, so it was left out.]'

/** `prompt`: the blocks that this turn began with. Nothing happens when something else than content was refused. */
export async function leaveOutRefusedContent(
  conversation: Conversation,
  prompt: readonly ContentBlockParam[],
  failure: ModelFailure,
): Promise<void> {
  const { history, transcript, turn, emitter } = conversation
  const last = history.messages.at(-1)
  if (last?.role !== 'user' || typeof last.content === 'string') return
  const before = history.messages.slice(0, -1)
  const isNew = new Set(prompt)
  if (last.content.some((block) => isNew.has(block))) {
    if (!isCause(failure, prompt)) return
    const why = failure.text.slice(0, 200)
    const text = reminderText(`The user sent a message here that the API refused, so it was left out (${why}).`)
    const note: ContentBlockParam = { type: 'text', text }
    const kept = last.content.filter((block) => !isNew.has(block))
    history.replace([...before, { role: 'user', content: [...kept, note] }])
    transcript.parent = turn.prompt?.parent ?? null
    transcript.context([...(turn.prompt?.context ?? []), note])
    await emitter.inform('The API refused this message, so it is no longer part of the conversation.', 'warning')
  } else if (mediaIn(last.content).length > 0 && isCause(failure, last.content)) {
    const content = last.content.map(withoutMedia)
    history.replace([...before, { role: 'user', content }])
    emitter.afterAnswer(content)
    await emitter.inform('The API refused a picture or document of a tool, so it was left out.', 'warning')
  }
}

/** A short text alone is never what is wrong with a request. */
function isCause({ code }: ModelFailure, blocks: readonly ContentBlockParam[]): boolean {
  return code === 'prompt_too_long' || (code === 'invalid_request' && mediaIn(blocks).length > 0)
}

function mediaIn(blocks: readonly ContentBlockParam[]): { type: string }[] {
  return blocks.flatMap((block): { type: string }[] => {
    if (isMedia(block)) return [block]
    return block.type === 'tool_result' && Array.isArray(block.content) ? block.content.filter(isMedia) : []
  })
}

function isMedia({ type }: { type: string }): boolean {
  return MEDIA.includes(type)
}

function withoutMedia(block: ContentBlockParam): ContentBlockParam {
  const note = { type: 'text' as const, text: LEFT_OUT }
  if (isMedia(block)) return note
  if (block.type !== 'tool_result' || !Array.isArray(block.content)) return block
  return { ...block, content: block.content.map((inner) => (isMedia(inner) ? note : inner)) }
}
