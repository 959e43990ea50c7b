/** Tells `MessageDisplay` hooks of the lines of an answer while it is written, in their order. Kedge shows the text as it is. */
import type { EngineEvent } from '../../engine/events.js'
import type { Conversation } from '../conversation.js'

export type MessageDisplay = ReturnType<typeof createMessageDisplay>

export function createMessageDisplay({ context, hooks, shared }: Conversation, signal: AbortSignal) {
  const newId = shared.platform.identity.uuid
  let message = { id: newId(), index: 0, rest: '', isStreamed: false, isEmpty: true }
  /** One after the other: the hooks of the second part must not overtake those of the first. */
  let told = Promise.resolve()

  const tell = (delta: string, final: boolean) => {
    const { id, index } = message
    message.index += 1
    const fields = { turn_id: context.promptId ?? '', message_id: id, index, final, delta }
    told = told.then(() => hooks.messageDisplay(fields, signal))
  }
  const add = (text: string) => {
    if (text !== '') message.isEmpty = false
    const all = message.rest + text
    const end = all.lastIndexOf('\n') + 1
    message.rest = all.slice(end)
    if (end > 0) tell(all.slice(0, end), false)
  }
  return {
    see(event: EngineEvent): void {
      if (event.type === 'stream') {
        const { event: part } = event
        if (part.type !== 'content_block_delta' || part.delta.type !== 'text_delta') return
        message.isStreamed = true
        add(part.delta.text)
      } else if (event.type === 'assistant' && !message.isStreamed) {
        for (const block of event.message.content) if (block.type === 'text') add(block.text)
      } else if (event.type === 'answered') {
        if (!message.isEmpty) tell(message.rest, true)
        message = { id: newId(), index: 0, rest: '', isStreamed: false, isEmpty: true }
      }
    },
    /** Resolves when every hook was told. */
    finish: () => told,
  }
}
