/** What the loop reports, as lines of the transcript: a chain in which a broken answer is left on a side branch. */
import type { EngineEvent } from '../../engine/events.js'
import type { PlatformIdentity } from '../../platform/identity.js'
import type { ContentBlockParam, UUID } from '../../protocol/content.js'
import type { TranscriptWriter } from '../../sessions/write-transcript.js'

/** The lines that take the place of all before them. */
export type CompactionRecord = {
  trigger: 'manual' | 'auto'
  preTokens: number
  summary: string
  /** What the model reads beside the summary, and what follows that. */
  rest: readonly ContentBlockParam[]
  next: readonly ContentBlockParam[]
}

export type EventRecorder = ReturnType<typeof createEventRecorder>

export function createEventRecorder(transcript: TranscriptWriter, identity: PlatformIdentity) {
  /** Where the lines of the current answer attach, and its id. */
  let answer: { id: string; parent: string | null } | undefined
  /** The last line of the last whole answer. */
  let answered: string | null = null

  const recordAssistant = (event: EngineEvent & { type: 'assistant' }, uuid: UUID) => {
    if (answer && answer.id !== event.message.id) {
      transcript.parent = answer.parent
      answer = undefined
    }
    answer ??= { id: event.message.id, parent: transcript.parent }
    if (event.error) answer = undefined
    const about = event.error ? { error: event.error, isApiErrorMessage: true } : { journaled: true as const }
    const { context_management: _, ...message } = event.message
    const requestId = event.requestId === null ? {} : { requestId: event.requestId }
    transcript.assistant({
      type: 'assistant',
      message: event.error ? event.message : message,
      uuid,
      ...requestId,
      ...about,
    })
  }

  return {
    record(event: EngineEvent, uuid: UUID): void {
      switch (event.type) {
        case 'assistant':
          recordAssistant(event, uuid)
          return
        case 'answered':
          answer = undefined
          answered = transcript.parent
          transcript.answerEnd({ messageId: event.message.id, stopReason: event.message.stop_reason })
          return
        case 'tool-result': {
          const message = { role: 'user' as const, content: [event.block] }
          transcript.user({ type: 'user', message, uuid, toolUseResult: event.output })
          return
        }
        case 'user-text': {
          answer = undefined
          const message = { role: 'user' as const, content: [{ type: 'text' as const, text: event.text }] }
          transcript.user({ type: 'user', message, uuid, ...(event.kind === 'interrupted' ? {} : { isMeta: true }) })
          return
        }
        case 'tool-begun':
          transcript.start({ toolUseId: event.call.id, toolName: event.call.name })
          return
        case 'tool-wait': {
          const { call, state } = event
          transcript.wait({ toolUseId: call.id, toolName: call.name, ...(state ? { state } : {}) })
          return
        }
        case 'asked': {
          const { call, suggestions, decisionReason, blockedPath } = event.question
          transcript.question({
            type: 'question-open',
            toolUseId: call.id,
            toolName: call.name,
            ...(suggestions ? { suggestions } : {}),
            ...(decisionReason ? { decisionReason } : {}),
            ...(blockedPath ? { blockedPath } : {}),
          })
          return
        }
        case 'settled': {
          const { type: _, call, ...rest } = event
          transcript.question({ type: 'question-settled', toolUseId: call.id, toolName: call.name, ...rest })
          return
        }
        case 'context':
          transcript.context(event.texts.map((text) => ({ type: 'text', text })))
          return
      }
    },
    /** Returns the line that `next` follows. */
    recordSummary({ trigger, preTokens, summary, rest, next }: CompactionRecord, boundary: UUID, uuid: UUID) {
      transcript.boundary(boundary, { trigger, preTokens })
      const message = { role: 'user' as const, content: summary }
      transcript.user({ type: 'user', message, uuid, isVisibleInTranscriptOnly: true, isCompactSummary: true })
      // What was recorded before the summary is no longer part of what a resumed session reads.
      transcript.context(rest)
      const { parent } = transcript
      transcript.context(next)
      return parent
    },
    /** These blocks take the place of all that was recorded since the last whole answer. */
    replaceSinceAnswer(blocks: readonly ContentBlockParam[]) {
      transcript.parent = answered
      for (const block of blocks.filter(({ type }) => type === 'tool_result')) {
        const message = { role: 'user' as const, content: [block] }
        transcript.user({ type: 'user', message, uuid: identity.uuid() })
      }
      transcript.context(blocks.filter(({ type }) => type !== 'tool_result'))
    },
  }
}
