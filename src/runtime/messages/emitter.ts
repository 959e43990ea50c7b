/** Sends messages to the host and writes the transcript, in that safe order: first the disk, then the wire. */
import type { EngineEvent } from '../../engine/events.js'
import type { Task } from '../../engine/task-ports.js'
import type { HookObservation } from '../../hooks/session-hooks.js'
import type { Identity } from '../../platform/identity.js'
import type { ContentBlockParam, UUID } from '../../protocol/content.js'
import type {
  SDKBackgroundTasksChangedMessage,
  SDKCommandLifecycleMessage,
  SDKFilesPersistedEvent,
  SDKMessage,
  SDKSessionStateChangedMessage,
  SDKTaskProgressMessage,
  SDKTaskUpdatedMessage,
} from '../../protocol/messages.js'
import type { PermissionMode } from '../../protocol/permission-types.js'
import type { Transcript } from '../../sessions/write-transcript.js'
import type { SessionSettings } from '../settings.js'
import type { StartedTask } from '../turn/background.js'
import { toMessage } from './to-message.js'

export type EmitterOptions = {
  settings: SessionSettings
  sessionId: string
  transcript: Transcript
  identity: Identity
  send(message: SDKMessage): void | Promise<void>
}

/** What programs read of a note to the host. */
export type NoticeFacts = { code: string; details?: Record<string, string | null> }

export type Emitter = ReturnType<typeof createEmitter>

export function createEmitter({ settings, sessionId, transcript, identity, send }: EmitterOptions) {
  let replays: SDKMessage[] = []
  let state: SDKSessionStateChangedMessage['state'] = 'idle'
  /** Where the lines of the current answer attach, and its id: a broken answer is left on a side branch. */
  let answer: { id: string; parent: string | null } | undefined

  /** The last line of the last whole answer. */
  let answered: string | null = null

  const system = <T extends object>(fields: T) => ({
    type: 'system' as const,
    ...fields,
    uuid: identity.uuid(),
    session_id: sessionId,
  })

  const flushReplays = () => {
    const due = replays
    replays = []
    for (const message of due) void send(message)
  }

  const record = (event: EngineEvent, uuid: UUID) => {
    switch (event.type) {
      case 'assistant': {
        if (answer && answer.id !== event.message.id) {
          transcript.parent = answer.parent
          answer = undefined
        }
        answer ??= { id: event.message.id, parent: transcript.parent }
        if (event.error) answer = undefined
        const failed = event.error ? { error: event.error, isApiErrorMessage: true } : {}
        const { context_management: _, ...message } = event.message
        const requestId = event.requestId === null ? {} : { requestId: event.requestId }
        transcript.assistant({
          type: 'assistant',
          message: event.error ? event.message : message,
          uuid,
          ...requestId,
          ...failed,
        })
        return
      }
      case 'answered':
        answer = undefined
        answered = transcript.parent
        return
      case 'tool-result': {
        transcript.user({
          type: 'user',
          message: { role: 'user', content: [event.block] },
          uuid,
          toolUseResult: event.output,
        })
        return
      }
      case 'user-text': {
        answer = undefined
        const meta = event.kind === 'interrupted' ? {} : { isMeta: true }
        transcript.user({
          type: 'user',
          message: { role: 'user', content: [{ type: 'text', text: event.text }] },
          uuid,
          ...meta,
        })
        return
      }
      case 'context':
        transcript.context(event.texts.map((text) => ({ type: 'text', text })))
        return
    }
  }

  return {
    /** What the loop reports. */
    emit(event: EngineEvent): void | Promise<void> {
      const uuid = identity.uuid()
      record(event, uuid)
      if (event.type === 'assistant' && replays.length > 0) flushReplays()
      const message = toMessage(event, { sessionId, uuid, includeToolOutput: settings.toolOutput })
      return message ? send(message) : undefined
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
    localError(problem: string) {
      const content = `<local-command-stderr>Error: ${problem}</local-command-stderr>`
      const message = { role: 'user' as const, content }
      const rest = { session_id: sessionId, parent_tool_use_id: null, uuid: identity.uuid(), isReplay: true as const }
      return send({ type: 'user', message, ...rest })
    },
    compacting(on: boolean) {
      void send(system({ subtype: 'status' as const, status: on ? ('compacting' as const) : null }))
    },
    /**
     * The conversation goes on with this text in place of what was before, and `next`; hosts are told after the disk. Resolves
     * with the line that `next` follows.
     */
    async compacted(
      trigger: 'manual' | 'auto',
      preTokens: number,
      summary: string,
      rest: readonly ContentBlockParam[],
      next: readonly ContentBlockParam[],
    ): Promise<string | null> {
      const boundary = identity.uuid()
      const uuid = identity.uuid()
      transcript.boundary(boundary, { trigger, preTokens })
      const message = { role: 'user' as const, content: summary }
      transcript.user({ type: 'user', message, uuid, isVisibleInTranscriptOnly: true, isCompactSummary: true })
      // What was recorded before the summary is no longer part of what a resumed session reads.
      transcript.context(rest)
      const { parent } = transcript
      transcript.context(next)
      const about = { subtype: 'compact_boundary' as const, compact_metadata: { trigger, pre_tokens: preTokens } }
      await send({ type: 'system', ...about, session_id: sessionId, uuid: boundary })
      const line = { type: 'user' as const, message, session_id: sessionId, parent_tool_use_id: null, uuid }
      // As observed: a text by itself where somebody asked for it, else a block.
      const block = { role: 'user' as const, content: [{ type: 'text' as const, text: summary }] }
      await send({ ...line, ...(trigger === 'auto' ? { message: block, isSynthetic: true } : { isReplay: false }) })
      return parent
    },
    /** These blocks take the place of all that was recorded since the last whole answer. */
    afterAnswer(blocks: readonly ContentBlockParam[]) {
      transcript.parent = answered
      for (const block of blocks.filter(({ type }) => type === 'tool_result')) {
        const message = { role: 'user' as const, content: [block] }
        transcript.user({ type: 'user', message, uuid: identity.uuid() })
      }
      transcript.context(blocks.filter(({ type }) => type !== 'tool_result'))
    },
    /** What a command of our own answers; the model never sees it. */
    localOutput(text: string) {
      const content = `<local-command-stdout>${text}</local-command-stdout>`
      const message = { role: 'user' as const, content }
      const rest = { session_id: sessionId, parent_tool_use_id: null, uuid: identity.uuid(), isReplay: true as const }
      return send({ type: 'user', message, ...rest })
    },
    filesPersisted(fields: Pick<SDKFilesPersistedEvent, 'files' | 'failed' | 'processed_at'>) {
      return send(system({ subtype: 'files_persisted' as const, ...fields }))
    },
    status(mode: PermissionMode) {
      return send(system({ subtype: 'status' as const, status: null, permissionMode: mode }))
    },
    taskStarted({ id, toolUseId, description, type, tools }: StartedTask) {
      const own = tools ? { tools: [...tools] } : {}
      const fields = { task_id: id, tool_use_id: toolUseId, description, task_type: type, ...own }
      void send(system({ subtype: 'task_started' as const, ...fields }))
    },
    taskEnded({ id, toolUseId, status, outputFile, type, usage }: Task, summary: string) {
      if (status === 'running') return
      // As observed: what an agent has to say is in the notice for the model, and no file is named.
      const output = type === 'local_bash' ? outputFile : ''
      const fields = { task_id: id, tool_use_id: toolUseId, status, output_file: output, summary }
      void send(system({ subtype: 'task_notification' as const, ...fields, ...(usage ? { usage } : {}) }))
    },
    taskProgress(fields: Omit<SDKTaskProgressMessage, 'type' | 'subtype' | 'uuid' | 'session_id'>) {
      void send(system({ subtype: 'task_progress' as const, ...fields }))
    },
    taskUpdated(id: string, patch: SDKTaskUpdatedMessage['patch']) {
      void send(system({ subtype: 'task_updated' as const, task_id: id, patch }))
    },
    tasksChanged(tasks: SDKBackgroundTasksChangedMessage['tasks']) {
      void send(system({ subtype: 'background_tasks_changed' as const, tasks }))
    },
    hook(message: HookObservation['message']) {
      void send(system(message))
    },
    inform(content: string, level: 'notice' | 'warning' | 'error', about?: NoticeFacts) {
      return send(system({ subtype: 'informational' as const, content, level, ...about }))
    },
    lifecycle(uuid: UUID | undefined, lifecycle: SDKCommandLifecycleMessage['state']) {
      if (uuid === undefined) return
      void send(system({ subtype: 'command_lifecycle' as const, command_uuid: uuid, state: lifecycle }))
    },
    /** `received` counts the user messages read so far, `tasks` the work that goes on though we are idle. */
    state(next: SDKSessionStateChangedMessage['state'], counts?: { received: number; tasks: number }) {
      if (next === state && next !== 'idle') return
      state = next
      if (!settings.reportsState) return
      const fields = counts && {
        user_messages: counts.received,
        ...(counts.tasks > 0 ? { background_tasks: counts.tasks } : {}),
      }
      void send(system({ subtype: 'session_state_changed' as const, state, sdk_host_only: true as const, ...fields }))
    },
  }
}
