/** Connects a session to its hooks: where they come from, what they are told, and who hears of them. */

import type { BackgroundTask } from '../../engine/background-port.js'
import {
  createSessionHooks,
  type HookEventRaiserPorts,
  type HookMatchers,
  type HookObservation,
  type SessionHooks,
} from '../../hooks/session-hooks.js'
import { toPrefixedMcpToolName } from '../../mcp/clean-text.js'
import type { Permissions } from '../../permissions/permission-engine.js'
import type { Platform } from '../../platform/platform.js'
import type { HookInput } from '../../protocol/hooks.js'
import type { BackgroundTaskSummary, McpServerProvenance } from '../../protocol/later/hook-facts.js'
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
  /** The prompt whose turn it is, or was last. */
  promptId(): string | undefined
  nameSession(title: string): void
  /** Starts a turn with a text that isn't the user's. */
  wake(text: string): void
  /** As long as the session. */
  life: AbortSignal
  /** The main thread, once it is there. */
  main(): Conversation
}

export function connectSessionHooks(source: SessionHookPorts): SessionHooks {
  const { settings, live, sessionId, platform, transcript, permissions, emitter, stderr, main } = source
  let watched = 0
  const watchPaths = async (paths: readonly string[]) => {
    const { watchHookPaths } = await import('./watch-hook-paths.js')
    const tell = (path: string, event: 'add' | 'change' | 'unlink') =>
      void hooks.fileChanged({ file_path: path, event }, source.life)
    watched += watchHookPaths(paths, watched, { watch: platform.files.watch, tell, report: ports.report }, source.life)
  }
  const ports: HookEventRaiserPorts = {
    invoke: source.callHook,
    after: platform.clock.after,
    uuid: platform.identity.uuid,
    base: () => {
      const promptId = source.promptId()
      return {
        session_id: sessionId,
        transcript_path: transcript.path,
        cwd: settings.cwd,
        permission_mode: permissions.mode(),
        ...(promptId === undefined ? {} : { prompt_id: promptId }),
        ...(live.effort === undefined ? {} : { effort: { level: live.effort } }),
      }
    },
    serverOf: (tool) => findServerOfTool(tool, main),
    backgroundTasks: () => main().shared.background.table.running().map(toTaskSummary),
    adopt: (wish) => ('title' in wish ? source.nameSession(wish.title) : watchPaths(wish.watch)),
    wake: source.wake,
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
  const hooks = createSessionHooks(source.matchers, ports)
  return hooks
}

function findServerOfTool(tool: string, main: () => Conversation): McpServerProvenance | undefined {
  if (!tool.startsWith('mcp__')) return undefined
  const isOf = (name: string) => tool.startsWith(toPrefixedMcpToolName(name, ''))
  const owners = main()
    .shared.mcp.statuses()
    .filter(({ name }) => isOf(name))
  // The longest name: of two servers, the name of one may be the beginning of the other.
  const [owner] = owners.sort((one, other) => other.name.length - one.name.length)
  return owner && { name: owner.name, source: owner.scope ?? 'dynamic' }
}

const TASK_TYPES: Record<BackgroundTask['type'], string> = {
  local_bash: 'shell',
  local_agent: 'agent',
  in_process_teammate: 'teammate',
  mcp_task: 'mcp',
}

function toTaskSummary({ id, type, status, description, command }: BackgroundTask): BackgroundTaskSummary {
  return { id, type: TASK_TYPES[type], status, description, ...(command === undefined ? {} : { command }) }
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
