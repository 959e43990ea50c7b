/** Task as the session carries it out: finds the agent, starts it, and waits for it or lets it work in the background. */

import { INTERRUPTED_IN_TOOL } from '../../engine/finished-call.js'
import type { ToolOutcome } from '../../engine/ports.js'
import type { AgentDefinition } from '../../protocol/options.js'
import type { SDKPermissionDenial } from '../../protocol/permission-types.js'
import { readAgentType } from '../../sessions/marks/agent-meta.js'
import { agentTranscriptPath } from '../../sessions/transcript-paths.js'
import { areBackgroundTasksEnabled } from '../../tools/bash/command-limits.js'
import type { AgentInput } from '../../tools/task/task-shapes.js'
import type { CallContext } from '../../tools/tool.js'
import type { Conversation, RunningAgent } from '../conversation.js'
import { describeBackgroundTasks, listRunningBackgroundTasks } from '../turn/state-texts.js'
import type { AgentEnd } from './agent-end.js'
import { openAgentMcpServers } from './agent-mcp-servers.js'
import { createAgentBackgroundWork } from './agent-work.js'
import { backgroundLaunchOutcome, completedOutcome, notCompletedOutcome, withRunningTasks } from './outcomes.js'
import { loadPastAgent } from './past-agents.js'
import { findStartableAgent } from './startable.js'
import { createSubAgent } from './sub-agent.js'
import { missingAgentTools } from './sub-agent-limits.js'

/** Agents of agents of agents, and no further. */
const MAX_DEPTH = 3

export async function runTaskTool(main: Conversation, input: AgentInput, context: CallContext): Promise<ToolOutcome> {
  const { running } = main.shared.agents
  const caller = context.agentId === undefined ? undefined : running.get(context.agentId)
  const parent = caller?.conversation ?? main
  const depth = (caller?.depth ?? 0) + 1
  if (depth > MAX_DEPTH) return refuse(`Agents can't be nested deeper than ${MAX_DEPTH}. Do this part yourself.`)
  const past = input.resume === undefined ? undefined : await findPast(main, input.resume)
  if (typeof past === 'string') return refuse(past)
  const type = past?.type ?? input.subagent_type
  const found = findStartableAgent(main, input, type)
  if ('problem' in found) return refuse(found.problem)
  const { definition } = found

  const { id, outputFile } = await context.tasks.prepare('local_agent', input.resume)
  const own = await openAgentMcpServers(main, definition, context.signal)
  // Two calls may have asked for the same agent at once.
  if (running.has(id)) {
    own?.close()
    return refuse(stillAtWork(id))
  }
  const wantsBackground = input.run_in_background === true || definition.background === true
  let inBackground = wantsBackground && areBackgroundTasksEnabled(main.shared.live.env)
  const { toolUseId } = context
  const { clock } = main.shared.platform
  const started = clock.monotonic()
  const onCall = (name: string, tool_uses: number) => {
    if (!inBackground) return
    const duration_ms = Math.round(clock.monotonic() - started)
    main.shared.background.progress({
      task_id: id,
      tool_use_id: toolUseId,
      description: input.description,
      subagent_type: type,
      usage: { total_tokens: agent.conversation.context.tokens, tool_uses, duration_ms },
      last_tool_name: name,
    })
  }
  const agent = createSubAgent(parent, {
    id,
    type,
    definition,
    toolUseId,
    description: input.description,
    depth,
    own,
    earlier: past?.earlier,
    model: input.model,
    mode: () => input.mode,
    maxTurns: input.max_turns,
    view: { toolUseId, isShown: () => !inBackground, forwardsText: main.shared.host.wishes.agentText, onCall },
  })
  const stop = new AbortController()
  const withCall = () => stop.abort(context.signal.reason)
  const description = input.description
  running.set(id, agent)
  const ended = agent.run(input.prompt, stop.signal).finally(() => {
    running.delete(id)
    agent.close()
    own?.close()
    remember(main, agent)
  })
  const tools = agent.conversation.offer.offered.map(({ name }) => name)
  await tellMissing(main, type, definition, tools)
  const letGo = () => {
    void ended.then(({ denials }) => reportDenials(main, denials))
    context.tasks.adopt(
      { id, outputFile },
      createAgentBackgroundWork({ agent, description, toolUseId, outputFile, ended, stop }),
    )
    main.shared.background.noteStart({ id, toolUseId, description, type: 'local_agent', tools })
    return backgroundLaunchOutcome({ agent, description, prompt: input.prompt, outputFile })
  }
  if (inBackground) return letGo()

  main.shared.background.noteStart({ id, toolUseId, description, type: 'local_agent', tools })
  context.signal.addEventListener('abort', withCall, { once: true })
  if (context.signal.aborted) withCall()
  let withdraw = () => {}
  const moved = new Promise<'moved'>((resolve) => {
    withdraw = context.tasks.offer(toolUseId, () => resolve('moved'))
  })
  const first = await Promise.race([ended, moved])
  context.signal.removeEventListener('abort', withCall)
  withdraw()
  if (first === 'moved') {
    inBackground = true
    return letGo()
  }
  return toOutcome(main, agent, input, first, context.signal)
}

function toOutcome(
  main: Conversation,
  agent: RunningAgent,
  { prompt }: AgentInput,
  end: AgentEnd,
  signal: AbortSignal,
): ToolOutcome {
  reportDenials(main, end.denials)
  if (signal.aborted) return refuse(INTERRUPTED_IN_TOOL)
  // Somebody who said no to a call, and to all that was to follow.
  if (end.reason === 'interrupted_by_permission') main.shared.interrupt()
  const outcome = end.reason === 'completed' ? completedOutcome(agent, prompt, end) : notCompletedOutcome(agent, end)
  return withRunningTasks(outcome, describeBackgroundTasks(listRunningBackgroundTasks(agent.conversation)))
}

/** An agent without a tool it was promised would make its results up; so host and model hear of it. */
async function tellMissing(
  { emitter, shared: { mcp } }: Conversation,
  agent: string,
  definition: AgentDefinition,
  has: readonly string[],
): Promise<void> {
  const missing = missingAgentTools(definition, has, mcp.pending().length > 0)
  if (missing.length === 0) return
  const tools = missing.join(', ')
  const text = `The agent ${agent} was started without tools its definition names: ${tools}.`
  await emitter.inform(text, 'warning', { code: 'agent_tools_missing', details: { agent, tools } })
}

/** They belong to the turn that waited for the agent, or to the next one that ends. */
function reportDenials(main: Conversation, denials: readonly SDKPermissionDenial[]): void {
  main.turn.denials.push(...denials)
}

function stillAtWork(id: string): string {
  return `Agent ${id} is still at work. Wait for it, or stop it with TaskStop.`
}

/** What an agent of an earlier call knew, or why it can't continue. */
async function findPast(main: Conversation, id: string) {
  const { running, past } = main.shared.agents
  if (running.has(id)) return stillAtWork(id)
  const known = past.get(id)
  const earlier = known?.earlier ?? (await loadPastAgent(main, id))
  return earlier
    ? { type: known?.type ?? recordedType(main, id), earlier }
    : `No agent found with ID: ${id.slice(0, 100)}`
}

/** The type that an earlier process wrote down, if this session has it, too. */
function recordedType({ transcript, shared: { platform, agents } }: Conversation, id: string): string | undefined {
  const type = readAgentType(platform.files, agentTranscriptPath(transcript.path, id))
  return type !== undefined && agents.known.has(type) ? type : undefined
}

/** What is on disk need not be kept in memory too. */
function remember(
  { shared: { agents: agentBook, platform } }: Conversation,
  { id, type, conversation }: RunningAgent,
): void {
  const { history, transcript } = conversation
  const isWritten = platform.files.existsSync(transcript.path)
  const earlier = isWritten ? undefined : { messages: [...history.messages], leaf: transcript.parent }
  agentBook.past.set(id, { type, earlier })
}

function refuse(error: string): ToolOutcome {
  return { ok: false, error }
}
