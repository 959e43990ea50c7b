/** Answers the control requests about a session that runs, one function per subtype. Loaded with the first of them. */
import { isAbsolute } from '../platform/paths.js'
import { VERSION } from '../platform/version.js'
import type { SDKControlGetUsageResponse } from '../protocol/later/later-types.js'
import type {
  ReloadPart,
  SDKControlReloadPluginsRequest,
  SessionRequest,
} from '../protocol/requests/session-requests.js'
import { agentInfos } from '../runtime/agents/known-agents.js'
import { slashCommandsOf } from '../runtime/messages/init-message.js'
import { RELOAD_PARTS, type ReloadWishes, reloadSession } from '../runtime/reload/reload-session.js'
import { addFolder, writeSettings } from '../runtime/requests/change-session.js'
import { callToolForHost } from '../runtime/requests/host-call.js'
import { listHooks, listPermissionRules, listSettings } from '../runtime/requests/list-what-holds.js'
import { readTaskOutput } from '../runtime/requests/read-task-output.js'
import { askSideQuestion } from '../runtime/requests/side-question.js'
import { findFilesForHost } from '../runtime/requests/suggest-files.js'
import { describeCosts } from '../runtime/turn/built-in-slash-commands.js'
import { ControlError } from '../transport/peer.js'
import type { ControlContext } from './control-context.js'

type Answer = Record<string, unknown>
type Request<T extends SessionRequest['subtype']> = Extract<SessionRequest, { subtype: T }>

const MAX_QUESTION = 100_000

const ANSWERS: { [T in SessionRequest['subtype']]: (request: Request<T>, context: ControlContext) => Promise<Answer> } =
  {
    async rename_session({ title, session_id: id }, { session }) {
      const { main } = session
      if (id !== undefined && id !== main.shared.sessionId) refuse(`This is session ${main.shared.sessionId}.`)
      if (title.trim() === '') refuse('title must not be empty')
      main.transcript.title(title)
      return {}
    },
    get_session_cost: async (_, { session }) => ({ text: describeCosts(session.main) }),
    list_models: async (_, { session }) => ({ models: session.main.model.choices() }),
    get_usage: async (_, context) => usageReport(context),
    get_binary_version: async () => ({ version: VERSION }),
    async mcp_call(request, { session, over }) {
      const staged = ['expires_at', 'input_files', 'output_files'].find((key) => Object.hasOwn(request, key))
      if (staged !== undefined)
        throw new ControlError(`mcp_call: ${staged} is for files in the vendor's cloud.`, 'unsupported_option')
      const outcome = await callToolForHost(session.main, request, over)
      if ('problem' in outcome) throw new ControlError(outcome.problem, outcome.code)
      return outcome.answer
    },
    file_suggestions: async ({ query }, { session, over }) => ({
      suggestions: await findFilesForHost(session.main, query, over),
    }),
    cancel_async_message: async ({ message_uuid: id }, { session }) => ({ ['cancelled']: session.queue.cancel(id) }),
    async register_repo_root(request, context) {
      const { main } = context.session
      const added = await addFolder(main, request)
      if ('problem' in added) refuse(added.problem)
      const parts: ReloadPart[] = [
        ...(request.reload_claude_md ? ['instructions' as const] : []),
        ...(request.reload_plugins ? ['plugins' as const] : []),
        ...(request.reload_skills ? ['skills' as const] : []),
      ]
      const { changes, problems } = parts.length > 0 ? await reload(context, parts) : { changes: [], problems: [] }
      return { ...added, changes, problems }
    },
    async reload_plugins(request, context) {
      const { session } = context
      const { hold_on_cache_impact: holds, refuse_if_busy: wantsRest } = request
      const isBusy = session.queue.isBusy() || session.main.shared.background.pending().length > 0
      if (wantsRest && isBusy) throw new ControlError('The session is busy.', 'reload_plugins_busy')
      const outcome = await reload(context, ['plugins', 'skills', 'agents'], {
        addPlugins: pluginFolders(request),
        holdsOnCacheImpact: holds,
      })
      const { shared } = session.main
      const impact = {
        mcp_servers_added: outcome.servers.added,
        mcp_servers_removed: outcome.servers.removed,
        lsp_tool_change: null,
      }
      return {
        commands: slashCommandsOf(session.main),
        agents: agentInfos(shared.agents.known),
        plugins: shared.project.lists.plugins,
        mcpServers: shared.mcp.statuses(),
        error_count: outcome.problems.length,
        ...(holds ? { held: outcome.held === true } : {}),
        ...(outcome.held ? { cache_impact: impact } : {}),
      }
    },
    async reload_skills(_, context) {
      await reload(context, ['skills', 'agents'])
      return { skills: slashCommandsOf(context.session.main) }
    },
    async reload_output_styles(_, context) {
      await reload(context, ['output_styles'])
      return { available_output_styles: context.session.main.shared.project.lists.outputStyles }
    },
    async reload({ parts = RELOAD_PARTS }, context) {
      const { changes, problems } = await reload(context, parts)
      return { changes, problems }
    },
    async side_question({ question }, { session, over }) {
      if (question.trim() === '') refuse('question must not be empty')
      if (question.length > MAX_QUESTION) refuse(`question may have ${MAX_QUESTION} characters`)
      const outcome = await askSideQuestion(session.main, question, over)
      if ('problem' in outcome) throw new ControlError(outcome.problem, outcome.code)
      return { ...outcome }
    },
    set_has_subscribers: async () => ({}),
    async get_task_output({ task_id: id }, { session }) {
      const output = readTaskOutput(session.main, id)
      if (!output) throw new ControlError(`No background command has the id ${id.slice(0, 100)}`, 'task_not_found')
      return output
    },
    get_settings: (_, { session }) => listSettings(session.main),
    get_hooks_listing: async (_, { session }) => listHooks(session.main),
    async update_settings({ source, settings }, context) {
      const { main } = context.session
      const problem = await writeSettings(main, source, settings)
      if (problem !== undefined) refuse(problem)
      const { outputStyle } = settings
      if (typeof outputStyle === 'string') {
        await reload(context, ['output_styles'], { outputStyle })
        // Asked for by name: here the system prompt does change.
        delete main.prompt.own
      }
      return {}
    },
    list_permission_rules: async (_, { session }) => ({ state: listPermissionRules(session.main) }),
  }

export async function answerSessionRequest(request: SessionRequest, context: ControlContext): Promise<Answer> {
  // The row has the function for exactly this subtype.
  const answer = ANSWERS[request.subtype] as (request: SessionRequest, context: ControlContext) => Promise<Answer>
  return answer(request, context)
}

function refuse(problem: string): never {
  throw new ControlError(problem, 'invalid_request')
}

async function reload({ session, warn }: ControlContext, parts: readonly ReloadPart[], wishes?: ReloadWishes) {
  const outcome = await reloadSession(session.main, parts, wishes)
  for (const problem of outcome.problems) warn(problem)
  return outcome
}

function pluginFolders({ add_plugins: added = [] }: SDKControlReloadPluginsRequest): string[] {
  const relative = added.find(({ path }) => !isAbsolute(path))
  if (relative) refuse(`add_plugins: ${relative.path.slice(0, 200)} is not an absolute path`)
  return added.map(({ path }) => path)
}

/** The vendor's plans and their limits don't exist here. */
function usageReport({ session: { main }, began }: ControlContext): SDKControlGetUsageResponse {
  const { ledger, platform } = main.shared
  const { costUsd, apiMs, modelUsage } = ledger.all()
  return {
    session: {
      total_cost_usd: costUsd,
      total_api_duration_ms: Math.round(apiMs),
      total_duration_ms: Math.round(platform.clock.monotonic() - began),
      total_lines_added: 0,
      total_lines_removed: 0,
      model_usage: modelUsage,
    },
    subscription_type: null,
    rate_limits_available: false,
    rate_limits: null,
    behaviors: null,
  }
}
