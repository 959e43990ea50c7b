/** From a command line to a session: settings, files, what the project brings. What can't be becomes a refusal before anything runs. */
import { loadCloudFactory } from '../model/clouds/load-cloud-factory.js'
import type { Environment } from '../platform/environment.js'
import { readNetworkSettings } from '../platform/network/network.js'
import type { Platform } from '../platform/platform.js'
import type { McpServerStatus } from '../protocol/mcp-servers.js'
import type { SDKMessage } from '../protocol/messages.js'
import type { FlagReader } from '../protocol/option-table/parse-argv.js'
import { messageOf } from '../protocol/thrown.js'
import { type Configuration, freezeConfiguration, type StartRefusal } from '../runtime/configuration.js'
import { readConfigurationFromFlags } from '../runtime/configuration-from-flags.js'
import { readAgentHooks, readPluginHooks } from '../runtime/hooks/hooks-of-files.js'
import { createLiveSettings } from '../runtime/live-settings.js'
import { explainAmbiguousPromptTool } from '../runtime/mcp/permission-prompt-tool.js'
import { findConfiguredServers } from '../runtime/mcp/server-sources.js'
import { createModelSetup } from '../runtime/model-setup.js'
import { openSessionTranscript, type SessionStartState } from '../runtime/open-session-transcript.js'
import { createChangeableProject } from '../runtime/reload/changeable-project.js'
import { createSession, type Session } from '../runtime/session.js'
import { loadSessionProject, type SessionProject } from '../runtime/session-project.js'
import type { SessionHost } from '../runtime/session-setup.js'
import { applySettingsFiles } from '../runtime/settings-files.js'
import { findStartWarnings } from '../runtime/start-warnings.js'
import type { TranscriptLog } from '../sessions/transcript-log.js'
import type { Channel, MalformedLine } from '../transport/channel.js'
import { connectHostTranscriptStore } from './stored-session.js'

/** Everything an agent has: nothing below reads the process it happens to run in. */
export type AgentEnvironment = {
  argv: readonly string[]
  env: Environment
  cwd: string
  home: string
  platform: Platform
  channel: Channel<object | MalformedLine, object>
  stderr(text: string): void
  /** Aborted to end the agent, with the name of a signal as the reason: SIGINT lets the turn finish with its result. */
  signal: AbortSignal
  /** Send a `keep_alive` after this long without a message; for connections that may be cut when idle. */
  keepAliveMs?: number
  /** Called with each `init`: it names the MCP servers, and this says what is wrong with them. */
  onMcpServers?(servers: readonly McpServerStatus[]): void
}

/** A session that is decided on, but not yet put together. */
export type PreparedSession = { settings: Configuration; start: SessionStartState; project: SessionProject }

const INVALID_OPTION = { code: 'invalid_option', reason: 'invalid_input' } as const

/**
 * Reads flags and settings, and returns a session that is decided on but not yet put together. `onOpened`: from then
 * on there is a log to close.
 */
export async function prepareSession(
  flags: FlagReader,
  surroundings: AgentEnvironment,
  onOpened: (log: TranscriptLog) => void,
): Promise<PreparedSession | { refusal: StartRefusal }> {
  const { platform, channel, stderr } = surroundings
  const { identity, files } = platform
  const read = readConfigurationFromFlags(flags, { ...surroundings, uid: identity.uid, files })
  if (!read.ok) return read
  const applied = await applySettingsFiles(read.settings, platform, stderr)
  if ('refusal' in applied) return applied
  const { settings } = applied
  for (const warning of await findStartWarnings(settings, platform)) stderr(`Warning: ${warning}\n`)
  const opening = connectHostTranscriptStore(settings, channel).then((store) =>
    openSessionTranscript(settings, platform, store),
  )
  const started = await opening.catch((error) => ({ ok: false as const, refusal: unreadable(error) }))
  if (!started.ok) return started
  const { start } = started
  onOpened(start.log)
  for (const repair of start.repairs) stderr(`Note: ${repair}\n`)
  const loaded = await loadSessionProject(settings, platform, stderr)
  const { project, hooks: ofAgents } = await readAgentHooks(loaded, stderr)
  const servers = await findConfiguredServers(settings, project, platform, stderr)
  const ofPlugins = await readPluginHooks(project.plugins, stderr)
  if ('refusal' in ofPlugins) return ofPlugins
  const settingsHooks = [...settings.settingsHooks, ...ofPlugins.hooks, ...ofAgents]
  return { settings: { ...settings, servers, settingsHooks }, start, project }
}

/**
 * Puts a prepared session together. `watched` is the platform with its connections noted, where a timeline is
 * written.
 */
export async function bootSession(
  { settings: decided, start, project }: PreparedSession,
  platforms: { platform: Platform; watched: Platform },
  host: SessionHost,
  signal: AbortSignal,
): Promise<{ session: Session } | { refusal: StartRefusal }> {
  const settings = freezeConfiguration(decided)
  const live = createLiveSettings(settings)
  const { createTeamCoordinator } = settings.teams ? await import('../runtime/teams/team-coordinator.js') : {}
  let session: Session
  try {
    const network = await readNetworkSettings(settings.env, platforms.platform.files)
    const cloud = await loadCloudFactory(settings.env)
    const platform = { ...platforms.platform, network }
    const model = createModelSetup(
      settings,
      live,
      start.sessionId,
      { ...platforms.watched, network },
      (status) => {
        const message: SDKMessage = {
          type: 'auth_status',
          ...status,
          uuid: platform.identity.uuid(),
          session_id: start.sessionId,
        }
        void host.send(message)
      },
      cloud,
    )
    const { baseUrl } = model.endpoint()
    if (baseUrl) network.proxyFor(baseUrl)
    session = createSession({
      settings,
      live,
      start,
      model,
      platform,
      host,
      createTeamCoordinator,
      project: createChangeableProject(project),
    })
  } catch (error) {
    // A variable or a rule that means nothing: refused by name before anything runs.
    const message = messageOf(error)
    const why = { code: 'invalid_configuration', reason: 'invalid_input' } as const
    return { refusal: { stderr: `Error: ${message}`, message, ...why } }
  }
  const unusable =
    (await readOutputSchema(settings.outputSchema, session)) ??
    (await findPromptTool(settings.promptTool, session, signal))
  if (unusable === undefined) return { session }
  session.close()
  await session.stopWork()
  return { refusal: { stderr: `Error: ${unusable}`, message: unusable, ...INVALID_OPTION } }
}

/** Finds the tool that answers permission requests. It must exist from the start, except on the host's own servers. */
async function findPromptTool(
  name: string | undefined,
  { main }: Session,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (name === undefined) return undefined
  const { mcp } = main.shared
  await mcp.someSettled((server) => server.owns(name) && server.connection.config?.type !== 'sdk', signal)
  const several = explainAmbiguousPromptTool(mcp, name)
  if (several !== undefined) return several
  if (mcp.find(name)) return undefined
  const known = mcp.definitions().map(({ definition }) => definition.name)
  const list = known.length > 0 ? known.join(', ') : 'none'
  return `MCP tool ${name} (passed via --permission-prompt-tool) not found. Available MCP tools: ${list}`
}

function unreadable(error: unknown): StartRefusal {
  const why = messageOf(error)
  return { message: `The session can't be read: ${why}`, code: 'resume_failed', reason: 'resume_failed' }
}

/** Returns what is wrong with it, if something is. */
async function readOutputSchema(text: string | undefined, session: Session): Promise<string | undefined> {
  if (text === undefined) return undefined
  try {
    return await session.requireOutput(JSON.parse(text))
  } catch (error) {
    return `outputFormat: the schema isn't valid JSON: ${messageOf(error)}`
  }
}
