/** The sessions one client has open, and what it can ask for about them. */
import { stat } from 'node:fs/promises'
import type {
  AgentContext,
  ForkSessionRequest,
  ListSessionsRequest,
  ListSessionsResponse,
  LoadSessionRequest,
  LoadSessionResponse,
  McpServer,
  MessageMcpNotification,
  NewSessionRequest,
  NewSessionResponse,
  PromptRequest,
  PromptResponse,
  ResumeSessionRequest,
  SetSessionConfigOptionRequest,
} from '@agentclientprotocol/sdk/unstable'
import { KedgeError } from '../errors.js'
import { rewindAsRequested } from '../hub/rewind.js'
import type { Effort, SessionInfo } from '../hub/session-types.js'
import { type LocalAgents, requireLocalAgents, type Sessions } from '../hub/sessions.js'
import type { Clock } from '../platform/clock.js'
import { isObject } from '../protocol/json.js'
import type { Options } from '../protocol/options.js'
import { isPermissionMode, unknownModeText } from '../protocol/permission-modes.js'
import type { PermissionMode } from '../protocol/permission-types.js'
import { AcpAccountHandler } from './account-handler.js'
import type { AcpClientAbilities } from './acp-client.js'
import { letUserPickInClient } from './asks/pick.js'
import { ClientMcpServers } from './client-servers.js'
import { hasCredential, type ModelCredentials } from './credentials.js'
import type { SessionRewindRequest, SteerRequest } from './extension-params.js'
import { createAuthRequiredError, createInvalidParamsError, createUnknownSessionError } from './request-errors.js'
import type { UnreadableMcpServerNames } from './session-params.js'
import { AcpSession } from './sessions/acp-session.js'
import { readAcpCommand } from './sessions/commands.js'
import { type ChosenConfig, configOptionValues, offeredModes } from './sessions/config-options.js'
import { promptContent, textOfPrompt } from './sessions/prompt-content.js'
import { runAcpCommand } from './sessions/run-own-command.js'
import {
  type ClientServerFactory,
  isPlainAbsolutePath,
  type RequestedSession,
  readRequestedSession,
  toMcpServers,
  withoutMcpServers,
} from './sessions/session-options.js'

export type AcpAgentPorts = {
  hub: Sessions
  /**
   * Undefined: agents run on other machines. They have neither our functions nor an editor's servers, and tell nothing of
   * themselves.
   */
  agents: LocalAgents | undefined
  /** For every agent; what a session asks for comes on top. */
  options: Options
  env: Readonly<Record<string, string | undefined>>
  canBypass: boolean
  newId(): string
  clock: Clock
  /** Once what is being answered has been sent. */
  soon(work: () => void): void
  /** The client has left: sessions stay where they are, for others. Needed where the hub outlasts the client. */
  signal?: AbortSignal
}

export type AcpSessionsPorts = AcpAgentPorts & {
  context: AgentContext
  client: AcpClientAbilities
  credentials: ModelCredentials
}

/** What the client asked for makes no sense; anything else is the set-up's fault. */
const WRONG_WISH: readonly string[] = ['invalid_option', 'unsupported_option', 'invalid_cwd', 'not_supported_yet']

type SessionRequest = Pick<NewSessionRequest, 'cwd' | 'additionalDirectories' | 'systemPrompt' | '_meta'> & {
  mcpServers?: McpServer[]
} & UnreadableMcpServerNames

export class AcpSessions {
  readonly #ports: AcpSessionsPorts
  readonly #sessions = new Map<string, AcpSession>()
  readonly #modes: readonly PermissionMode[]
  /** API keys, sign-in, and providers: what pays for the sessions. */
  readonly accounts: AcpAccountHandler

  constructor(ports: AcpSessionsPorts) {
    this.#ports = ports
    this.#modes = offeredModes(ports.canBypass)
    this.#servers = new ClientMcpServers(ports.context)
    const sessions = () => this.#sessions.values()
    this.accounts = new AcpAccountHandler({
      ...ports,
      sessions,
      model: ports.options.model,
      apply: (session) => this.#apply(session),
    })
  }

  /** What the client had its agents use went with it. */
  leave(): void {
    for (const session of this.#sessions.values()) {
      session.leave()
      // With agents on other machines, the options are part of the session, which continues as it was created.
      if (this.#ports.agents) void this.#ports.hub.use(session.id, {}).catch(() => {})
    }
    this.#sessions.clear()
  }

  readonly #servers: ClientMcpServers
  readonly #ofClient: ClientServerFactory = (name, serverId) => this.#servers.config(name, serverId)

  /** A server of the client says something. */
  serverSays(message: MessageMcpNotification): void {
    this.#servers.take(message)
  }

  // ── sessions ───────────────────────────────────────────────────────────────

  async create(request: NewSessionRequest & UnreadableMcpServerNames): Promise<NewSessionResponse> {
    const { hub, agents } = this.#ports
    const wish = await this.#wish(request)
    if (agents) await mustBeFolder(request.cwd)
    return this.#begin(await hub.create({ cwd: request.cwd, ...choices(wish), options: wish.options }), wish)
  }

  async #begin({ id, cwd, seq }: SessionInfo, wish: RequestedSession): Promise<NewSessionResponse> {
    const session = await this.#seat(id, cwd, wish)
    session.follow(seq)
    const commands = await this.#describe(session, wish).catch(async (error: unknown) => {
      // No client will ever know of this session.
      await this.delete(id).catch(() => {})
      throw error
    })
    this.#ports.soon(() => void this.#welcome(session, wish, commands))
    return { sessionId: id, ...session.state }
  }

  /** Sends the whole history before the response. */
  async load(request: LoadSessionRequest & UnreadableMcpServerNames): Promise<LoadSessionResponse> {
    const { session, wish, seq } = await this.#open(request)
    await session.replay()
    const commands = await this.#describe(session, wish)
    await this.#welcome(session, wish, commands)
    session.follow(seq)
    return session.state
  }

  async resume(request: ResumeSessionRequest & UnreadableMcpServerNames): Promise<LoadSessionResponse> {
    const { session, wish, seq } = await this.#open(request)
    session.follow(seq)
    const commands = await this.#describe(session, wish)
    this.#ports.soon(() => void this.#welcome(session, wish, commands))
    return session.state
  }

  async fork(request: ForkSessionRequest & UnreadableMcpServerNames): Promise<NewSessionResponse> {
    const { hub } = this.#ports
    const wish = await this.#wish(request)
    mustBeId(request.sessionId)
    const own = isObject(request._meta) && isObject(request._meta['kedge']) ? request._meta['kedge'] : {}
    const at = typeof own['messageId'] === 'string' ? { message: own['messageId'] } : undefined
    return this.#begin(await hub.fork(request.sessionId, at, wish.options), wish)
  }

  async list({ cwd, cursor, archived }: ListSessionsRequest): Promise<ListSessionsResponse> {
    if (cwd && !isPlainAbsolutePath(cwd)) throw createInvalidParamsError(`cwd must be an absolute path, not "${cwd}".`)
    const page = await this.#ports.hub.list({
      ...(cwd ? { cwd } : {}),
      ...(cursor ? { cursor } : {}),
      ...(archived === 'include' ? { archived: 'any' } : archived === 'only' ? { archived: true } : {}),
    })
    const sessions = page.sessions.map(({ id, cwd: folder, title, lastActivity, archived: isArchived, ...info }) => ({
      sessionId: id,
      cwd: folder,
      title: title ?? null,
      updatedAt: new Date(lastActivity).toISOString(),
      ...(archived ? { archived: isArchived } : {}),
      _meta: {
        kedge: { status: info.status, costUsd: info.costUsd, model: info.model, mode: info.mode, asks: info.asks },
      },
    }))
    return { sessions, ...(page.next === undefined ? {} : { nextCursor: page.next }) }
  }

  async close(id: string): Promise<Record<string, never>> {
    const session = this.#at(id)
    await session.cancel().catch(() => {})
    this.#sessions.delete(id)
    await this.#ports.hub.close(id)
    session.leave()
    return {}
  }

  /** One that is not there is as good as deleted. */
  async delete(id: string): Promise<Record<string, never>> {
    const session = this.#sessions.get(id)
    await session?.cancel().catch(() => {})
    this.#sessions.delete(id)
    if (isSessionId(id)) await this.#ports.hub.delete(id)
    session?.leave()
    return {}
  }

  async archive(id: string, archived: boolean): Promise<Record<string, never>> {
    mustBeId(id)
    await this.#ports.hub.change(id, { archived })
    return {}
  }

  async status(id: string): Promise<{ status: 'open' | 'saved' }> {
    if (this.#sessions.has(id)) return { status: 'open' }
    const { sessions } = await this.#ports.hub.list({ archived: 'any', where: (one) => one.id === id })
    const [found] = sessions
    if (!found) throw createUnknownSessionError(id)
    return { status: found.isOpen ? 'open' : 'saved' }
  }

  async setTitle(id: string, title: string): Promise<{ title: string }> {
    if (title.trim() === '') throw createInvalidParamsError('A title must not be empty.')
    mustBeId(id)
    await this.#ports.hub.change(id, { title })
    return { title }
  }

  // ── prompts ────────────────────────────────────────────────────────────────

  async prompt({ sessionId, prompt, _meta }: PromptRequest, signal: AbortSignal): Promise<PromptResponse> {
    const session = this.#at(sessionId)
    const content = promptContent(prompt)
    const own = readAcpCommand(textOfPrompt(prompt))
    if (own) return this.#runOwn(session, own)
    const { cancels } = session
    await this.#askTrust(session)
    if (session.cancels !== cancels || signal.aborted) return { stopReason: 'cancelled' }
    await this.#useFormat(session, _meta)
    if (session.isStale) await this.#apply(session)
    // A client that has left its session to others did not stop it.
    const cancel = () => (session.hasLeft ? undefined : void session.cancel().catch(() => {}))
    signal.addEventListener('abort', cancel, { once: true })
    try {
      return await session.prompt(content)
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }

  async #runOwn(session: AcpSession, command: NonNullable<ReturnType<typeof readAcpCommand>>): Promise<PromptResponse> {
    const { hub, agents, context, client, newId } = this.#ports
    const said = await runAcpCommand(command, { hub, agents, context, client, newId, session: session.id }).catch(
      (error: unknown) => {
        if (KedgeError.isInstance(error)) return error.message
        throw error
      },
    )
    await session.say(said)
    return { stopReason: 'end_turn' }
  }

  /** Interrupts the session with this id. For a sub-agent shown as a session, stops only its task. */
  async cancel(id: string): Promise<void> {
    const session = this.#sessions.get(id)
    if (session) return session.cancel().catch(() => {})
    for (const parent of this.#sessions.values()) {
      const task = parent.taskOf(id)
      if (task !== undefined) await this.#ports.hub.interrupt(parent.id, { task }).catch(() => {})
    }
  }

  async steer({ sessionId, prompt, wantsPrompt }: SteerRequest) {
    const session = this.#at(sessionId)
    const content = promptContent(prompt)
    const isBusy = session.isBusy
    if (!isBusy && wantsPrompt) return { outcome: 'promptRequired', reason: 'noRunningTurn' }
    session
      .prompt(content, 'steer')
      .catch((error: unknown) => session.tell('error', 'The prompt failed', String(error)))
    return { outcome: isBusy ? 'injected' : 'startedNewTurn' }
  }

  async stopTask({ sessionId, task }: { sessionId: string; task: string }): Promise<Record<string, never>> {
    this.#at(sessionId)
    await this.#ports.hub.interrupt(sessionId, { task })
    return {}
  }

  async rewind({ sessionId, ...to }: SessionRewindRequest) {
    this.#at(sessionId)
    const { hub, agents } = this.#ports
    return rewindAsRequested(hub, agents, sessionId, to)
  }

  async setServers({ sessionId, mcpServers: given }: { sessionId: string; mcpServers: McpServer[] }) {
    this.#at(sessionId)
    const { servers, problems } = toMcpServers(given, this.#ofClient)
    const agent = await requireLocalAgents(this.#ports.agents).agent(sessionId)
    const all = { ...this.#ports.options.mcpServers, ...servers }
    return { ...(await agent.setMcpServers(all, { replaceAll: true })), problems }
  }

  // ── what can be set ────────────────────────────────────────────────────────

  async setMode(id: string, mode: string): Promise<Record<string, never>> {
    await this.#choose(this.#at(id), 'mode', mode)
    return {}
  }

  async setConfigOption(request: SetSessionConfigOptionRequest) {
    const session = this.#at(request.sessionId)
    const { configId, value } = request
    const isSwitch = session.configOptions.some(({ id, type }) => id === configId && type === 'boolean')
    if (typeof value !== (isSwitch ? 'boolean' : 'string'))
      throw createInvalidParamsError(`${configId} takes one of its values, not ${String(value)}.`)
    await this.#choose(session, configId, typeof value === 'string' ? value : value ? 'on' : 'off')
    return { configOptions: session.configOptions }
  }

  async #choose(session: AcpSession, id: string, value: string): Promise<void> {
    const { hub } = this.#ports
    const values = configOptionValues(id, session.configOptions)
    if (!values) throw createInvalidParamsError(`There is no option "${id}".`)
    if (!values.includes(value))
      throw createInvalidParamsError(
        id === 'mode' ? unknownModeText(value) : `${id} must be one of ${values.join(', ')}, not "${value}".`,
      )
    if (id === 'mode' && isPermissionMode(value)) await hub.change(session.id, { mode: value })
    if (id === 'model') await hub.change(session.id, { model: value })
    // One that is the default is not said.
    if (id === 'effort' && value !== 'default') await hub.change(session.id, { effort: value as Effort }) // one of its values
    if (id === 'fast' && typeof session.options.settings === 'string')
      throw createInvalidParamsError(
        'fast can not be set beside settings that are a text or a file: say fastMode there.',
      )
    await session.choose({ [id]: value })
    if (id === 'context' || id === 'sandbox' || id === 'fast') await this.#apply(session)
  }

  // ── inside ─────────────────────────────────────────────────────────────────

  #at(id: string): AcpSession {
    const session = this.#sessions.get(id)
    if (!session) throw createUnknownSessionError(id)
    return session
  }

  async #wish(request: SessionRequest): Promise<RequestedSession> {
    const { agents, options, canBypass, credentials } = this.#ports
    const { environment } = credentials
    const bypass: Options = canBypass ? { allowDangerouslySkipPermissions: true } : {}
    const wish = readRequestedSession(
      request,
      { ...options, ...bypass, ...(environment ? { env: environment } : {}) },
      this.#ofClient,
    )
    wish.problems.push(...request.badServers)
    if (!agents) return withoutMcpServers(wish)
    if (!wish.options.settingSources?.some((source) => source !== 'user')) return wish
    const trust = await agents.folderTrust(request.cwd)
    if (trust.isTrusted || trust.brings.length === 0) return wish
    return { ...wish, options: { ...wish.options, untrusted: true }, doubt: trust }
  }

  /** Asked once, before anything of the folder is used. */
  async #askTrust(session: AcpSession): Promise<void> {
    const { agents, context, client, newId } = this.#ports
    const { doubt } = session
    if (!doubt || !agents) return
    delete session.doubt
    const what = doubt.changed.length > 0 ? doubt.changed : doubt.brings
    const why =
      doubt.changed.length > 0
        ? 'Files that run commands have changed in this folder'
        : 'This folder contains files that can run commands and instruct the agent'
    const title = `${why}: ${what.join(', ')}. Do you trust it?`
    const choice = await letUserPickInClient(
      title,
      [
        ['not-now', 'Not now'],
        ['trust', 'Trust this folder'],
      ],
      { context, client, newId, session: session.id },
      'not-now',
    ).catch(() => undefined)
    if (choice !== 'trust') {
      const unused = doubt.changed.length > 0 ? doubt.changed : doubt.withheld
      if (unused.length > 0) {
        await session.tell('warning', 'Not used, because this folder is not trusted', unused.join(', '))
      }
      return
    }
    const { reason } = await agents.trustFolder(session.cwd)
    if (reason !== undefined) await session.tell('info', 'Trusted for this session only', reason)
    session.use({ ...session.options, untrusted: false }, {})
    await this.#apply(session)
  }

  async #seat(
    id: string,
    cwd: string,
    wish: RequestedSession,
    before: Partial<ChosenConfig> = {},
  ): Promise<AcpSession> {
    this.#sessions.get(id)?.leave()
    const session = new AcpSession(id, cwd, this.#modes, this.#ports)
    session.use(wish.options, { ...before, ...chosen(wish) })
    await this.#ports.hub.open(id, session.options)
    session.wantsRaw = wish.wantsRaw
    if (wish.doubt) session.doubt = wish.doubt
    this.#sessions.set(id, session)
    return session
  }

  async #open(request: (LoadSessionRequest | ResumeSessionRequest) & UnreadableMcpServerNames) {
    const { hub, agents } = this.#ports
    const wish = await this.#wish(request)
    mustBeId(request.sessionId)
    const isLive = this.#sessions.has(request.sessionId)
    const { cwd, seq, mode, effort } = await hub.open(request.sessionId, wish.options)
    // The only standard way to give a live session other servers, also one that another client has begun.
    const namesServers = (request.mcpServers?.length ?? 0) > 0
    if (isLive || namesServers) await agents?.setMcpServers(request.sessionId, wish.options.mcpServers ?? {})
    const before = { ...(mode ? { mode } : {}), ...(effort ? { effort } : {}) }
    const session = await this.#seat(request.sessionId, cwd, wish, before)
    return { session, wish, seq }
  }

  /**
   * Returns the session's commands. Settings that can't be read are reported, and the session opens anyway. Without a
   * credential, it doesn't.
   */
  async #describe(session: AcpSession, wish: RequestedSession) {
    const { agents } = this.#ports
    if (!agents) return []
    try {
      const { commands, account } = await session.describe(agents)
      this.accounts.known = account
      const isFree = wish.model === 'practice' || account.apiKeySource === 'practice'
      if (!isFree && !hasCredential(account)) throw createAuthRequiredError()
      return commands
    } catch (error) {
      if (!KedgeError.isInstance(error) || WRONG_WISH.includes(error.code)) throw error
      wish.problems.push(error.message)
      return []
    }
  }

  async #welcome(
    session: AcpSession,
    wish: RequestedSession,
    commands: Parameters<AcpSession['tellCommands']>[0],
  ): Promise<void> {
    await session.welcome(commands)
    for (const problem of wish.problems) await session.tell('warning', 'Part of the set-up is not used', problem)
  }

  /** An answer of a certain form is asked for with the prompt; the agent has to know before. */
  async #useFormat(session: AcpSession, meta: PromptRequest['_meta']): Promise<void> {
    const own = isObject(meta) && isObject(meta['kedge']) ? meta['kedge'] : {}
    const format = own['outputFormat']
    const before = session.options.outputFormat
    if (JSON.stringify(format) === JSON.stringify(before) || (format === undefined && !session.hasOwnFormat)) return
    if (session.isBusy && format !== undefined)
      throw createInvalidParamsError('Another form of answer can be asked for when no other prompt is being worked on.')
    session.useFormat(format as Options['outputFormat']) // checked where the agent is started
    await this.#apply(session)
  }

  /** Restarts the agent for a change; a busy agent restarts with the next prompt that finds it idle. */
  async #apply(session: AcpSession): Promise<void> {
    session.isStale = session.isBusy
    if (!session.isStale) await this.#ports.hub.use(session.id, session.options)
  }
}

/** Checked here because the agent would only notice with the first prompt. */
async function mustBeFolder(cwd: string): Promise<void> {
  const found = await stat(cwd).catch(() => undefined)
  if (found?.isDirectory()) return
  const what = found ? 'is not a folder' : 'does not exist'
  throw new KedgeError('invalid_cwd', `The working directory ${JSON.stringify(cwd)} ${what}.`)
}

/** Ours are UUIDs; with others there is no session. */
function isSessionId(id: string): boolean {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id)
}

function mustBeId(id: string): void {
  if (!isSessionId(id)) throw createUnknownSessionError(id)
}

function choices({ mode, model, effort }: RequestedSession) {
  return { ...(mode ? { mode } : {}), ...(model ? { model } : {}), ...(effort ? { effort } : {}) }
}

function chosen(wish: RequestedSession): Partial<ChosenConfig> {
  return choices(wish)
}
