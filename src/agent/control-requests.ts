/** Answers the control requests of a host, one function per subtype. */

import { checkControlRequest } from '../protocol/check-request.js'
import type {
  HostToAgentRequest,
  SDKControlInitializeRequest,
  SDKControlMcpReadResourceResponse,
  SDKControlRewindFilesRequest,
} from '../protocol/control.js'
import type { McpCompletion } from '../protocol/mcp/mcp-completion.js'
import { joinSystemPrompt } from '../protocol/option-table/system-prompt.js'
import { unknownModeText } from '../protocol/permission-modes.js'
import { toThinkingConfig } from '../runtime/configuration-from-flags.js'
import { callToolForApp } from '../runtime/mcp/app-calls.js'
import type { McpControlProblem } from '../runtime/mcp/server-controls.js'
import { measureContextUsage } from '../runtime/messages/context-usage.js'
import { initializeResponse } from '../runtime/messages/init-message.js'
import { readFileForHost } from '../runtime/permission/read-file-for-host.js'
import { seedReadState } from '../runtime/permission/seed-read-state.js'
import type { Session } from '../runtime/session.js'
import { ControlError } from '../transport/peer.js'
import type { ControlContext } from './control-context.js'

type Answer = Record<string, unknown> | undefined

/** What newer hosts can ask for in `initialize`: without the first the session would be another than they asked for. */
const UNSUPPORTED = ['plugins']
const IGNORED = ['agentProgressSummaries', 'excludeDynamicSections']

/** How long an interrupt waits for background work to end. */
const INTERRUPT_MS = 300

export async function answerControlRequest(raw: Record<string, unknown>, context: ControlContext): Promise<Answer> {
  const checked = checkControlRequest(raw)
  if (!checked.ok) {
    if (checked.path === 'subtype') throw new ControlError(checked.problem, 'unsupported_request')
    // Going on without the hooks or the prompt it named would be wider than asked for.
    if (raw.subtype === 'initialize' && !context.initialized) context.refuse(checked.problem, 'invalid_request')
    if (raw.subtype === 'set_permission_mode') throw new ControlError(unknownModeText(raw.mode), 'invalid_mode')
    throw new ControlError(checked.problem, 'invalid_request')
  }
  const { session } = context
  const { main } = session
  const request: HostToAgentRequest = checked.request
  switch (request.subtype) {
    case 'initialize':
      return initialize(request, givenKeys(raw), context)
    case 'interrupt':
      if (request.scope === 'all') session.queue.clear()
      session.interrupt()
      // The interrupt doesn't wait for tasks that don't react. They are stopped all the same.
      if (request.scope === 'all')
        await main.shared.platform.clock.atMost(INTERRUPT_MS, main.shared.background.table.stopAll('interrupted'))
      return { still_queued: session.queue.waitingIds() }
    case 'set_model':
      if (request.model?.trim() === '')
        throw new ControlError('set_model needs the name of a model, or none for the default', 'invalid_request')
      await changeModel(request.model, session)
      return undefined
    case 'set_permission_mode': {
      const result = session.setMode(request.mode)
      if (!result.ok) throw new ControlError(result.message, result.code)
      return { mode: request.mode }
    }
    case 'set_max_thinking_tokens':
      setMaxThinkingTokens(request.max_thinking_tokens, session)
      return undefined
    case 'mcp_status':
      return { mcpServers: main.shared.mcp.statuses() }
    case 'mcp_set_servers':
      return main.shared.mcp.set(request.servers, request.replaceAll)
    case 'mcp_reconnect':
      return fulfilled(await main.shared.mcp.reconnect(request.serverName))
    case 'mcp_toggle':
      return fulfilled(await main.shared.mcp.toggle(request.serverName, request.enabled))
    case 'mcp_set_permission_mode_override': {
      const warning = main.shared.mcp.setAsking(request.serverName, request.mode !== null)
      return warning === undefined ? {} : { warning }
    }
    case 'mcp_message':
      fulfilled(main.shared.mcp.receive(request.server_name, request.message))
      return {}
    case 'rewind_files':
      return rewindFiles(request, session)
    case 'stop_task': {
      const task = main.shared.background.table.find(request.task_id)
      if (!task) throw new ControlError(`No task found with ID: ${request.task_id}`, 'task_not_found')
      if (task.status !== 'running')
        throw new ControlError(`Task ${task.id} is not running (status: ${task.status})`, 'task_not_running')
      await main.shared.background.table.stop(task)
      return {}
    }
    case 'background_tasks':
      return { moved: main.shared.background.table.moveToBackground(request.tool_use_id) > 0 }
    case 'apply_flag_settings':
      await applyFlagSettings(request.settings, session)
      return undefined
    case 'get_context_usage':
      return measureContextUsage(main, context.over)
    case 'read_file':
      return readFileForHost(main, request)
    case 'mcp_read_resource':
      return readInterface(await main.shared.mcp.readInterface(request.serverName, request.uri, context.over))
    case 'mcp_complete':
      return completed(await main.shared.mcp.complete(request.serverName, request.target, context.over))
    case 'mcp_app_call':
      return callToolForApp(main, request, context.over)
    case 'seed_read_state':
      await seedReadState(main, request)
      return {}
    case 'yield_turn':
      return { yielded: session.yieldTurn() }
    case 'end_session':
      await context.end()
      return undefined
    default:
      return (await import('./answer-session-requests.js')).answerSessionRequest(request, context)
  }
}

function fulfilled(problem: McpControlProblem | undefined): undefined {
  if (problem) throw new ControlError(problem.problem, problem.code)
  return undefined
}

function completed(answer: McpCompletion | McpControlProblem): Answer {
  if ('problem' in answer) throw new ControlError(answer.problem, answer.code)
  return answer
}

function readInterface(answer: SDKControlMcpReadResourceResponse | McpControlProblem): Answer {
  if ('problem' in answer) throw new ControlError(answer.problem, answer.code)
  return answer
}

/** Null means absent, whoever writes it. */
function givenKeys(raw: Record<string, unknown>): string[] {
  return Object.keys(raw).filter((key) => raw[key] !== null && raw[key] !== undefined)
}

async function initialize(
  request: SDKControlInitializeRequest,
  keys: readonly string[],
  context: ControlContext,
): Promise<Answer> {
  const { session } = context
  const {
    shared: { results },
  } = session.main
  if (context.initialized) return initializeAgain(request, context)
  // Too late once a turn has begun: it runs without what this would set.
  if (session.queue.isBusy() || results.count > 0) {
    throw new ControlError('Already initialized', 'already_initialized', { pending_permission_requests: [] })
  }
  context.initialized = true
  const refuse = (message: string, code: string) => {
    context.refuse(message, code)
    throw new ControlError(message, code)
  }
  const unsupported = UNSUPPORTED.find((key) => keys.includes(key))
  if (unsupported) refuse(`The option ${unsupported} is not supported by this version of Kedge.`, 'unsupported_option')
  const ignored = IGNORED.filter((key) => keys.includes(key))
  if (ignored.length > 0) context.warn(`options that this version of Kedge does not have: ${ignored.join(', ')}`)
  const unusable = request.jsonSchema && (await session.requireOutput(request.jsonSchema))
  if (unusable) refuse(unusable, 'invalid_option')
  const { prompt } = session.main
  // An array from newer hosts; `""` means no system prompt at all.
  if (request.systemPrompt !== undefined) prompt.system ??= joinSystemPrompt(request.systemPrompt)
  prompt.append ??= request.appendSystemPrompt
  const unknown = session.defineAgents(request.agents ?? {})
  if (unknown) refuse(unknown, 'invalid_option')
  session.setHooks(request.hooks ?? {})
  const { title, skills, planModeInstructions, toolAliases } = request
  if (title?.trim()) session.setTitle(title)
  if (skills) session.chooseSkills(skills)
  if (planModeInstructions?.trim()) session.main.shared.plan.describe(planModeInstructions)
  session.main.shared.host.wishes.toolAliases = new Map(Object.entries(toolAliases ?? {}))
  session.main.shared.host.wishes.suggestions = request.promptSuggestions === true
  session.main.shared.host.wishes.sync = request.sessionSync === true
  const { mcpServers } = request
  const applied = mcpServers && { mcp_servers_applied: session.main.shared.mcp.supply(mcpServers) }
  session.main.shared.mcp.hostReady(request.sdkMcpServers, request.sdkMcpServerManifests)
  session.main.shared.host.wishes.agentText = request.forwardSubagentText === true
  // Its commands include the prompts of servers, as observed.
  await session.main.shared.mcp.described(context.over)
  const answer = { ...initializeResponse(session.main), ...applied }
  session.resumeTurn()
  return answer
}

/**
 * A host that lost messages asks once more: it gets what the session is like now, and the questions that are still open. Its hooks
 * replace those it had; where it names none, they stay. All else was decided the first time.
 */
function initializeAgain({ hooks }: SDKControlInitializeRequest, { session, openAsks }: ControlContext): Answer {
  if (hooks) session.setHooks(hooks)
  return {
    ...initializeResponse(session.main),
    ...(hooks ? { hooks_applied: true } : {}),
    pending_permission_requests: openAsks(),
  }
}

async function rewindFiles(request: SDKControlRewindFilesRequest, { main }: Session): Promise<Answer> {
  if (!main.shared.settings.checkpoints) throw new ControlError('File rewinding is not enabled.', 'rewind_disabled')
  const done = await main.shared.checkpoints.rewind(request.user_message_id, {
    dryRun: request.dry_run === true,
    force: request.force === true,
  })
  if (!done) throw new ControlError('No file checkpoint found for this message.', 'checkpoint_not_found')
  return done
}

/** Null: back to the model's own default. */
function setMaxThinkingTokens(tokens: number | null, { main }: Session): void {
  if (tokens !== null && !(Number.isInteger(tokens) && tokens >= 0 && tokens <= 1_000_000)) {
    throw new ControlError('max_thinking_tokens must be a whole number from 0 to 1000000, or null', 'invalid_request')
  }
  main.shared.live.setThinking(toThinkingConfig(tokens))
}

const EFFORTS = ['low', 'medium', 'high', 'max'] as const

function isEffort(value: unknown): value is (typeof EFFORTS)[number] {
  return EFFORTS.some((level) => level === value)
}

/** A `PreModelSwitch` hook can object. */
async function changeModel(model: string | undefined, { main }: Session): Promise<void> {
  const objection = await main.model.set(model, 'sdk')
  if (objection)
    throw new ControlError(`The model is still ${main.model.current()}. ${objection}`, 'model_switch_refused')
}

/** The settings a running session can take; others are refused by name. */
async function applyFlagSettings(settings: Record<string, unknown>, session: Session): Promise<void> {
  for (const [key, value] of Object.entries(settings)) {
    if (key === 'model' && (typeof value === 'string' || value === null)) await changeModel(value ?? undefined, session)
    else if (key === 'effortLevel' && (isEffort(value) || value === null))
      session.main.shared.live.setEffort(value ?? undefined)
    else if (key === 'fastMode' && (typeof value === 'boolean' || value === null))
      session.main.shared.live.setFast(value === true)
    else
      throw new ControlError(`apply_flag_settings: '${key}' can't be changed while a session runs`, 'invalid_request')
  }
}
