/** Runs the loop for a prompt that is in the history: of the session's own turn, or of a sub-agent's. */
import type { History } from '../../engine/history.js'
import { runTurn, type TurnEnd } from '../../engine/loop.js'
import type { MessageParam, Usage } from '../../protocol/content.js'
import type { SDKPermissionDenial } from '../../protocol/permission-types.js'
import { noteAnswer, watchedModel } from '../messages/answer-notices.js'
import { currentModel, systemPrompt } from '../messages/init-message.js'
import type { SessionParts } from '../session-parts.js'

/** What the loop leaves behind beside its end. */
export type LoopRecord = { usages: Usage[]; denials: SDKPermissionDenial[] }

export async function runLoop(
  parts: SessionParts,
  { usages, denials }: LoopRecord,
  maxTurns: number | null,
  signal: AbortSignal,
): Promise<TurnEnd> {
  const { hooks, emitter, history, settings } = parts
  parts.inLoop = true
  const { sent } = parts.context
  if (sent && sent.model !== currentModel(parts)) leaveOutThinking(history)
  const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  try {
    return await runTurn(
      {
        history,
        model: () => currentModel(parts),
        fallbackModel: settings.fallbackModel && parts.model.resolve(settings.fallbackModel),
        system: systemPrompt(parts),
        tools: parts.definitions,
        partial: settings.partial,
        maxTurns,
      },
      {
        ...parts.ports,
        model: watchedModel(parts),
        emit(event) {
          if (event.type === 'used') usages.push(event.usage)
          if (event.type === 'tool-result') parts.model.countCall()
          if (event.type === 'answered') {
            parts.context.tokens = tokensOf(event.message.usage)
            noteAnswer(parts, event.message)
          }
          if (event.type === 'denied') {
            denials.push({ tool_name: event.call.name, tool_use_id: event.call.id, tool_input: event.call.input })
            if (event.automatic) void hooks.permissionDenied(event.call, event.message, signal)
          }
          const sent = emitter.emit(event)
          // A reader that is behind may hold the turn up, but not its end.
          return sent && Promise.race([sent, aborted])
        },
      },
      signal,
    )
  } finally {
    parts.inLoop = false
  }
}

/** What the next request will hold at least. */
export function tokensOf({
  input_tokens,
  cache_creation_input_tokens,
  cache_read_input_tokens,
  output_tokens,
}: Usage): number {
  return input_tokens + (cache_creation_input_tokens ?? 0) + (cache_read_input_tokens ?? 0) + output_tokens
}

/** What one model thought is signed for it; another, perhaps of another provider, can do nothing with it. */
function leaveOutThinking(history: History): void {
  const isThought = ({ type }: { type: string }) => type === 'thinking' || type === 'redacted_thinking'
  const has = ({ content }: MessageParam) => typeof content !== 'string' && content.some(isThought)
  if (!history.messages.some(has)) return
  history.replace(
    history.messages.map((message) => {
      const { role, content } = message
      return typeof content === 'string' ? message : { role, content: content.filter((block) => !isThought(block)) }
    }),
  )
}
