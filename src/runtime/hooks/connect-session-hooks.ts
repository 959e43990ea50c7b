/** Connects a session to its hooks: where they come from, what they are told, and who hears of them. */
import {
  createSessionHooks,
  type HookEventRaiserPorts,
  type HookMatchers,
  type HookObservation,
  type SessionHooks,
} from '../../hooks/session-hooks.js'
import type { Permissions } from '../../permissions/permission-engine.js'
import type { Platform } from '../../platform/platform.js'
import type { HookInput } from '../../protocol/hooks.js'
import type { HostPreferences } from '../../protocol/option-table/start-settings.js'
import type { TranscriptWriter } from '../../sessions/write-transcript.js'
import { commandEnvironment } from '../../tools/bash/command-environment.js'
import type { ListedTask } from '../../tools/task-list/change-task.js'
import type { TaskGuards } from '../../tools/task-list/task-list-store.js'
import type { ToolContext } from '../../tools/tool.js'
import { createSubAgent } from '../agents/sub-agent.js'
import type { DebugSettings, DiscoveredConfiguration, SessionLocation } from '../configuration.js'
import type { Conversation } from '../conversation.js'
import type { LiveSettings } from '../live-settings.js'
import type { RecordingEmitter } from '../messages/emitter.js'
import { askModelOnce } from '../tools/ask-model.js'
import type { HookExportedVariables } from './hook-variables.js'
import { ruleCoversCall } from './rule-covers-call.js'

export type SessionHookPorts = {
  settings: SessionLocation & DiscoveredConfiguration & Pick<HostPreferences, 'hookEvents'> & { debug: DebugSettings }
  live: LiveSettings
  sessionId: string
  platform: Platform
  transcript: TranscriptWriter
  permissions: Permissions
  emitter: RecordingEmitter
  variables: HookExportedVariables
  /** The callbacks of the host, as it registered them. */
  matchers(): HookMatchers
  callHook(callbackId: string, input: HookInput, toolUseId: string, signal: AbortSignal): Promise<unknown>
  stderr(text: string): void
  /** The main thread, once it is there. */
  main(): Conversation
}

export function connectSessionHooks(source: SessionHookPorts): SessionHooks {
  const { settings, live, sessionId, platform, transcript, permissions, emitter, stderr, main } = source
  const ports: HookEventRaiserPorts = {
    invoke: source.callHook,
    after: platform.clock.after,
    uuid: platform.identity.uuid,
    base: () => ({
      session_id: sessionId,
      transcript_path: transcript.path,
      cwd: settings.cwd,
      permission_mode: permissions.mode(),
    }),
    report: (text) => stderr(`${text}\n`),
    inform: (text) => void emitter.inform(text, 'notice'),
    settingsHooks: () => (live.hooks.limits ? live.hooks.list : []),
    async runService(hook, input, signal) {
      const { runHookService } = await import('./hook-services.js')
      const silent = createSessionHooks(() => ({}), { ...ports, settingsHooks: () => [] })
      const environment = commandEnvironment(live.env, settings.cwd)
      return runHookService(
        hook,
        input,
        { main, settings, hookLimits: live.hooks.limits, silent, environment, createSubAgent, askModelOnce },
        signal,
      )
    },
    ruleCovers: (rule, call) => ruleCoversCall(rule, call, main()),
    processes: platform.workspace.processes,
    environment: (event) => ({
      ...commandEnvironment(live.env, settings.cwd),
      ...(isOpening(event) ? source.variables.forHooks() : {}),
    }),
    projectDir: settings.cwd,
    observe(observation) {
      const { from, message } = observation
      settings.debug.note?.('hooks', hookLine(from, message))
      if (settings.hookEvents || (from === 'settings' && isOpening(message.hook_event))) emitter.hook(message)
    },
  }
  return createSessionHooks(source.matchers, ports)
}

/** For the timeline. */
function hookLine(from: string, message: HookObservation['message']): string {
  const name = `${message.hook_event} ${message.hook_name} (${from})`
  if (message.subtype === 'hook_started') return `· hook       ${name} starts`
  if (message.subtype === 'hook_progress') return `· hook       ${name} goes on`
  return `· hook       ${name} ends: ${message.outcome}${message.exit_code === undefined ? '' : `, exit ${message.exit_code}`}`
}

/** As observed: of the commands that run before the first prompt hosts are always told. */
function isOpening(event: string): boolean {
  return event === 'SessionStart' || event === 'Setup'
}

/** TaskCreated and TaskCompleted hooks may object. */
export function createTaskHookGuards(
  hooks: SessionHooks,
  memberFields: (context: ToolContext) => { teammate_name?: string; team_name?: string } = () => ({}),
): TaskGuards {
  const fields = ({ id, subject, description }: ListedTask, context: ToolContext) => ({
    task_id: id,
    task_subject: subject,
    task_description: description,
    ...memberFields(context),
  })
  return {
    created: async (task, call) => objection(await hooks.taskCreated(fields(task, call), call.signal)),
    completed: async (task, call) => objection(await hooks.taskCompleted(fields(task, call), call.signal)),
  }
}

/** `continue: false` is an objection, too. */
function objection({ block, stop }: Awaited<ReturnType<SessionHooks['taskCreated']>>): string | undefined {
  return block ?? (stop && (stop.reason ?? 'A hook stopped it.'))
}
