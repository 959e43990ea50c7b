/** Sends messages to the host and writes the transcript, in that safe order: first the disk, then the wire. */
import type { EngineEvent } from '../../engine/events.js'
import type { PlatformIdentity } from '../../platform/identity.js'
import type { ContentBlockParam, UUID } from '../../protocol/content.js'
import type { SDKMessage } from '../../protocol/messages.js'
import type { TranscriptWriter } from '../../sessions/write-transcript.js'
import { createNotices } from './notices.js'
import { type CompactionRecord, createEventRecorder } from './record-event.js'
import { toSdkMessage } from './to-message.js'

export type EmitterOptions = {
  settings: { replay: boolean; toolOutput: boolean; reportsState: boolean; showsState: boolean }
  sessionId: string
  transcript: TranscriptWriter
  identity: PlatformIdentity
  send(message: SDKMessage): void | Promise<void>
}

/** The writer that `createRecordingEmitter` returns. */
export type RecordingEmitter = ReturnType<typeof createRecordingEmitter>

/** Creates the writer of a session's messages: it records each in the transcript, then sends it to the host. */
export function createRecordingEmitter({ settings, sessionId, transcript, identity, send }: EmitterOptions) {
  const recorder = createEventRecorder(transcript, identity)
  let replays: SDKMessage[] = []

  const flushReplays = () => {
    const due = replays
    replays = []
    for (const message of due) void send(message)
  }
  /** What a command of the user gave, as a line of the user; the model never sees it. */
  const sendLocal = (content: string) => {
    const message = { role: 'user' as const, content }
    const rest = { session_id: sessionId, parent_tool_use_id: null, uuid: identity.uuid(), isReplay: true as const }
    return send({ type: 'user', message, ...rest })
  }

  return {
    ...createNotices({ sessionId, identity, send, states: settings }),
    /** What the loop reports. */
    emit(event: EngineEvent): void | Promise<void> {
      const uuid = identity.uuid()
      recorder.record(event, uuid)
      if (event.type === 'assistant' && replays.length > 0) flushReplays()
      const message = toSdkMessage(event, { sessionId, uuid, includeToolOutput: settings.toolOutput })
      return message ? send(message) : undefined
    },
    /** What a command in the background prints. */
    taskOutput({ id, toolUseId }: { id: string; toolUseId: string }, seconds: number, output: string) {
      if (!settings.toolOutput) return
      const about = { tool_use_id: toolUseId, tool_name: 'Bash', parent_tool_use_id: null, task_id: id, output }
      const rest = { elapsed_time_seconds: seconds, session_id: sessionId, uuid: identity.uuid() }
      void send({ type: 'tool_progress', ...about, ...rest })
    },
    send,
    flushReplays,
    /** A user message to give back to the host before the first answer to it. */
    replay(content: string | object[], uuid: UUID) {
      if (!settings.replay) return
      // Checked content of a host's own message, given back as it came.
      const message = { role: 'user' as const, content: content as string }
      replays.push({ type: 'user', message, session_id: sessionId, parent_tool_use_id: null, uuid, isReplay: true })
    },
    /** A command of the user that did not get as far as the model. */
    localError: (problem: string) => sendLocal(`<local-command-stderr>Error: ${problem}</local-command-stderr>`),
    localOutput: (text: string) => sendLocal(`<local-command-stdout>${text}</local-command-stdout>`),
    /**
     * The conversation continues with a summary in place of what was before; hosts are told after the disk. Resolves with the
     * line that `next` follows.
     */
    async compacted(lines: CompactionRecord): Promise<string | null> {
      const { trigger, preTokens, summary } = lines
      const boundary = identity.uuid()
      const uuid = identity.uuid()
      const parent = recorder.recordSummary(lines, boundary, uuid)
      const about = { subtype: 'compact_boundary' as const, compact_metadata: { trigger, pre_tokens: preTokens } }
      await send({ type: 'system', ...about, session_id: sessionId, uuid: boundary })
      const message = { role: 'user' as const, content: summary }
      const line = { type: 'user' as const, message, session_id: sessionId, parent_tool_use_id: null, uuid }
      // As observed: a text by itself where somebody asked for it, else a block.
      const block = { role: 'user' as const, content: [{ type: 'text' as const, text: summary }] }
      await send({ ...line, ...(trigger === 'auto' ? { message: block, isSynthetic: true } : { isReplay: false }) })
      return parent
    },
    /** These blocks take the place of all that was recorded since the last whole answer. */
    afterAnswer: (blocks: readonly ContentBlockParam[]) => recorder.replaceSinceAnswer(blocks),
  }
}
