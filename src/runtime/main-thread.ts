/** Puts the conversation with the user together, with all that its session shares. Wires; decides nothing. */
import { createHistory } from '../engine/history.js'
import type { HookMatchers } from '../hooks/session-hooks.js'
import { joinSystemPrompt } from '../protocol/option-table/system-prompt.js'
import { reminderText } from '../protocol/shown/own-tags.js'
import { recordOutputFile } from '../sessions/marks/output-file-list.js'
import { createTranscriptWriter } from '../sessions/write-transcript.js'
import { knownAgents } from './agents/known-agents.js'
import {
  type AgentRegistry,
  type Conversation,
  type MainThread,
  newTurnState,
  type SessionHostPort,
  type SharedSessionState,
} from './conversation.js'
import { connectSessionHooks, type SessionHookPorts } from './hooks/connect-session-hooks.js'
import { createHookExportedVariables } from './hooks/hook-variables.js'
import { createModelRequestHooks } from './hooks/model-request-hooks.js'
import { warnOfUncalledHooks } from './hooks/uncalled-hooks.js'
import { createMainThreadPorts } from './main-thread-ports.js'
import { assembleSessionMcp } from './mcp/assemble-session-mcp.js'
import { createRecordingEmitter } from './messages/emitter.js'
import { createUnsavedSessionReporter } from './messages/unsaved-session-reporter.js'
import type { UserTurnMessage } from './messages/user-message.js'
import { createSessionPermissions } from './permission/permission-port.js'
import { createPlanMode, planFilePathOf } from './permission/session-plan-mode.js'
import { createSessionSandbox } from './permission/session-sandbox.js'
import type { SessionHost, SessionSetup, TurnPorts } from './session-setup.js'
import { createMainToolOffer } from './tools/main-offer.js'
import { createStructuredOutputTracker } from './tools/required-output.js'
import { createSessionCheckpoints } from './tools/session-checkpoints.js'
import { createSessionTools } from './tools/session-tools.js'
import { createSessionBackground } from './turn/background.js'
import { openingTexts } from './turn/opening-texts.js'
import { persistLedger } from './turn/persist-ledger.js'

export type MainThreadParts = ReturnType<typeof createMainThread>

export function createMainThread(setup: SessionSetup, turns: TurnPorts, life: AbortSignal) {
  const { settings, live, start, model, project, platform, host } = setup
  const lines = openLines(setup)
  const { transcript, emitter } = lines
  const guards = createGuards(setup, {
    servers: () => servers.mcp.words(),
    readable: () => background.readableFolders(),
  })
  const { permissions, sandbox, planFile } = guards
  const servers = assembleSessionMcp(() => main, settings, permissions, host)
  const wake = (text: string) => void turns.queue().add(ownMessage(text))
  const hookSide = createHookSide(setup, { transcript, permissions, emitter }, () => main, { life, wake })
  const { hooks } = hookSide
  const background = createSessionBackground({
    settings,
    live,
    platform,
    emitter,
    mayAsk: () => !main.ports.overBudget(),
    submit: (message) => turns.queue().add(message),
    onQuiet: turns.onQuiet,
    tellLater: (text) => void main.toTell.ended.push(text),
    noteOutput: settings.persist ? (path) => recordOutputFile(platform.files, transcript.path, path) : undefined,
  })
  const plan = createPlanMode({
    permissions,
    platform,
    planFile,
    canBeApproved: () => servers.askHost !== undefined || hooks.has('PermissionRequest'),
    onModeChanged: (mode) => emitter.status(mode),
  })
  const agents = newAgentRegistry(setup)
  const teams = setup.createTeamCoordinator?.({ conversation: () => main, queue: turns.queue })
  const structured = createStructuredOutputTracker()
  const { registry, tools, bindTools } = createSessionTools({
    settings,
    live,
    platform,
    permissions,
    model,
    plan,
    hooks,
    background,
    structured,
    teams,
    life,
    agents: agents.known,
    servers: { tools: servers.resourceTools, search: servers.search },
    sandbox: sandbox?.bash,
    main: () => main,
    stderr: host.stderr,
  })
  const isResourceTool = (name: string) => servers.resourceTools.some((tool) => tool.name === name)
  const definitions = registry.definitions().filter(({ name }) => name !== structured.tool.name)
  const history = createHistory(start.messages)

  const shared: SharedSessionState = {
    sessionId: start.sessionId,
    settings,
    live,
    platform,
    ledger: model.ledger,
    project,
    mcp: servers.mcp,
    background,
    plan,
    agents,
    checkpoints: createSessionCheckpoints({
      settings,
      platform,
      sessionId: start.sessionId,
      transcript,
      permissions,
      emitter,
    }),
    forAgents: { bindTools, openLog: lines.openAgentLog },
    host: newHostPort(host),
    beginning: start.beginning,
    results: { count: 0, lastIsError: false },
    interrupt: turns.interrupt,
  }
  const main: MainThread = {
    shared,
    history,
    transcript,
    emitter,
    hooks,
    permissions,
    model,
    structured,
    tools,
    offer: createMainToolOffer({
      own: definitions.filter(({ name }) => !isResourceTool(name)),
      resourceTools: definitions.filter(({ name }) => isResourceTool(name)),
      servers: servers.mcp,
      permissions,
      model,
      env: () => live.env,
      messageCount: () => history.messages.length,
    }),
    prompt: {
      system: settings.systemPrompt === undefined ? undefined : joinSystemPrompt(settings.systemPrompt),
      append: settings.appendSystemPrompt,
    },
    toTell: { ended: [], pending: [], ...openingTexts(project, start.messages) },
    context: { tokens: start.tokens, failedAt: 0 },
    turn: newTurnState(),
    ports: createMainThreadPorts(setup, turns, {
      main: () => main,
      registry,
      servers,
      structured,
      permissions,
      hooks,
      emitter,
      life,
    }),
  }
  return { main, servers, sandbox, teams, ...hookSide }
}

function newAgentRegistry({ project, settings }: SessionSetup): AgentRegistry {
  return { known: knownAgents(project, settings.flagAgents), running: new Map(), past: new Map(), adopted: false }
}

/** The host before it has initialized the session: it wants nothing beyond the messages. */
function newHostPort({ send, summarize }: SessionHost): SessionHostPort {
  return { send, summarize, wishes: { suggestions: false, agentText: false, toolAliases: new Map(), sync: false } }
}

/** Where the session is written down, and who hears of it. */
function openLines({ settings, start, model, platform, host }: SessionSetup) {
  const { clock, identity, files } = platform
  const { log, leaf: parent, sessionId } = start
  const { cwd } = settings
  const transcript = createTranscriptWriter({
    files,
    log,
    sessionId,
    cwd,
    parent,
    now: clock.now,
    newId: identity.uuid,
  })
  persistLedger(model.ledger, start.costs, transcript)
  const emitter = createRecordingEmitter({ settings, sessionId, transcript, identity, send: host.send })
  const tellLoss = createUnsavedSessionReporter(emitter, host.stderr)
  log.onLost(tellLoss)
  return {
    transcript,
    emitter,
    openAgentLog(agentId: string) {
      const log = start.agentLog(agentId)
      log.onLost(tellLoss)
      return log
    },
  }
}

type GuardPorts = {
  /** How the names of MCP servers stand in the names of their tools. */
  servers(): string[]
  readable(): string[]
}

/** What calls may do, and the walls around commands. */
function createGuards({ settings, live, platform, host, start }: SessionSetup, { servers, readable }: GuardPorts) {
  const planFile = planFilePathOf(settings.configDir, start.sessionId)
  const sandbox = createSessionSandbox(settings, live, platform, {
    permissions: () => permissions,
    readable,
    stderr: host.stderr,
  })
  const permissions = createSessionPermissions(settings, platform, {
    planFile,
    readableFolders: readable,
    servers,
    searchPath: () => live.env['PATH'],
    variable: (name) => live.env[name],
    sandbox: () => sandbox?.state(),
  })
  for (const warning of permissions.warnings) host.stderr(`Warning: ${warning}\n`)
  return { permissions, sandbox, planFile }
}

/** A text of the session's own, as a prompt. */
function ownMessage(text: string): UserTurnMessage {
  const marked = reminderText(text)
  return { uuid: undefined, content: marked, blocks: [{ type: 'text', text: marked }], text: marked, own: true }
}

function createHookSide(
  { settings, live, start, platform, host, model }: SessionSetup,
  lines: Pick<Conversation, 'transcript' | 'permissions' | 'emitter'>,
  main: () => Conversation,
  session: Pick<SessionHookPorts, 'life' | 'wake'>,
) {
  let matchers: HookMatchers = {}
  const variables = createHookExportedVariables(settings, live, start.sessionId, platform)
  const hooks = connectSessionHooks({
    settings,
    live,
    sessionId: start.sessionId,
    platform,
    variables,
    ...lines,
    main,
    matchers: () => matchers,
    callHook: host.callHook,
    stderr: host.stderr,
    promptId: () => main().context.promptId,
    // A resumed session keeps its name.
    nameSession: (title) => start.source === 'startup' && lines.transcript.title(title),
    ...session,
  })
  model.watchWith(createModelRequestHooks(hooks, host.stderr))
  const commandEvents = settings.settingsHooks.map(({ event }) => event)
  warnOfUncalledHooks(commandEvents, settings, host.stderr)
  return {
    hooks,
    variables,
    setMatchers(next: HookMatchers) {
      matchers = next
    },
  }
}
