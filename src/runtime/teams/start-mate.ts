/** Task with a name: starts a teammate. */
import type { ToolOutcome } from '../../engine/ports.js'
import { INTERRUPTED_IN_TOOL } from '../../engine/tool-calls.js'
import { planForAgents } from '../../prompts/plan-mode.js'
import { matePrompt, planForMates } from '../../prompts/teams.js'
import type { PermissionMode } from '../../protocol/permission-types.js'
import { toolsWith } from '../../protocol/tool-names.js'
import type { TeamMember } from '../../teams/team-file.js'
import { LEAD } from '../../teams/team-names.js'
import type { AgentInput, TeammateOutput } from '../../tools/task/task-shapes.js'
import type { CallContext } from '../../tools/tool.js'
import { openServers } from '../agents/own-servers.js'
import { findStartable } from '../agents/startable.js'
import { createAgent } from '../agents/sub-agent.js'
import type { SessionParts } from '../session-parts.js'
import { createMate, type MatePorts } from './mate.js'
import type { RunningTeam } from './running-team.js'

/** As observed: whatever the lead uses. */
const USUAL_MODEL = 'opus'
const TEAM_TOOLS: readonly string[] = toolsWith(({ teammates }) => teammates === true)

export async function startMate(
  main: SessionParts,
  running: RunningTeam,
  input: AgentInput & { name: string },
  context: CallContext,
): Promise<ToolOutcome> {
  const { team } = running
  const found = findStartable(main, input, input.subagent_type)
  if ('problem' in found) return { ok: false, error: found.problem }
  const { definition } = found
  const task = await context.tasks.prepare('in_process_teammate')
  const { id } = await context.tasks.prepare('local_agent')
  const own = await openServers(main, definition, context.signal)
  // Nothing is awaited before it is a member: two that start together may not get the same name.
  const newcomer = running.newcomer(input.name)
  if (!newcomer) {
    own?.close()
    return { ok: false, error: 'The name of a teammate needs a letter or a digit.' }
  }
  const { name, color } = newcomer
  const { platform, settings, hooks, agentBook } = main
  const needsPlan = input.mode === 'plan'
  const mode: PermissionMode | undefined = input.mode
  const { toolUseId } = context
  const mate = createMate({ name, color, agentId: id, mode, toolUseId, prompt: input.prompt }, () => ports)
  running.mates.set(name, mate)
  const started = platform.clock.monotonic()
  const onCall = (last_tool_name: string, tool_uses: number) => {
    const duration_ms = Math.round(platform.clock.monotonic() - started)
    main.background.progress({
      ...{
        task_id: task.id,
        tool_use_id: toolUseId,
        description: input.description,
        subagent_type: input.subagent_type,
      },
      usage: { total_tokens: agent.parts.context.tokens, tool_uses, duration_ms },
      last_tool_name,
    })
  }
  const model = input.model ?? (definition.model === undefined ? main.model.resolve(USUAL_MODEL) : undefined)
  const agent = createAgent(main, {
    ...{ id, type: name, definition, toolUseId, depth: 1, own, model, maxTurns: input.max_turns },
    mode: () => mate.mode,
    planReminder: () => (mate.mode === 'plan' ? planForMates() : planForAgents()),
    alsoTools: needsPlan ? ['ExitPlanMode', ...TEAM_TOOLS] : TEAM_TOOLS,
    view: { toolUseId, isShown: () => false, forwardsText: main.agentText.wanted, onCall },
  })
  const { parts } = agent
  const hasTaskList = parts.offered.some((tool) => tool.name === 'TaskList')
  parts.prompt.append = matePrompt({ name, team: team.name, configPath: team.configPath, hasTaskList })
  const agentHooks = parts.ports.hooks
  // Who has agreed to shut down does what it has begun, and asks the model no more.
  parts.ports.hooks = {
    ...agentHooks,
    async postBatch(calls, signal) {
      const verdict = await agentHooks.postBatch(calls, signal)
      return mate.isLeaving ? { ...verdict, stop: {} } : verdict
    },
  }
  const ports: MatePorts = {
    agent,
    takeMail: () => team.mail.take(name),
    tellLead: (text) => running.tell(LEAD, mate, text),
    mayRest: (signal) => hooks.teammateIdle({ teammate_name: name, team_name: team.name }, signal),
    inform: (text) => void main.emitter.inform(text, 'notice'),
    now: platform.clock.now,
    onRest: main.background.rested,
    async cleanUp(end) {
      agentBook.running.delete(id)
      agent.close()
      own?.close()
      await running.bury(mate, end)
    },
  }
  const shownModel =
    input.model ?? (definition.model === 'inherit' ? undefined : definition.model) ?? parts.model.current()
  const member: TeamMember = {
    agentId: `${name}@${team.name}`,
    name,
    agentType: input.subagent_type,
    model: shownModel,
    prompt: input.prompt,
    color,
    planModeRequired: needsPlan,
    joinedAt: platform.clock.now(),
    tmuxPaneId: 'in-process',
    cwd: settings.cwd,
    subscriptions: [],
    backendType: 'in-process',
  }
  const added = await team.addMember(member).then(
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
  const output: TeammateOutput = {
    status: 'teammate_spawned',
    prompt: input.prompt,
    teammate_id: `${name}@${team.name}`,
    agent_id: `${name}@${team.name}`,
    agent_type: input.subagent_type,
    model: shownModel,
    name,
    color,
    tmux_session_name: 'in-process',
    tmux_window_name: 'in-process',
    tmux_pane_id: 'in-process',
    team_name: team.name,
    is_splitpane: false,
    plan_mode_required: needsPlan,
  }
  const text = `${name} is at work in the team ${team.name}. What it writes reaches you when your turn is over; write to it with SendMessage, recipient "${name}".`
  return { ok: true, content: [{ type: 'text', text }], output }
}
