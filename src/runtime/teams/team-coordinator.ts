/** The team of a session, if it makes one: where tools, turns and endings ask for it. Loaded where the session may lead one. */
import type { ToolOutcome } from '../../engine/ports.js'
import { messageOf } from '../../protocol/thrown.js'
import type { SendMessageInput } from '../../tools/send-message/send-message.js'
import type { AgentInput } from '../../tools/task/task-shapes.js'
import { createTaskListStore, type FindTaskListStore } from '../../tools/task-list/task-list-store.js'
import type { TeamCreateInput } from '../../tools/team-create/team-create.js'
import type { TeamDeleteOutput } from '../../tools/team-delete/team-delete.js'
import type { CallContext, ToolContext } from '../../tools/tool.js'
import type { Conversation } from '../conversation.js'
import type { UserTurnMessage } from '../messages/user-message.js'
import type { TurnQueue } from '../turn/turn-queue.js'
import type { RunningTeam } from './running-team.js'
import type { TeamMessageResult } from './send-team-message.js'

export type TeamCoordinatorPorts = {
  conversation(): Conversation
  /** Queue of the lead's turns. */
  queue(): Pick<TurnQueue, 'add' | 'idle'>
}

export type TeamCoordinator = ReturnType<typeof createTeamCoordinator>

/** After its shutdown turn a team has this long to come to an end. */
const GRACE_MS = 30_000
/** How long a teammate that agreed to shut down can take to finish its work. */
const LEAVING_MS = 5000
const NO_TEAM = 'There is no team yet. Create one with TeamCreate first.'

/** What tools, turns and endings see of the team. */
type TeamState = {
  running?: RunningTeam | undefined
  /** A turn for the lead's mail is queued. */
  isMailDue: boolean
  closed: boolean
}

export function createTeamCoordinator(ports: TeamCoordinatorPorts) {
  const state: TeamState = { isMailDue: false, closed: false }
  return { ...teamTools(state, ports), ...teamTurns(state, ports) }
}

/** What the tools of a team do. */
function teamTools(state: TeamState, { conversation, queue }: TeamCoordinatorPorts) {
  const alone = createTaskListStore()
  /** One turn for all that is unread when it comes. */
  const onLeadMail = () => {
    if (state.isMailDue || conversation().ports.overBudget()) return
    state.isMailDue = queue().add({ ...ownMessage('Teammates have written.'), isMail: true })
  }
  const mateOf = ({ agentId }: ToolContext) => state.running?.mateOf(agentId)

  return {
    async create(input: TeamCreateInput) {
      if (state.running)
        return refuse(`You lead the team ${state.running.team.name} already. Remove it with TeamDelete first.`)
      const { openTeam } = await import('./open-team.js')
      state.running = await openTeam(conversation(), input, onLeadMail)
      if (!state.running) return refuse('The name of a team needs a letter or a digit, and 64 characters are enough.')
      const { name, configPath, leadAgentId } = state.running.team
      const output = { team_name: name, team_file_path: configPath, lead_agent_id: leadAgentId }
      return { ok: true as const, output }
    },
    async delete(): Promise<TeamDeleteOutput> {
      if (!state.running) return { success: false, message: NO_TEAM }
      const { name } = state.running.team
      // A teammate that agreed to leave is about to end.
      const leaving = state.running.alive().filter((mate) => mate.isLeaving)
      await conversation().shared.platform.clock.atMost(LEAVING_MS, Promise.all(leaving.map((mate) => mate.ended())))
      const left = state.running.alive().map((mate) => mate.name)
      if (left.length > 0) {
        const text = `The team has ${left.length} members that have not ended: ${left.join(', ')}. Ask them to shut down first, with SendMessage and shutdown_request.`
        return { success: false, message: text, team_name: name }
      }
      const over = state.running
      state.running = undefined
      over.close()
      await over.team.delete()
      return { success: true, message: `The team ${name} and its files are gone.`, team_name: name }
    },
    async send(input: SendMessageInput, context: CallContext): Promise<TeamMessageResult> {
      if (!state.running) return refuse(NO_TEAM)
      const { sendTeamMessage } = await import('./send-team-message.js')
      return sendTeamMessage(conversation(), state.running, input, mateOf(context))
    },
    /** Undefined: the call does not ask for a teammate. */
    async start(input: AgentInput, context: CallContext): Promise<ToolOutcome | undefined> {
      const { name, team_name: wanted } = input
      if (name === undefined && wanted === undefined) return undefined
      if (wanted === undefined && !state.running) return undefined
      if (!state.running || (wanted !== undefined && wanted !== state.running.team.name)) {
        const known = state.running ? `You lead ${state.running.team.name}.` : 'Create it with TeamCreate first.'
        return refuse(`There is no team ${JSON.stringify((wanted ?? '').slice(0, 100))}. ${known}`)
      }
      if (name === undefined) return refuse('A teammate needs a name.')
      if (context.agentId !== undefined) return refuse('Only the lead can start teammates.')
      if (input.resume !== undefined) return refuse('A teammate can’t be resumed: write to it with SendMessage.')
      const { startMate } = await import('./start-mate.js')
      return startMate(conversation(), state.running, { ...input, name }, context)
    },
    /** For ExitPlanMode. */
    plans: {
      isMate: (context: ToolContext) => mateOf(context) !== undefined,
      async submit(plan: unknown, context: ToolContext): Promise<ToolOutcome> {
        const mate = mateOf(context)
        if (!state.running || !mate) return refuse(NO_TEAM)
        const { submitMatePlan } = await import('./submit-plan.js')
        return submitMatePlan(conversation(), state.running, mate, plan)
      },
    },
    /** The list of the team, as the caller may change it; without a team that of the session. */
    stores: ((context) => {
      if (!state.running) return alone
      const mate = mateOf(context)
      const isLead = context.agentId === undefined
      return state.running.tasks.as({
        name: mate?.name ?? (isLead ? 'team-lead' : `agent ${context.agentId}`),
        leads: isLead,
      })
    }) satisfies FindTaskListStore,
    /** For hooks: who made a call. */
    memberFields(context: ToolContext): { teammate_name?: string; team_name?: string } {
      const mate = mateOf(context)
      return {
        ...(mate ? { teammate_name: mate.name } : {}),
        ...(state.running ? { team_name: state.running.team.name } : {}),
      }
    },
  }
}

/** What the turns and the end of the session have to do with it. */
function teamTurns(state: TeamState, { conversation, queue }: TeamCoordinatorPorts) {
  let stopWaiting = () => {}
  const busy = () => state.running?.alive().filter((mate) => !mate.isResting()) ?? []

  /** Stops every teammate that is still working; a result reports it. */
  const cutOff = () => {
    const { table } = conversation().shared.background
    const late = table.running().filter((task) => task.type === 'in_process_teammate' && !task.isResting?.())
    if (late.length === 0) return
    // Nobody is there any more to hear of it by mail.
    state.running?.close()
    const reason = 'the user had ended the session'
    const over = Promise.all(late.map((task) => table.stop(task, reason))).then(() => {})
    queue().add({ ...ownMessage(''), canceled: { reason, tasks: late, over } })
  }

  return {
    /** The message a turn is about; undefined: what it was about is not there any more. */
    async fill(message: UserTurnMessage): Promise<UserTurnMessage | undefined> {
      if (!message.isMail) return message
      state.isMailDue = false
      const { formatMailForModel } = await import('../../teams/structured-mail.js')
      try {
        const mail = (await state.running?.team.mail.take('team-lead')) ?? []
        return mail.length === 0 ? undefined : ownMessage(mail.map(formatMailForModel).join('\n\n'))
      } catch (error) {
        const why = messageOf(error)
        await conversation().emitter.inform(`Messages of teammates can't be read: ${why}`, 'warning')
        return undefined
      }
    },
    /** A turn that was queued will not be. */
    dropped(message: UserTurnMessage) {
      if (message.isMail) state.isMailDue = false
    },
    /** The host says no more: a team that is still at work is to come to an end. */
    async hostLeft(): Promise<void> {
      const mates = busy()
      if (mates.length === 0) return
      const { writeLeadShutdownPrompt } = await import('../../prompts/teams.js')
      queue().add(ownMessage(writeLeadShutdownPrompt(mates.map(({ name }) => name))))
      const { live, platform } = conversation().shared
      void queue()
        .idle()
        .then(() => {
          if (state.closed) return
          stopWaiting = platform.clock.after(graceOf(live.env), cutOff)
        })
    },
    /** Nobody is at work any more: whoever rests is done. */
    async finish(): Promise<void> {
      state.closed = true
      stopWaiting()
      state.running?.close()
      const mates = state.running?.alive() ?? []
      for (const mate of mates) mate.dismiss()
      await Promise.all(mates.map((mate) => mate.ended()))
    },
    close() {
      state.closed = true
      stopWaiting()
      state.running?.close()
    },
  }
}

function graceOf({ KEDGE_TEAM_GRACE_MS: given }: Readonly<Record<string, string | undefined>>): number {
  const ms = given === undefined || given === '' ? Number.NaN : Number(given)
  return ms >= 0 ? ms : GRACE_MS
}

function ownMessage(text: string): UserTurnMessage {
  return { uuid: undefined, content: text, blocks: [{ type: 'text', text }], text, own: true }
}

function refuse(error: string): { ok: false; error: string } {
  return { ok: false, error }
}
