/** The team of a session, if it makes one: where tools, turns and endings ask for it. Loads the rest on first use. */
import type { ToolOutcome } from '../../engine/ports.js'
import type { SendMessageInput } from '../../tools/send-message/input.js'
import type { AgentInput } from '../../tools/task/input.js'
import { createTaskListStore, type TaskStores } from '../../tools/task-list/store.js'
import type { TeamCreateInput } from '../../tools/team-create/input.js'
import type { TeamDeleteOutput } from '../../tools/team-delete/output.js'
import type { CallContext, ToolContext } from '../../tools/tool.js'
import type { UserTurnMessage } from '../messages/user-message.js'
import type { SessionParts } from '../session-parts.js'
import type { TurnQueue } from '../turn/turn-queue.js'
import type { RunningTeam } from './running-team.js'
import type { Sent } from './send.js'

export type TeamDeskPorts = {
  parts(): SessionParts
  /** Of the lead's turns. */
  queue(): Pick<TurnQueue, 'add' | 'idle'>
}

export type TeamDesk = ReturnType<typeof createTeamDesk>

/** After its shutdown turn a team has this long to come to an end. */
const GRACE_MS = 30_000
/** Who has agreed to shut down may still have something to finish. */
const LEAVING_MS = 5000
const NO_TEAM = 'There is no team yet. Create one with TeamCreate first.'

/** Undefined: the session may not lead a team. */
export function openTeamDesk(settings: { teams: boolean }, ports: TeamDeskPorts): TeamDesk | undefined {
  return settings.teams ? createTeamDesk(ports) : undefined
}

function createTeamDesk({ parts, queue }: TeamDeskPorts) {
  const alone = createTaskListStore()
  let running: RunningTeam | undefined
  let isLetterDue = false
  let stopWaiting = () => {}
  let closed = false

  /** One turn for all that is unread when it comes. */
  const onLeadMail = () => {
    if (isLetterDue || parts().ports.overBudget()) return
    isLetterDue = queue().add({ ...ownMessage('Teammates have written.'), letters: true })
  }
  const mateOf = ({ agentId }: ToolContext) => running?.mateOf(agentId)
  const busy = () => running?.alive().filter((mate) => !mate.isResting()) ?? []

  /** Whoever is still at work is stopped, and a result says so. */
  const cutOff = () => {
    const { table } = parts().background
    const late = table.running().filter((task) => task.type === 'in_process_teammate' && !task.isResting?.())
    if (late.length === 0) return
    // Nobody is there any more to hear of it by mail.
    running?.close()
    const reason = 'the user had ended the session'
    const over = Promise.all(late.map((task) => table.stop(task, reason))).then(() => {})
    queue().add({ ...ownMessage(''), cancelled: { reason, tasks: late, over } })
  }

  return {
    async create(input: TeamCreateInput) {
      if (running) return refuse(`You lead the team ${running.team.name} already. Remove it with TeamDelete first.`)
      const { openTeam } = await import('./open-team.js')
      running = await openTeam(parts(), input, onLeadMail)
      if (!running) return refuse('The name of a team needs a letter or a digit, and 64 characters are enough.')
      const { name, configPath, leadAgentId } = running.team
      const output = { team_name: name, team_file_path: configPath, lead_agent_id: leadAgentId }
      return { ok: true as const, output }
    },
    async delete(): Promise<TeamDeleteOutput> {
      if (!running) return { success: false, message: NO_TEAM }
      const { name } = running.team
      // Who has agreed to leave is all but gone.
      const leaving = running.alive().filter((mate) => mate.isLeaving)
      await parts().platform.clock.atMost(LEAVING_MS, Promise.all(leaving.map((mate) => mate.ended())))
      const left = running.alive().map((mate) => mate.name)
      if (left.length > 0) {
        const text = `The team has ${left.length} members that have not ended: ${left.join(', ')}. Ask them to shut down first, with SendMessage and shutdown_request.`
        return { success: false, message: text, team_name: name }
      }
      const over = running
      running = undefined
      over.close()
      await over.team.delete()
      return { success: true, message: `The team ${name} and its files are gone.`, team_name: name }
    },
    async send(input: SendMessageInput, context: CallContext): Promise<Sent> {
      if (!running) return refuse(NO_TEAM)
      const { sendMessage } = await import('./send.js')
      return sendMessage(parts(), running, input, mateOf(context))
    },
    /** Undefined: the call does not ask for a teammate. */
    async start(input: AgentInput, context: CallContext): Promise<ToolOutcome | undefined> {
      const { name, team_name: wanted } = input
      if (name === undefined && wanted === undefined) return undefined
      if (wanted === undefined && !running) return undefined
      if (!running || (wanted !== undefined && wanted !== running.team.name)) {
        const known = running ? `You lead ${running.team.name}.` : 'Create it with TeamCreate first.'
        return refuse(`There is no team ${JSON.stringify((wanted ?? '').slice(0, 100))}. ${known}`)
      }
      if (name === undefined) return refuse('A teammate needs a name.')
      if (context.agentId !== undefined) return refuse('Only the lead can start teammates.')
      if (input.resume !== undefined) return refuse('A teammate can’t be resumed: write to it with SendMessage.')
      const { startMate } = await import('./start-mate.js')
      return startMate(parts(), running, { ...input, name }, context)
    },
    /** For ExitPlanMode. */
    plans: {
      isMate: (context: ToolContext) => mateOf(context) !== undefined,
      async submit(plan: unknown, context: ToolContext): Promise<ToolOutcome> {
        const mate = mateOf(context)
        if (!running || !mate) return refuse(NO_TEAM)
        const { submitPlan } = await import('./submit-plan.js')
        return submitPlan(parts(), running, mate, plan)
      },
    },
    /** The list of the team, as the caller may change it; without a team that of the session. */
    stores: ((context) => {
      if (!running) return alone
      const mate = mateOf(context)
      const isLead = context.agentId === undefined
      return running.tasks.as({
        name: mate?.name ?? (isLead ? 'team-lead' : `agent ${context.agentId}`),
        leads: isLead,
      })
    }) satisfies TaskStores,
    /** For hooks: who made a call. */
    memberFields(context: ToolContext): { teammate_name?: string; team_name?: string } {
      const mate = mateOf(context)
      return { ...(mate ? { teammate_name: mate.name } : {}), ...(running ? { team_name: running.team.name } : {}) }
    },
    /** The message a turn is about; undefined: what it was about is not there any more. */
    async fill(message: UserTurnMessage): Promise<UserTurnMessage | undefined> {
      if (!message.letters) return message
      isLetterDue = false
      const { showMail } = await import('../../teams/mail-texts.js')
      try {
        const mail = (await running?.team.mail.take('team-lead')) ?? []
        return mail.length === 0 ? undefined : ownMessage(mail.map(showMail).join('\n\n'))
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error)
        await parts().emitter.inform(`Messages of teammates can't be read: ${why}`, 'warning')
        return undefined
      }
    },
    /** A turn that was queued will not be. */
    dropped(message: UserTurnMessage) {
      if (message.letters) isLetterDue = false
    },
    /** The host says no more: a team that is still at work is to come to an end. */
    async hostLeft(): Promise<void> {
      const mates = busy()
      if (mates.length === 0) return
      const { shutdownPrompt } = await import('../../prompts/teams.js')
      queue().add(ownMessage(shutdownPrompt(mates.map(({ name }) => name))))
      const { settings, platform } = parts()
      void queue()
        .idle()
        .then(() => {
          if (closed) return
          stopWaiting = platform.clock.after(graceOf(settings.env), cutOff)
        })
    },
    /** Nobody is at work any more: whoever rests is done. */
    async finish(): Promise<void> {
      closed = true
      stopWaiting()
      running?.close()
      const mates = running?.alive() ?? []
      for (const mate of mates) mate.dismiss()
      await Promise.all(mates.map((mate) => mate.ended()))
    },
    close() {
      closed = true
      stopWaiting()
      running?.close()
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
