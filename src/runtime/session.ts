/** The composition root of one session: builds its parts from settings and connects them. No policy of its own. */

import { createHistory } from '../engine/history.js'
import type { HookMatchers } from '../hooks/session-hooks.js'
import type { Platform } from '../platform/platform.js'
import type { HookInput } from '../protocol/hooks.js'
import type { SDKMessage } from '../protocol/messages.js'
import type { AgentDefinition } from '../protocol/options.js'
import type { PermissionMode } from '../protocol/permission-types.js'
import { createTranscript } from '../sessions/write-transcript.js'
import { defineAgents, knownAgents } from './agents/known-agents.js'
import { createHookVariables } from './hooks/hook-variables.js'
import { warnOfSilent } from './hooks/raised-events.js'
import { connectHooks } from './hooks/session-events.js'
import { joinMcp, type McpSessionHost } from './mcp/join-servers.js'
import { createEmitter } from './messages/emitter.js'
import { createIdleNotice } from './messages/idle-notice.js'
import { createLossNotice } from './messages/loss-notice.js'
import { isOfUser, type UserTurnMessage } from './messages/user-message.js'
import type { ModelSetup } from './model-setup.js'
import { createAsk } from './permission/ask-host.js'
import { createPermissionPort, sessionPermissions } from './permission/permission-port.js'
import { createPlanMode, newPlanFile } from './permission/session-plan.js'
import { createSessionSandbox } from './permission/session-sandbox.js'
import { beginSession, openSession } from './session-opening.js'
import { freshState, type SessionParts, type Summarize } from './session-parts.js'
import type { SessionProject } from './session-project.js'
import type { SessionSettings } from './settings.js'
import type { SessionStart } from './start-session.js'
import { openTeamDesk } from './teams/team-desk.js'
import { withInstructions } from './tools/beside-results.js'
import { inRequest, toolName } from './tools/built-in-tools.js'
import { createStructuredOutput } from './tools/required-output.js'
import { createSessionTools } from './tools/session-tools.js'
import { createBackground } from './turn/background.js'
import { makeRoom } from './turn/compact.js'
import { foldMessages } from './turn/fold-messages.js'
import { keepLedger } from './turn/spent-before.js'
import { suggestPrompt, wantsSuggestion } from './turn/suggest-prompt.js'
import { reportCancelled } from './turn/turn-end.js'
import { openingTexts } from './turn/turn-prompt.js'
import { createTurnQueue } from './turn/turn-queue.js'
import { runUserTurn } from './turn/user-turn.js'

/** What a session needs from the side that talks to the host. */
export type SessionHost = McpSessionHost & {
  send(message: SDKMessage): void | Promise<void>
  callHook(callbackId: string, input: HookInput, toolUseId: string, signal: AbortSignal): Promise<unknown>
  /** Absent: the model sums up. */
  summarize?: Summarize | undefined
}

export type Session = ReturnType<typeof createSession>

export function createSession(
  settings: SessionSettings,
  start: SessionStart,
  model: ModelSetup,
  project: SessionProject,
  platform: Platform,
  host: SessionHost,
) {
  const { sessionId } = start
  const { clock, identity, files } = platform
  let matchers: HookMatchers = {}
  let turn: AbortController | undefined
  const life = new AbortController()
  let began: Promise<void> | undefined
  let received = 0
  let suggesting: AbortController | undefined

  const { cwd } = settings
  const { log, leaf: parent } = start
  const transcript = createTranscript({ files, log, sessionId, cwd, parent, now: clock.now, newId: identity.uuid })
  keepLedger(model.ledger, start.costs, transcript)
  const planFile = newPlanFile(settings.configDir, identity.hex)
  const readable = () => background.readableFolders()
  const sandboxPorts = { permissions: () => permissions, readable, stderr: host.stderr }
  const sandbox = createSessionSandbox(settings, platform, sandboxPorts)
  const permissions = sessionPermissions(settings, platform, {
    ...{ planFile, readableFolders: readable },
    sandbox: () => sandbox?.state(),
    servers: () => servers.mcp.words(),
  })
  const servers = joinMcp(() => parts, settings, permissions, host)
  for (const warning of permissions.warnings) host.stderr(`Warning: ${warning}\n`)
  const emitter = createEmitter({ settings, sessionId, transcript, identity, send: host.send })
  const tellLoss = createLossNotice(emitter, host.stderr)
  start.log.onLost(tellLoss)
  const variables = createHookVariables(settings, sessionId, platform)
  const hooks = connectHooks({
    ...{ settings, sessionId, platform, transcript, permissions, emitter, variables },
    matchers: () => matchers,
    callHook: host.callHook,
    stderr: host.stderr,
  })
  warnOfSilent(
    settings.commandHooks.map(({ event }) => event),
    settings,
    host.stderr,
  )
  const idle = createIdleNotice(hooks, clock, settings.env, life.signal)
  const background = createBackground({
    settings,
    platform,
    emitter,
    mayAsk: () => !parts.ports.overBudget(),
    submit: (message) => queue.add(message),
    onQuiet: () => settle(),
    tellLater: (text) => void parts.pendingContext.push(text),
  })
  const plan = createPlanMode({
    permissions,
    platform,
    planFile,
    canBeApproved: () => servers.askHost !== undefined || hooks.has('PermissionRequest'),
    onModeChanged: (mode) => emitter.status(mode),
  })
  const agents = knownAgents(project)
  const teams = openTeamDesk(settings, { parts: () => parts, queue: () => queue })
  const structured = createStructuredOutput()
  const { registry, readFiles, bindTools } = createSessionTools({
    ...{ settings, platform, permissions, model, plan, hooks, background, structured, agents, servers, teams },
    sandbox: sandbox?.bash,
    parts: () => parts,
    life: life.signal,
    stderr: host.stderr,
  })
  const ask = createAsk({
    hooks,
    askHost: servers.askHost,
    onWaiting: (waiting) => emitter.state(waiting ? 'requires_action' : 'running'),
  })

  const parts: SessionParts = {
    ...freshState(() => parts),
    settings,
    platform,
    sessionId,
    history: createHistory(start.messages),
    context: { tokens: start.tokens, failedAt: 0 },
    transcript,
    ledger: model.ledger,
    permissions,
    hooks,
    model,
    structured,
    ...servers.offer(registry.definitions().filter(({ name }) => name !== structured.tool.name)),
    definitions: () => inRequest(parts),
    prompt: { system: settings.systemPrompt, append: settings.appendSystemPrompt },
    emitter,
    background,
    plan,
    project,
    opening: openingTexts(project, start.messages),
    summarize: host.summarize,
    readFiles,
    bindTools,
    openAgentLog(agentId) {
      const log = start.agentLog(agentId)
      log.onLost(tellLoss)
      return log
    },
    sendToHost: host.send,
    interrupt: () => turn?.abort(),
    agents,
    ports: {
      model: model.port,
      tools: {
        find(called) {
          const name = toolName(called)
          const own = parts.offered.some((tool) => tool.name === name) ? registry.port.find(name) : undefined
          return own ? parts.checkpoints.guard(own) : servers.find(name)
        },
      },
      hooks: structured.guard(withInstructions(hooks, project, settings.cwd)),
      gaveUp: structured.gaveUp,
      makeRoom: (why, signal) => makeRoom(parts, why, signal),
      permissions: createPermissionPort({ settings, platform, permissions, ask, emitter, stderr: host.stderr }),
      takeFolded: (signal) => foldMessages(parts, queue.takeWaiting(), signal),
      overBudget: model.overBudget,
      every: clock.every,
      uuid: identity.uuid,
    },
  }

  /** Spent meanwhile: the host was told of the task, and that is all. */
  const answer = async (message: UserTurnMessage, own: AbortController) => {
    const about = teams ? await teams.fill(message) : message
    if (about && (isOfUser(message) || !parts.ports.overBudget())) await runUserTurn(parts, about, own)
  }
  const queue = createTurnQueue(
    {
      async run(message) {
        turn = new AbortController()
        idle.working()
        emitter.state('running')
        began ??= beginSession(parts, start.source, turn.signal, life.signal)
        await began
        if (message.task) background.announceEnd(message.task)
        if (message.cancelled) await reportCancelled(parts, message.cancelled)
        else await answer(message, turn)
        turn = undefined
        if (queue.size === 0 && wantsSuggestion(parts)) {
          suggesting = new AbortController()
          await suggestPrompt(parts, suggesting.signal)
        }
        if (queue.size === 0) rest()
      },
      lifecycle(message, state) {
        // The model won't be told any more, but the host still is.
        if (message.task && state === 'dropped') background.announceEnd(message.task)
        if (state === 'dropped') teams?.dropped(message)
        emitter.lifecycle(message.uuid, state)
      },
      recorded: (operation, message) => {
        if (message.cancelled) return
        const content = operation === 'enqueue' && typeof message.content === 'string' ? message.content : undefined
        transcript.queue(operation, content)
      },
    },
    start.uuids,
  )

  /** Idle means: nothing runs that could still need the host, or that the host wants to wait for. */
  const rest = () => {
    if (!background.turnEnd.atRest()) return
    emitter.state('idle', { received, tasks: background.pending().length })
    idle.resting()
  }
  const settle = () => {
    if (!queue.busy) rest()
  }
  servers.start()

  return {
    parts,
    queue,
    /** Before anything is read of the host: the commands of Setup and SessionStart. */
    open: (signal: AbortSignal) => openSession(parts, start.source, variables, signal),
    submit(message: UserTurnMessage) {
      received += 1
      suggesting?.abort()
      background.turnEnd.disarm()
      if (queue.add(message)) return
      // Seen before: no turn, but a host that wants replays gets its message back.
      if (message.uuid !== undefined) emitter.replay(message.content, message.uuid)
      emitter.flushReplays()
      settle()
    },
    /** A message that never became a turn; the host has been told why. */
    rejected() {
      received += 1
      settle()
    },
    defineAgents: (agents: Record<string, AgentDefinition>) => defineAgents(parts, agents),
    setHooks(next: HookMatchers) {
      matchers = next
      warnOfSilent(Object.keys(next), settings, host.stderr)
    },
    /** Ends the running turn with its result; nothing happens when there is none. */
    interrupt(reason?: 'timeout') {
      turn?.abort(reason)
      suggesting?.abort()
    },
    /** Resolves when every message was answered, no task runs, and the model was told of each that ended. */
    async finished() {
      do {
        await queue.idle()
        if (settings.onTurnEnd === 'detach') await background.table.stopAll('the input ended')
        await background.ended()
      } while (queue.busy)
      await teams?.finish()
    },
    /** The host says no more; what it asked for goes on. */
    hostLeft: () => teams?.hostLeft(),
    /** Ends all background work, and what commands left running. */
    stopWork: () => background.stop(servers.mcp.close).then(() => sandbox?.close()),
    /** A user message is being worked on. */
    get inTurn() {
      return turn !== undefined
    },
    setMode(mode: PermissionMode) {
      return permissions.setMode(mode)
    },
    /** Stops everything and takes no more messages. */
    close() {
      queue.close()
      life.abort()
      hooks.close()
      turn?.abort('closed')
      suggesting?.abort()
      teams?.close()
      void background.stop(servers.mcp.close)
      platform.http.close()
    },
  }
}
