/** Puts the conversation with the user together, with all that its session shares. Wires; decides nothing. */
import { createHistory } from '../engine/history.js'
import type { NotSaved } from '../engine/ports.js'
import type { HookMatchers } from '../hooks/session-hooks.js'
import type { Platform } from '../platform/platform.js'
import type { HookInput } from '../protocol/hooks.js'
import type { SDKMessage } from '../protocol/messages.js'
import { joinSystemPrompt } from '../protocol/option-table/system-prompt.js'
import { toolName } from '../protocol/tool-names.js'
import { noteOutput } from '../sessions/marks/output-list.js'
import { createTranscript } from '../sessions/write-transcript.js'
import { withOldNames } from '../tools/old-names.js'
import { knownAgents } from './agents/known-agents.js'
import type { Configuration } from './configuration.js'
import { type Conversation, type MainThread, newTurn, type Shared, type Summarize } from './conversation.js'
import { createHookVariables } from './hooks/hook-variables.js'
import { watchModel } from './hooks/model-watch.js'
import { warnOfSilent } from './hooks/raised-events.js'
import { connectHooks } from './hooks/session-events.js'
import type { LiveSettings } from './live-settings.js'
import { joinMcp, type McpSessionHost } from './mcp/join-servers.js'
import { createEmitter } from './messages/emitter.js'
import { createLossNotice } from './messages/loss-notice.js'
import type { ModelSetup } from './model-setup.js'
import { createAsk } from './permission/ask-host.js'
import { createPermissionPort, sessionPermissions } from './permission/permission-port.js'
import { createPlanMode, newPlanFile } from './permission/session-plan.js'
import { createSessionSandbox } from './permission/session-sandbox.js'
import type { SessionProject } from './session-project.js'
import type { SessionStart } from './start-session.js'
import type { TeamCoordinator, TeamCoordinatorPorts } from './teams/team-coordinator.js'
import { withInstructions } from './tools/beside-results.js'
import { createMainOffer } from './tools/main-offer.js'
import { createStructuredOutput } from './tools/required-output.js'
import { sessionCheckpoints } from './tools/session-checkpoints.js'
import { createSessionTools } from './tools/session-tools.js'
import { createBackground } from './turn/background.js'
import { foldMessages } from './turn/fold-messages.js'
import { makeRoom } from './turn/make-room.js'
import { openingTexts } from './turn/opening-texts.js'
import { createSavedBarrier } from './turn/saved-barrier.js'
import { keepLedger } from './turn/spent-before.js'
import type { TurnQueue } from './turn/turn-queue.js'

/** What a session needs from the side that talks to the host. */
export type SessionHost = McpSessionHost & {
  send(message: SDKMessage): void | Promise<void>
  callHook(callbackId: string, input: HookInput, toolUseId: string, signal: AbortSignal): Promise<unknown>
  /** Resolves when the host's store has every line, or with why it never will. */
  syncStore(): Promise<NotSaved | undefined>
  /** Absent: the model sums up. */
  summarize?: Summarize | undefined
}

/** What a session is made of. */
export type SessionSetup = {
  settings: Configuration
  live: LiveSettings
  start: SessionStart
  model: ModelSetup
  project: SessionProject
  platform: Platform
  host: SessionHost
  /** Absent: the session may not lead a team. */
  createTeamCoordinator?: ((ports: TeamCoordinatorPorts) => TeamCoordinator) | undefined
}

/** What turns need of the conversation they run in, and it of them: known once both are there. */
export type TurnPorts = {
  queue(): TurnQueue
  interrupt(): void
  /** Something ended without a turn to follow. */
  onQuiet(): void
}

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
  const servers = joinMcp(() => main, settings, permissions, host)
  const hookSide = createHookSide(setup, { transcript, permissions, emitter })
  const { hooks } = hookSide
  const background = createBackground({
    settings,
    live,
    platform,
    emitter,
    mayAsk: () => !main.ports.overBudget(),
    submit: (message) => turns.queue().add(message),
    onQuiet: turns.onQuiet,
    tellLater: (text) => void main.toTell.ended.push(text),
    noteOutput: settings.persist ? (path) => noteOutput(platform.files, transcript.path, path) : undefined,
  })
  const plan = createPlanMode({
    permissions,
    platform,
    planFile,
    canBeApproved: () => servers.askHost !== undefined || hooks.has('PermissionRequest'),
    onModeChanged: (mode) => emitter.status(mode),
  })
  const agents = {
    known: knownAgents(project, settings.flagAgents),
    running: new Map(),
    past: new Map(),
    adopted: false,
  }
  const teams = setup.createTeamCoordinator?.({ conversation: () => main, queue: turns.queue })
  const structured = createStructuredOutput()
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

  const shared: Shared = {
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
    checkpoints: sessionCheckpoints({
      settings,
      platform,
      sessionId: start.sessionId,
      transcript,
      permissions,
      emitter,
    }),
    forAgents: { bindTools, openLog: lines.openAgentLog },
    host: {
      send: host.send,
      summarize: host.summarize,
      wishes: { suggestions: false, agentText: false, toolAliases: new Map(), sync: false },
    },
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
    offer: createMainOffer({
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
    turn: newTurn(),
    ports: {
      model: model.port,
      tools: withOldNames(
        {
          find(called) {
            const name = toolName(shared.host.wishes.toolAliases.get(called) ?? called)
            const isOffered = main.offer.offered.some((tool) => tool.name === name)
            const own = isOffered ? registry.port.find(name) : undefined
            if (own) return shared.checkpoints.guard(own)
            const isUnfound = !isOffered && main.offer.deferred.some((tool) => tool.name === name)
            return isUnfound ? undefined : servers.find(name)
          },
          findDeferred: servers.find,
        },
        () => ({ offered: main.offer.definitions(), deferred: main.offer.deferred }),
      ),
      hooks: structured.guard(withInstructions(hooks, project, settings.cwd)),
      gaveUp: structured.gaveUp,
      makeRoom: (why, signal) => makeRoom(main, why, signal),
      permissions: createPermissionPort({
        settings,
        platform,
        permissions,
        emitter,
        stderr: host.stderr,
        ask: createAsk({
          hooks,
          askHost: servers.askHost,
          decided: start.beginning ? start.decisions : undefined,
          onWaiting: (waiting) => emitter.state(waiting ? 'requires_action' : 'running'),
        }),
      }),
      takeFolded: (signal) => foldMessages(main, turns.queue().takeWaiting(), signal),
      overBudget: model.overBudget,
      yields: () => main.turn.yields === true,
      // A file has every line when it is written.
      ...(settings.mirrors
        ? { saved: createSavedBarrier({ ask: host.syncStore, isAnswered: () => shared.host.wishes.sync }) }
        : {}),
      every: platform.clock.every,
      uuid: platform.identity.uuid,
    },
  }
  return { main, servers, sandbox, teams, ...hookSide }
}

/** Where the session is written down, and who hears of it. */
function openLines({ settings, start, model, platform, host }: SessionSetup) {
  const { clock, identity, files } = platform
  const { log, leaf: parent, sessionId } = start
  const { cwd } = settings
  const transcript = createTranscript({ files, log, sessionId, cwd, parent, now: clock.now, newId: identity.uuid })
  keepLedger(model.ledger, start.costs, transcript)
  const emitter = createEmitter({ settings, sessionId, transcript, identity, send: host.send })
  const tellLoss = createLossNotice(emitter, host.stderr)
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
function createGuards({ settings, live, platform, host }: SessionSetup, { servers, readable }: GuardPorts) {
  const planFile = newPlanFile(settings.configDir, platform.identity.hex)
  const sandbox = createSessionSandbox(settings, live, platform, {
    permissions: () => permissions,
    readable,
    stderr: host.stderr,
  })
  const permissions = sessionPermissions(settings, platform, {
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

function createHookSide(
  { settings, live, start, platform, host, model }: SessionSetup,
  lines: Pick<Conversation, 'transcript' | 'permissions' | 'emitter'>,
) {
  let matchers: HookMatchers = {}
  const variables = createHookVariables(settings, live, start.sessionId, platform)
  const hooks = connectHooks({
    settings,
    live,
    sessionId: start.sessionId,
    platform,
    variables,
    ...lines,
    matchers: () => matchers,
    callHook: host.callHook,
    stderr: host.stderr,
  })
  model.watchWith(watchModel(hooks, host.stderr))
  const commandEvents = settings.commandHooks.map(({ event }) => event)
  warnOfSilent(commandEvents, settings, host.stderr)
  return {
    hooks,
    variables,
    setMatchers(next: HookMatchers) {
      matchers = next
    },
  }
}
