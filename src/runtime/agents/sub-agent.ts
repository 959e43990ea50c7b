/** A sub-agent at work: the loop of the session for a conversation of its own, started by a call. */

import { subAgentPlanReminder } from '../../prompts/plan-mode.js'
import { reminderText } from '../../protocol/shown/own-tags.js'
import { messageOf } from '../../protocol/thrown.js'
import { writeAgentMeta } from '../../sessions/marks/agent-meta.js'
import type { Conversation, RunningAgent } from '../conversation.js'
import { makeRoomInContext } from '../turn/make-room.js'
import { openingTexts } from '../turn/opening-texts.js'
import { estimateNextRequestTokens, runTurnLoop, type TurnLoopRecord } from '../turn/run-loop.js'
import { createSkillPort } from '../turn/slash-commands.js'
import { createAgentConversation } from './agent-conversation.js'
import type { AgentEnd } from './agent-end.js'
import { describeServersToSubAgent } from './agent-offer.js'
import type { AgentSpec } from './agent-spec.js'
import { missingAgentTools } from './sub-agent-limits.js'

export function createSubAgent(parent: Conversation, spec: AgentSpec): RunningAgent {
  const { id, type, definition, depth, toolUseId } = spec
  const { clock, files } = parent.shared.platform
  const log = parent.shared.forAgents.openLog(id)
  let toolUses = 0
  const { conversation, startHooks, budget } = createAgentConversation(parent, spec, log, (name) => {
    toolUses += 1
    spec.view.onCall?.(name, toolUses)
  })
  let hasStarted = false

  const begin = async (signal: AbortSignal): Promise<string[]> => {
    if (hasStarted) return []
    hasStarted = true
    const hooks = await startHooks(signal)
    const own = [...hooks, ...budget.opening()]
    return spec.earlier ? own : [...own, ...(await firstTexts(parent, conversation, spec, signal))]
  }

  const work = async (prompt: string, signal: AbortSignal, started: number): Promise<AgentEnd> => {
    const record: TurnLoopRecord = { usages: [], denials: [] }
    const context = await begin(signal)
    if (conversation.permissions.mode() === 'plan') context.push((spec.planReminder ?? subAgentPlanReminder)())
    addPrompt(conversation, context, prompt)
    const { type: agentType, description, depth: spawnDepth } = spec
    const written = writeAgentMeta(files, log.path, { agentType, description, toolUseId, spawnDepth })
    await makeRoomInContext(conversation, 'near', signal)
    const end = await runTurnLoop(conversation, record, spec.maxTurns ?? definition.maxTurns ?? null, signal)
    await written
    const lastUsage = record.usages.at(-1)
    return {
      ...end,
      ...(lastUsage ? { lastUsage } : {}),
      denials: record.denials,
      usage: {
        total_tokens: lastUsage ? estimateNextRequestTokens(lastUsage) : 0,
        tool_uses: toolUses,
        duration_ms: Math.round(clock.monotonic() - started),
      },
    }
  }

  return {
    id,
    type,
    depth,
    toolUseId,
    conversation,
    async run(prompt, signal) {
      const started = clock.monotonic()
      try {
        return await work(prompt, signal, started)
      } catch (error) {
        // A bug of ours; who waits for the agent still gets an answer.
        const text = messageOf(error)
        const failure = { kind: 'unknown' as const, code: 'internal_error', text, status: null }
        const usage = { total_tokens: 0, tool_uses: toolUses, duration_ms: Math.round(clock.monotonic() - started) }
        return { reason: 'internal_error', text: '', stopReason: null, userMessages: 0, failure, usage, denials: [] }
      }
    },
    close: () => log.close(),
  }
}

/** Into its history, its transcript and, where they are shown, its messages. */
function addPrompt({ shared, transcript, emitter, history }: Conversation, context: string[], prompt: string): void {
  const blocks = context.map((one) => ({ type: 'text' as const, text: reminderText(one) }))
  const uuid = shared.platform.identity.uuid()
  transcript.user({ type: 'user', message: { role: 'user', content: prompt }, uuid }, blocks)
  const text = { type: 'text' as const, text: prompt }
  const head = { type: 'user' as const, parent_tool_use_id: null, session_id: shared.sessionId, uuid }
  void emitter.send({ ...head, message: { role: 'user', content: [text] } })
  history.addUser([...blocks, text])
}

/** What it reads before its first prompt. */
async function firstTexts(
  parent: Conversation,
  conversation: Conversation,
  spec: AgentSpec,
  signal: AbortSignal,
): Promise<string[]> {
  const { listing, instructions } = openingTexts(parent.shared.project)
  const names = conversation.offer.offered.map(({ name }) => name)
  const servers = describeServersToSubAgent(parent, spec, names)
  return [
    ...toolsItLacks(parent, spec, names),
    ...(await readSkills(conversation, spec, signal)),
    ...(names.includes('Skill') ? listing : []),
    ...instructions,
    ...servers,
  ]
}

function toolsItLacks({ shared }: Conversation, { definition }: AgentSpec, has: readonly string[]): string[] {
  const missing = missingAgentTools(definition, has, shared.mcp.pending().length > 0).join(', ')
  return missing === '' ? [] : [`You were meant to have ${missing}, which is not there. Say so; don't do without it.`]
}

/** Those its definition names are read to it at once. */
async function readSkills(
  conversation: Conversation,
  { definition }: AgentSpec,
  signal: AbortSignal,
): Promise<string[]> {
  const port = createSkillPort(() => conversation)
  const texts: string[] = []
  for (const name of definition.skills ?? []) {
    const skill = await port.load(name, '', signal)
    texts.push(
      'text' in skill ? `The skill ${name}:\n\n${skill.text}` : `The skill ${name} can't be read: ${skill.problem}`,
    )
  }
  return texts
}
