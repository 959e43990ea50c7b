/** The conversation of a sub-agent: a history, tools and permissions of its own, which are never wider than its parent's. */
import { createHistory } from '../../engine/history.js'
import { reminderText } from '../../protocol/shown/own-tags.js'
import { toCanonicalToolName } from '../../protocol/tool-names.js'
import type { TranscriptLog } from '../../sessions/transcript-log.js'
import { createTranscriptWriter } from '../../sessions/write-transcript.js'
import { withOldToolNames } from '../../tools/old-names.js'
import { type Conversation, newTurnState } from '../conversation.js'
import { createRecordingEmitter } from '../messages/emitter.js'
import { currentModel, subAgentSystemPrompt } from '../messages/init-message.js'
import { addInstructionsToHooks } from '../tools/instructions-beside-results.js'
import { createToolSession } from '../tools/tool-session.js'
import { makeRoomInContext } from '../turn/make-room.js'
import { type AgentBudget, createAgentBudget } from './agent-budget.js'
import { listCalledToolNames, toHostAgentMessage } from './agent-messages.js'
import { createSubAgentToolOffer } from './agent-offer.js'
import type { AgentSpec } from './agent-spec.js'
import { createSubAgentPermissions, stricterPermissionMode } from './sub-agent-limits.js'

export function createAgentConversation(
  parent: Conversation,
  spec: AgentSpec,
  log: TranscriptLog,
  onCall: (name: string) => void,
) {
  const { definition, id, type, earlier } = spec
  const { shared, hooks } = parent
  const toolSession = createToolSession(shared.settings.cwd, () => {})
  const transcript = openTranscript(parent, spec, log)
  const ownHooks = hooks.forAgent({ id, type, transcriptPath: log.path })
  const agentHooks = { ...hooks, ...ownHooks, takeLate: () => [] }
  const portHooks = addInstructionsToHooks(agentHooks, shared.project, shared.settings.cwd)
  const mode = () => spec.mode?.() ?? definition.permissionMode
  const model = modelOf(parent, spec)
  const offer = createSubAgentToolOffer(parent, spec)
  const limits = { ...definition, maxTurns: spec.maxTurns ?? definition.maxTurns }
  const budget = createAgentBudget(limits, shared.settings.modelPrices ?? {})
  const registry = shared.forAgents.bindTools({ session: toolSession, agentId: id, offers: offer.has })
  const conversation: Conversation = {
    shared,
    structured: parent.structured,
    history: createHistory(earlier?.messages ?? []),
    transcript,
    hooks: agentHooks,
    permissions: { ...parent.permissions, mode: () => stricterPermissionMode(parent.permissions.mode(), mode()) },
    model,
    offer,
    prompt: { system: subAgentSystemPrompt(parent, definition, model.current(), offer.offered), append: undefined },
    toTell: { ended: [], pending: [], listing: [], instructions: [] },
    emitter: createRecordingEmitter({
      settings: shared.settings,
      sessionId: shared.sessionId,
      transcript,
      identity: shared.platform.identity,
      send(message) {
        for (const name of listCalledToolNames(message)) onCall(name)
        const shown = toHostAgentMessage(message, spec.view)
        return shown && shared.host.send(shown)
      },
    }),
    context: { tokens: 0, failedAt: 0 },
    tools: toolSession,
    turn: newTurnState(),
    ports: {
      ...withoutWaits(parent.ports),
      // The call that started it is one step of its parent's turn.
      yields: () => false,
      model: modelPort(parent, spec, budget),
      overBudget: () => parent.ports.overBudget() || budget.isSpent(),
      tools: withOldToolNames(
        {
          find(called) {
            const name = toCanonicalToolName(shared.host.wishes.toolAliases.get(called) ?? called)
            if (!offer.has(name)) return undefined
            // What is not bound for agents, such as the tools of servers, has no state of the conversation.
            const found = spec.own?.find(name) ?? shared.checkpoints.guard(registry.port.find(name))
            if (found) return found
            // Nor by a second alias: that name may be one that this agent does not have.
            const ofParent = parent.ports.tools.find(name) ?? parent.ports.tools.findDeferred?.(name)
            return ofParent?.name === name ? ofParent : undefined
          },
        },
        () => ({ offered: offer.definitions(), deferred: [] }),
      ),
      hooks: spec.wrapHooks?.(portHooks) ?? portHooks,
      gaveUp: () => false,
      makeRoom: (why, signal) => makeRoomInContext(conversation, why, signal),
      permissions: createSubAgentPermissions(parent, { id, mode, disallowedTools: definition.disallowedTools }),
      async takeFolded(signal) {
        const folded = (await spec.takeFolded?.(signal)) ?? []
        const left = budget.reminder()
        return left === undefined ? folded : [...folded, { type: 'text', text: reminderText(left) }]
      },
    },
  }
  return { conversation, startHooks: ownHooks.start, budget }
}

/** A sub-agent is in the middle of a call: there is no place from which another process could continue one of its own. */
function withoutWaits({ waits: _, ...ports }: Conversation['ports']) {
  return ports
}

function openTranscript({ shared }: Conversation, { id, earlier, toolUseId }: AgentSpec, log: TranscriptLog) {
  const { files, clock, identity } = shared.platform
  return createTranscriptWriter({
    files,
    log,
    sessionId: shared.sessionId,
    cwd: shared.settings.cwd,
    agentId: id,
    parentToolUseId: toolUseId,
    now: clock.now,
    newId: identity.uuid,
    parent: earlier?.leaf ?? null,
  })
}

/** The same client; agents do not think, and may work with another effort. */
function modelPort(
  { ports }: Conversation,
  { definition: { effort } }: AgentSpec,
  budget: AgentBudget,
): Conversation['ports']['model'] {
  return {
    stream: (request, signal) =>
      ports.model.stream(budget.counted({ ...request, withoutThinking: true, ...(effort ? { effort } : {}) }), signal),
  }
}

/**
 * Whether a short name stands for a model that the user has chosen to work with. Beside a model of another vendor it would send
 * what the agent reads to a place that nobody chose.
 */
function isThere(name: string, current: string, env: Readonly<Record<string, string | undefined>>): boolean {
  const short = /^(haiku|sonnet|opus)(?:\[1m\])?$/i.exec(name)?.[1]
  if (short === undefined || /claude/i.test(current)) return true
  return Boolean(env[`ANTHROPIC_DEFAULT_${short.toUpperCase()}_MODEL`]?.trim())
}

/** The model of its own, or that of its parent at the time of each request. */
function modelOf(parent: Conversation, { model: given, definition }: AgentSpec): Conversation['model'] {
  const { model } = parent
  const { env } = parent.shared.live
  const wanted = env.CLAUDE_CODE_SUBAGENT_MODEL?.trim() || (given ?? definition.model)
  const inherits = wanted === undefined || wanted === 'inherit' || !isThere(wanted, currentModel(parent), env)
  let own = inherits ? undefined : model.resolve(wanted)
  const current = () => own ?? currentModel(parent)
  return {
    ...model,
    current,
    set: async (name) => {
      own = name === undefined ? undefined : model.resolve(name)
      return undefined
    },
    contextWindow: (name) => model.contextWindow(name ?? current()),
  }
}
