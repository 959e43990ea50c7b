/** After a turn, on request: asks the model what the user may want next, and offers it. Costs one short model request. */

import { isVariableOn } from '../../platform/switch.js'
import type { Conversation } from '../conversation.js'
import { sessionSystemPrompt } from '../messages/init-message.js'

const QUESTION =
  'Suggest what the user is likely to ask you next, as one short line in their own voice. Answer with that line only, without quotes. If nothing obvious comes next, answer with the word NONE.'
const MAX_LENGTH = 200

export async function suggestPrompt(conversation: Conversation, signal: AbortSignal): Promise<void> {
  const {
    history,
    ports,
    shared: { platform, sessionId },
    emitter,
  } = conversation
  // The same prefix as the turn before it, so that the prompt cache serves most of it.
  const stream = ports.model.stream(
    {
      model: conversation.model.current(),
      system: sessionSystemPrompt(conversation),
      tools: conversation.offer.definitions(),
      messages: [...history.messages, { role: 'user', content: [{ type: 'text', text: QUESTION }] }],
      partial: false,
    },
    signal,
  )
  let text = ''
  for await (const event of stream) {
    if (event.type === 'end' && event.outcome.ok) {
      text = event.outcome.message.content.flatMap((block) => (block.type === 'text' ? block.text : [])).join(' ')
    }
  }
  const suggestion = text.trim().split('\n')[0]?.slice(0, MAX_LENGTH) ?? ''
  if (signal.aborted || suggestion === '' || suggestion === 'NONE') return
  await emitter.send({ type: 'prompt_suggestion', suggestion, uuid: platform.identity.uuid(), session_id: sessionId })
}

/** Not after the first turn, a failure or in plan mode: then there is nothing worth guessing. */
export function isSuggestionWanted({ shared: { host, results, live }, permissions }: Conversation): boolean {
  if (!host.wishes.suggestions || !isVariableOn(live.env.CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION, true)) return false
  return results.count > 1 && !results.lastIsError && permissions.mode() !== 'plan'
}
