/** Runs the loop for a prompt that is in the history: of the session's own turn, or of a sub-agent's. */
import type { History } from '../../engine/history.js'
import { runTurn, type TurnEnd } from '../../engine/loop.js'
import type { TurnBeginning } from '../../engine/turn-beginning.js'
import { raceWithAbort } from '../../platform/until-aborted.js'
import type { MessageParam, Usage } from '../../protocol/content.js'
import type { SDKPermissionDenial } from '../../protocol/permission-types.js'
import type { Conversation } from '../conversation.js'
import type { MessageDisplay } from '../hooks/run-message-display-hooks.js'
import { modelWithCacheNotices, warnOfFabricatedCalls } from '../messages/answer-notices.js'
import { currentModel, sessionSystemPrompt } from '../messages/init-message.js'
import type { ToolCallSummarizer } from './tool-summaries.js'

/** What the loop leaves behind beside its end. */
export type TurnLoopRecord = {
  usages: Usage[]
  denials: SDKPermissionDenial[]
  summaries?: ToolCallSummarizer | undefined
  display?: MessageDisplay | undefined
}

export async function runTurnLoop(
  conversation: Conversation,
  { usages, denials, summaries, display }: TurnLoopRecord,
  maxTurns: number | null,
  signal: AbortSignal,
  beginning?: TurnBeginning,
): Promise<TurnEnd> {
  const {
    hooks,
    emitter,
    history,
    shared: { settings },
  } = conversation
  conversation.turn.inLoop = true
  const { sent } = conversation.context
  if (sent && sent.model !== currentModel(conversation)) leaveOutThinking(history)
  try {
    return await runTurn(
      {
        history,
        model: () => currentModel(conversation),
        fallbacks: conversation.model.fallbacks(),
        system: sessionSystemPrompt(conversation),
        tools: conversation.offer.definitions,
        partial: settings.partial,
        maxTurns,
        ...(beginning ? { beginning } : {}),
      },
      {
        ...conversation.ports,
        model: modelWithCacheNotices(conversation),
        emit(event) {
          summaries?.see(event)
          display?.see(event)
          if (event.type === 'repeated') {
            const text = `${event.call.name} was cut off while it ran. It only reads, so it is run again.`
            void emitter.inform(text, 'notice', { code: 'call_repeated', details: { tool_use_id: event.call.id } })
          }
          if (event.type === 'used') usages.push(event.usage)
          if (event.type === 'tool-result') conversation.model.countCall()
          if (event.type === 'answered') {
            conversation.context.tokens = estimateNextRequestTokens(event.message.usage)
            conversation.context.answeredAt = conversation.shared.platform.clock.monotonic()
            warnOfFabricatedCalls(conversation, event.message)
          }
          if (event.type === 'denied') {
            denials.push({ tool_name: event.call.name, tool_use_id: event.call.id, tool_input: event.call.input })
            if (event.automatic) void hooks.permissionDenied(event.call, event.message, signal)
          }
          const sent = emitter.emit(event)
          // A reader that is behind may hold the turn up, but not its end.
          return sent && raceWithAbort(signal, () => undefined, sent)
        },
      },
      signal,
    )
  } finally {
    conversation.turn.inLoop = false
  }
}

/** What the next request will hold at least. */
export function estimateNextRequestTokens({
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
