/** Task with a name: starts a teammate. */

import { INTERRUPTED_IN_TOOL } from '../../engine/finished-call.js'
import type { ToolOutcome } from '../../engine/ports.js'
import { subAgentPlanReminder } from '../../prompts/plan-mode.js'
import { matePlanPrompt, matePrompt } from '../../prompts/teams.js'
import type { PermissionMode } from '../../protocol/permission-types.js'
import { listToolNamesWhere } from '../../protocol/tool-names.js'
import type { TeamMember } from '../../teams/team-file.js'
import { LEAD_NAME } from '../../teams/team-names.js'
import type { AgentInput, TeammateOutput } from '../../tools/task/task-shapes.js'
import type { CallContext } from '../../tools/tool.js'
import { openAgentMcpServers } from '../agents/agent-mcp-servers.js'
import { findStartableAgent } from '../agents/startable.js'
import { createSubAgent } from '../agents/sub-agent.js'
import type { Conversation } from '../conversation.js'
import { createMate, type MatePorts } from './mate.js'
import type { RunningTeam } from './running-team.js'

/** As observed: whatever the lead uses. */
const USUAL_MODEL = 'opus'
const TEAM_TOOLS: readonly string[] = listToolNamesWhere(({ teammates }) => teammates === true)

export async function startMate(
  main: Conversation,
  running: RunningTeam,
  input: AgentInput & { name: string },
  context: CallContext,
): Promise<ToolOutcome> {
  const { team } = running
  const found = findStartableAgent(main, input, input.subagent_type)
  if ('problem' in found) return { ok: false, error: found.problem }
  const { definition } = found
  const task = await context.tasks.prepare('in_process_teammate')
  const { id } = await context.tasks.prepare('local_agent')
  const own = await openAgentMcpServers(main, definition, context.signal)
  // Nothing is awaited before it is a member: two that start together may not get the same name.
  const newcomer = running.newcomer(input.name)
  if (!newcomer) {
    own?.close()
    return { ok: false, error: 'The name of a teammate needs a letter or a digit.' }
  }
  const { name, color } = newcomer
  const {
    shared: { platform, settings, agents: agentBook },
    hooks,
  } = main
  const needsPlan = input.mode === 'plan'
  const mode: PermissionMode | undefined = input.mode
  const { toolUseId } = context
  const mate = createMate({ name, color, agentId: id, mode, toolUseId, prompt: input.prompt }, () => ports)
  running.mates.set(name, mate)
  const started = platform.clock.monotonic()
  const onCall = (last_tool_name: string, tool_uses: number) => {
    const duration_ms = Math.round(platform.clock.monotonic() - started)
    main.shared.background.progress({
      task_id: task.id,
      tool_use_id: toolUseId,
      description: input.description,
      subagent_type: input.subagent_type,
      usage: { total_tokens: agent.conversation.context.tokens, tool_uses, duration_ms },
      last_tool_name,
    })
  }
  const model = input.model ?? (definition.model === undefined ? main.model.resolve(USUAL_MODEL) : undefined)
  const agent = createSubAgent(main, {
    id,
    type: name,
    definition,
    toolUseId,
    depth: 1,
    own,
    model,
    maxTurns: input.max_turns,
    mode: () => mate.mode,
    planReminder: () => (mate.mode === 'plan' ? matePlanPrompt() : subAgentPlanReminder()),
    alsoTools: needsPlan ? ['ExitPlanMode', ...TEAM_TOOLS] : TEAM_TOOLS,
    view: { toolUseId, isShown: () => false, forwardsText: main.shared.host.wishes.agentText, onCall },
    // A teammate that agreed to shut down finishes what it has begun, and makes no more model requests.
    wrapHooks: (hooks) => ({
      ...hooks,
      async postBatch(calls, signal) {
        const verdict = await hooks.postBatch(calls, signal)
        return mate.isLeaving ? { ...verdict, stop: {} } : verdict
      },
    }),
  })
  const { conversation } = agent
  const hasTaskList = conversation.offer.offered.some((tool) => tool.name === 'TaskList')
  conversation.prompt.append = matePrompt({ name, team: team.name, configPath: team.configPath, hasTaskList })
  const ports: MatePorts = {
    agent,
    takeMail: () => team.mail.take(name),
    tellLead: (text) => running.tell(LEAD_NAME, mate, text),
    mayRest: (signal) => hooks.teammateIdle({ teammate_name: name, team_name: team.name }, signal),
    inform: (text) => void main.emitter.inform(text, 'notice'),
    now: platform.clock.now,
    onRest: main.shared.background.rested,
    async cleanUp(end) {
      agentBook.running.delete(id)
      agent.close()
      own?.close()
      await running.bury(mate, end)
    },
  }
  const shownModel =
    input.model ?? (definition.model === 'inherit' ? undefined : definition.model) ?? conversation.model.current()
  const facts: MateFacts = { name, color, team: team.name, model: shownModel, needsPlan }
  const added = await team.addMember(memberOf(input, facts, platform.clock.now(), settings.cwd)).then(
    () => undefined,
    (error) => `The team can't be written down: ${String(error)}`,
  )
  // Interrupted meanwhile: nothing begins after that.
  const problem = context.signal.aborted ? INTERRUPTED_IN_TOOL : added
  if (problem !== undefined) {
    running.mates.delete(name)
    agent.close()
    own?.close()
    if (added === undefined) await team.removeMember(name)
    return { ok: false, error: problem }
  }
  agentBook.running.set(id, agent)
  context.tasks.adopt(task, mate.begin(input.prompt, input.description))
  const text = `${name} is at work in the team ${team.name}. What it writes reaches you when your turn is over; write to it with SendMessage, recipient "${name}".`
  return { ok: true, content: [{ type: 'text', text }], output: outputOf(input, facts) }
}

type MateFacts = { name: string; color: string; team: string; model: string; needsPlan: boolean }

/** As the file of the team lists it. */
function memberOf(
  { subagent_type: agentType, prompt }: AgentInput,
  { name, color, team, model, needsPlan }: MateFacts,
  joinedAt: number,
  cwd: string,
): TeamMember {
  return {
    agentId: `${name}@${team}`,
    name,
    agentType,
    model,
    prompt,
    color,
    planModeRequired: needsPlan,
    joinedAt,
    tmuxPaneId: 'in-process',
    cwd,
    subscriptions: [],
    backendType: 'in-process',
  }
}

/** As the lead and its host hear of it. */
function outputOf(
  { prompt, subagent_type: agent_type }: AgentInput,
  { name, color, team, model, needsPlan }: MateFacts,
): TeammateOutput {
  return {
    status: 'teammate_spawned',
    prompt,
    teammate_id: `${name}@${team}`,
    agent_id: `${name}@${team}`,
    agent_type,
    model,
    name,
    color,
    tmux_session_name: 'in-process',
    tmux_window_name: 'in-process',
    tmux_pane_id: 'in-process',
    team_name: team,
    is_splitpane: false,
    plan_mode_required: needsPlan,
  }
}
