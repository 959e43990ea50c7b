/** A sub-agent: the loop of the session with a history, tools and permissions of its own, which are never wider. */
import { createHistory } from '../../engine/history.js'
import type { TurnEnd } from '../../engine/loop.js'
import { reminder } from '../../engine/loop.js'
import type { EnginePorts } from '../../engine/ports.js'
import type { TaskUsage } from '../../engine/task-ports.js'
import { planForAgents } from '../../prompts/plan-mode.js'
import type { MessageParam, Usage } from '../../protocol/content.js'
import type { AgentDefinition } from '../../protocol/options.js'
import type { PermissionMode, SDKPermissionDenial } from '../../protocol/permission-types.js'
import type { SessionLog } from '../../sessions/log.js'
import { createTranscript } from '../../sessions/write-transcript.js'
import { createEmitter } from '../messages/emitter.js'
import { agentPrompt, currentModel } from '../messages/init-message.js'
import type { SessionParts } from '../session-parts.js'
import { withInstructions } from '../tools/beside-results.js'
import { inRequest, toolName } from '../tools/built-in-tools.js'
import { createToolSession } from '../tools/tool-session.js'
import { makeRoom } from '../turn/compact.js'
import { type LoopRecord, runLoop, tokensOf } from '../turn/run-loop.js'
import { skillPort } from '../turn/slash-commands.js'
import { openingTexts } from '../turn/turn-prompt.js'
import { type AgentView, asAgentMessage, callsIn } from './agent-messages.js'
import { createAgentOffer, serversToTell } from './agent-offer.js'
import { missingTools, narrowerMode, narrowPermissions } from './narrow.js'
import type { OwnServers } from './own-servers.js'

export type AgentSpec = {
  id: string
  type: string
  definition: AgentDefinition
  toolUseId: string
  /** How far from the main thread; its own agents have 1. */
  depth: number
  /** An alias or id, in place of the definition's. */
  model?: string | undefined
  maxTurns?: number | undefined
  /** Narrows further than the definition; may change while the agent lives. */
  mode?(): PermissionMode | undefined
  /** What it reads while it may only plan. */
  planReminder?(): string
  /** Tools it gets beside those of its type: those of a teammate. */
  alsoTools?: readonly string[]
  /** The servers that its definition brings; whoever opened them closes them. */
  own?: OwnServers | undefined
  /** Goes on with these. */
  earlier?: { messages: MessageParam[]; leaf: string | null } | undefined
  view: AgentView
  /** Messages to hand over while it works. */
  takeFolded?: EnginePorts['takeFolded']
}

export type AgentEnd = TurnEnd & {
  /** Of its last request; absent when there was none. */
  lastUsage?: Usage
  usage: TaskUsage
  denials: SDKPermissionDenial[]
}

export interface Agent {
  readonly id: string
  readonly type: string
  readonly depth: number
  readonly toolUseId: string
  readonly parts: SessionParts
  /** Works on a prompt until the loop ends; one at a time. Never rejects. */
  run(prompt: string, signal: AbortSignal): Promise<AgentEnd>
  /** No more lines are written. */
  close(): void
}

export function createAgent(parent: SessionParts, spec: AgentSpec): Agent {
  const { id, type, definition, earlier } = spec
  const log = parent.openAgentLog(id)
  let toolUses = 0
  const onCall = (name: string) => {
    toolUses += 1
    spec.view.onCall?.(name, toolUses)
  }
  const parts = agentParts(parent, spec, log, onCall)
  const { clock, identity } = parent.platform
  let hasStarted = false

  const begin = async (signal: AbortSignal): Promise<string[]> => {
    if (hasStarted) return []
    hasStarted = true
    const hooks = await parts.startHooks(signal)
    if (earlier) return hooks
    const { listing, instructions } = openingTexts(parent.project)
    const hasSkills = parts.session.offered.some(({ name }) => name === 'Skill')
    const servers = serversToTell(parent, spec)
    return [
      ...hooks,
      ...withoutTools(),
      ...(await readSkills(signal)),
      ...(hasSkills ? listing : []),
      ...instructions,
      ...servers,
    ]
  }

  const withoutTools = (): string[] => {
    const missing = missingTools(
      definition,
      parts.session.offered.map(({ name }) => name),
      parent.mcp.pending().length > 0,
    )
    const names = missing.join(', ')
    return missing.length > 0
      ? [`You were meant to have ${names}, which is not there. Say so; don't do without it.`]
      : []
  }

  /** Those its definition names are read to it at once. */
  const readSkills = async (signal: AbortSignal): Promise<string[]> => {
    const port = skillPort(() => parts.session)
    const texts: string[] = []
    for (const name of definition.skills ?? []) {
      const skill = await port.load(name, '', signal)
      texts.push(
        'text' in skill ? `The skill ${name}:\n\n${skill.text}` : `The skill ${name} can't be read: ${skill.problem}`,
      )
    }
    return texts
  }

  const work = async (prompt: string, signal: AbortSignal, started: number): Promise<AgentEnd> => {
    const { session } = parts
    const record: LoopRecord = { usages: [], denials: [] }
    const context = await begin(signal)
    if (session.permissions.mode() === 'plan') context.push((spec.planReminder ?? planForAgents)())
    const blocks = context.map((one) => ({ type: 'text' as const, text: reminder(one) }))
    session.transcript.context(blocks)
    const uuid = identity.uuid()
    session.transcript.user({ type: 'user', message: { role: 'user', content: prompt }, uuid })
    const text = { type: 'text' as const, text: prompt }
    const head = { type: 'user' as const, parent_tool_use_id: null, session_id: parent.sessionId, uuid }
    void session.emitter.send({ ...head, message: { role: 'user', content: [text] } })
    session.history.addUser([...blocks, text])
    await makeRoom(session, 'near', signal)
    const end = await runLoop(session, record, spec.maxTurns ?? definition.maxTurns ?? null, signal)
    const lastUsage = record.usages.at(-1)
    return {
      ...end,
      ...(lastUsage ? { lastUsage } : {}),
      denials: record.denials,
      usage: {
        total_tokens: lastUsage ? tokensOf(lastUsage) : 0,
        tool_uses: toolUses,
        duration_ms: Math.round(clock.monotonic() - started),
      },
    }
  }

  return {
    id,
    type,
    depth: spec.depth,
    toolUseId: spec.toolUseId,
    parts: parts.session,
    async run(prompt, signal) {
      const started = clock.monotonic()
      try {
        return await work(prompt, signal, started)
      } catch (error) {
        // A bug of ours; who waits for the agent still gets an answer.
        const text = error instanceof Error ? error.message : String(error)
        const failure = { kind: 'unknown' as const, code: 'internal_error', text, status: null }
        const usage = { total_tokens: 0, tool_uses: toolUses, duration_ms: Math.round(clock.monotonic() - started) }
        return { reason: 'internal_error', text: '', stopReason: null, userMessages: 0, failure, usage, denials: [] }
      }
    },
    close: () => log.close(),
  }
}

/** The parts of the session, with those in its place that are the agent's own. */
function agentParts(parent: SessionParts, spec: AgentSpec, log: SessionLog, onCall: (name: string) => void) {
  const { definition, id, type, view, earlier, own } = spec
  const { settings, platform, sessionId, hooks, project } = parent
  const toolSession = createToolSession(settings.cwd, () => {})
  const registry = parent.bindTools({ session: toolSession, agentId: id })
  const transcript = createTranscript({
    ...{
      files: platform.files,
      log,
      sessionId,
      cwd: settings.cwd,
      agentId: id,
      now: platform.clock.now,
      newId: platform.identity.uuid,
    },
    parent: earlier?.leaf ?? null,
  })
  const emitter = createEmitter({
    ...{ settings, sessionId, transcript, identity: platform.identity },
    send(message) {
      for (const name of callsIn(message)) onCall(name)
      const shown = asAgentMessage(message, view)
      return shown && parent.sendToHost(shown)
    },
  })
  const ownHooks = hooks.forAgent({ id, type, transcriptPath: log.path })
  const agentHooks = { ...hooks, ...ownHooks, takeLate: () => [] }
  const mode = () => spec.mode?.() ?? definition.permissionMode
  const permissionPort = narrowPermissions(parent, { id, mode, disallowedTools: definition.disallowedTools })
  const model = modelOf(parent, spec)
  const offer = createAgentOffer(parent, spec)
  const session: SessionParts = {
    ...parent,
    history: createHistory(earlier?.messages ?? []),
    transcript,
    hooks: agentHooks,
    permissions: { ...parent.permissions, mode: () => narrowerMode(parent.permissions.mode(), mode()) },
    model,
    get offered() {
      return offer.tools()
    },
    deferred: [],
    definitions: () => inRequest(session),
    prompt: { system: agentPrompt(parent, definition, model.current()), append: undefined },
    pendingContext: [],
    emitter,
    context: { tokens: 0, failedAt: 0 },
    opening: { listing: [], instructions: [] },
    readFiles: toolSession.readFiles,
    inLoop: false,
    turn: { takeBack: [], denials: [] },
    ports: {
      ...parent.ports,
      model: {
        stream: (request, signal) =>
          parent.ports.model.stream(
            { ...request, withoutThinking: true, ...(definition.effort ? { effort: definition.effort } : {}) },
            signal,
          ),
      },
      tools: {
        find(called) {
          const name = toolName(called)
          if (!offer.has(name)) return undefined
          // What is not bound for agents, such as the tools of servers, has no state of the conversation.
          const found = own?.find(name) ?? parent.checkpoints.guard(registry.port.find(name))
          return found ?? parent.ports.tools.find(name)
        },
      },
      hooks: withInstructions(agentHooks, project, settings.cwd),
      gaveUp: () => false,
      makeRoom: (why, signal) => makeRoom(session, why, signal),
      permissions: permissionPort,
      takeFolded: spec.takeFolded ?? (async () => []),
    },
  }
  return { session, startHooks: ownHooks.start }
}

/** The model of its own, or that of its parent at the time of each request. */
function modelOf(parent: SessionParts, { model: given, definition }: AgentSpec): SessionParts['model'] {
  const { model } = parent
  const wanted = given ?? definition.model
  let own = wanted === undefined || wanted === 'inherit' ? undefined : model.resolve(wanted)
  const current = () => own ?? currentModel(parent)
  return {
    ...model,
    current,
    set: (name) => {
      own = name === undefined ? undefined : model.resolve(name)
    },
    contextWindow: (name) => model.contextWindow(name ?? current()),
  }
}
