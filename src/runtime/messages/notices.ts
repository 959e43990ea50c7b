/** The `system` messages of a session: how it is doing, its background work, hooks, and notes to people. */
import type { BackgroundTask } from '../../engine/background-port.js'
import type { HookObservation } from '../../hooks/session-hooks.js'
import type { PlatformIdentity } from '../../platform/identity.js'
import type { UUID } from '../../protocol/content.js'
import type {
  SDKBackgroundTasksChangedMessage,
  SDKCommandLifecycleMessage,
  SDKCommandsChangedMessage,
  SDKFilesPersistedEvent,
  SDKMessage,
  SDKSessionStateChangedMessage,
  SDKTaskProgressMessage,
  SDKTaskUpdatedMessage,
} from '../../protocol/messages.js'
import type { PermissionMode } from '../../protocol/permission-types.js'

export type NoticePorts = {
  sessionId: string
  identity: PlatformIdentity
  states: IdleStateReporting
  send(message: SDKMessage): void | Promise<void>
}

/** Readers of the idle state. */
export type IdleStateReporting = {
  /** The host, to close our input then: nothing must continue that could still need it. */
  reportsState: boolean
  /** Its caller, to end a turn then: as newer versions tell it. */
  showsState: boolean
}

/** What programs read of a note to the host. */
export type NoticeCodeDetails = { code: string; details?: Record<string, string | null> }

export type StartedBackgroundTask = Pick<BackgroundTask, 'id' | 'toolUseId' | 'description' | 'type'> & {
  /** For an agent, the tools it has. */
  tools?: readonly string[]
}

export type BackgroundTaskProgress = Omit<SDKTaskProgressMessage, 'type' | 'subtype' | 'uuid' | 'session_id'>

export function createNotices(ports: NoticePorts) {
  const { send } = ports
  const system = <T extends object>(fields: T) => ({
    type: 'system' as const,
    ...fields,
    uuid: ports.identity.uuid(),
    session_id: ports.sessionId,
  })
  return {
    ...taskNotices((message) => void send(system(message))),
    ...stateNotices(ports.states, (message) => void send(system(message))),
    /** As newer versions tell it; the session stays the one it is. */
    cleared() {
      const about = { type: 'conversation_reset' as const, new_conversation_id: ports.identity.uuid() }
      return send({ ...about, trigger: 'clear', uuid: ports.identity.uuid(), session_id: ports.sessionId })
    },
    lifecycle(uuid: UUID | undefined, state: SDKCommandLifecycleMessage['state']) {
      if (uuid === undefined) return
      const about = { type: 'command_lifecycle' as const, command_uuid: uuid, state }
      void send({ ...about, uuid: ports.identity.uuid(), session_id: ports.sessionId })
    },
    commandsChanged(commands: SDKCommandsChangedMessage['commands']) {
      void send(system({ subtype: 'commands_changed' as const, commands }))
    },
    elicitationComplete(server: string, elicitationId: string) {
      const about = { mcp_server_name: server, elicitation_id: elicitationId }
      void send(system({ subtype: 'elicitation_complete' as const, ...about }))
    },
    compacting(on: boolean) {
      void send(system({ subtype: 'status' as const, status: on ? ('compacting' as const) : null }))
    },
    filesPersisted(fields: Pick<SDKFilesPersistedEvent, 'files' | 'failed' | 'processed_at'>) {
      return send(system({ subtype: 'files_persisted' as const, ...fields }))
    },
    status(mode: PermissionMode) {
      return send(system({ subtype: 'status' as const, status: null, permissionMode: mode }))
    },
    hook(message: HookObservation['message']) {
      void send(system(message))
    },
    inform(content: string, level: 'notice' | 'warning' | 'error', about?: NoticeCodeDetails) {
      return send(system({ subtype: 'informational' as const, content, level, ...about }))
    },
  }
}

/** A `system` message without what all of them have. */
type Fields<T> = T extends { type: 'system' } ? Omit<T, 'type' | 'uuid' | 'session_id'> : never
type Send = (message: Fields<SDKMessage>) => void

function taskNotices(send: Send) {
  return {
    taskStarted({ id, toolUseId, description, type, tools }: StartedBackgroundTask) {
      const own = tools ? { tools: [...tools] } : {}
      send({ subtype: 'task_started', task_id: id, tool_use_id: toolUseId, description, task_type: type, ...own })
    },
    taskEnded({ id, toolUseId, status, outputFile, type, usage }: BackgroundTask, summary: string) {
      if (status === 'running') return
      // As observed: what an agent has to say is in the notice for the model, and no file is named.
      const output = type === 'local_bash' ? outputFile : ''
      const fields = { task_id: id, tool_use_id: toolUseId, status, output_file: output, summary }
      send({ subtype: 'task_notification', ...fields, ...(usage ? { usage } : {}) })
    },
    taskProgress(fields: BackgroundTaskProgress) {
      send({ subtype: 'task_progress', ...fields })
    },
    taskUpdated(id: string, patch: SDKTaskUpdatedMessage['patch']) {
      send({ subtype: 'task_updated', task_id: id, patch })
    },
    tasksChanged(tasks: SDKBackgroundTasksChangedMessage['tasks']) {
      send({ subtype: 'background_tasks_changed', tasks })
    },
  }
}

type State = SDKSessionStateChangedMessage['state']

function stateNotices({ reportsState, showsState }: IdleStateReporting, send: Send) {
  let state: State = 'idle'
  let shown: State = 'idle'
  const show = (next: State, received?: number) => {
    if (!showsState || next === shown) return
    shown = next
    send({
      subtype: 'session_state_changed',
      state: next,
      ...(received === undefined ? {} : { user_messages: received }),
    })
  }
  return {
    /** The turn is over, and no other waits; work may continue in the background. */
    turnOver: (received: number) => show('idle', received),
    /** `received` counts the user messages read so far, `tasks` the work that continues though we are idle. */
    state(next: State, counts?: { received: number; tasks: number }) {
      show(next, counts?.received)
      if (next === state && next !== 'idle') return
      state = next
      if (!reportsState) return
      const fields = counts && {
        user_messages: counts.received,
        ...(counts.tasks > 0 ? { background_tasks: counts.tasks } : {}),
      }
      send({ subtype: 'session_state_changed', state, sdk_host_only: true, ...fields })
    },
  }
}
