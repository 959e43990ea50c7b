/** The team a session leads, with the teammates that run in it: who is there, who gets which message, how it ends. */
import type { BackgroundEnd } from '../../engine/background-port.js'
import type { StructuredMail } from '../../teams/structured-mail.js'
import type { Team } from '../../teams/team.js'
import { chooseMemberName, LEAD_NAME, memberColor } from '../../teams/team-names.js'
import type { SharedTaskList } from '../../tools/task-list/shared-task-list.js'
import type { Conversation } from '../conversation.js'
import type { Mate } from './mate.js'

export type RunningTeam = {
  readonly team: Team
  readonly tasks: SharedTaskList
  readonly mates: Map<string, Mate>
  /** Those that have not ended. */
  alive(): Mate[]
  /** A name and a color for the next one. Undefined: the name has no letter in it. */
  newcomer(wanted: string): { name: string; color: string } | undefined
  /** Returns the teammate that made a call; undefined for the lead, or an agent outside the team. */
  mateOf(agentId: string | undefined): Mate | undefined
  post(to: string, from: Mate | undefined, text: string, summary?: string): Promise<void>
  tell(to: string, from: Mate | undefined, text: StructuredMail): Promise<void>
  /** What is left of a mate that is over. */
  bury(mate: Mate, end: BackgroundEnd): Promise<void>
  /** Somebody outside may have written. */
  look(): void
  /** All of it is over, or about to be: nobody has to be told of anything. */
  close(): void
}

export type RunningTeamPorts = {
  main: Conversation
  team: Team
  tasks: SharedTaskList
  /** The lead has mail. */
  onLeadMail(): void
}

export function createRunningTeam({ main, team, tasks, onLeadMail }: RunningTeamPorts): RunningTeam {
  const { clock } = main.shared.platform
  const mates = new Map<string, Mate>()
  const marks = new Map<string, string>()
  let joined = 0
  let closed = false
  const alive = () => [...mates.values()].filter((mate) => !mate.hasEnded)
  const post: RunningTeam['post'] = (to, from, text, summary) =>
    team.mail.post(to, { from: from?.name ?? LEAD_NAME, text, summary, color: from?.color })
  const tell: RunningTeam['tell'] = (to, from, text) => post(to, from, JSON.stringify(text))

  return {
    team,
    tasks,
    mates,
    alive,
    newcomer(wanted) {
      const name = chooseMemberName(wanted, [LEAD_NAME, ...mates.keys()])
      if (name === undefined) return undefined
      joined += 1
      return { name, color: memberColor(joined) }
    },
    mateOf: (agentId) => alive().find((mate) => mate.agentId === agentId),
    post,
    tell,
    async bury(mate, { status, reason }) {
      if (closed) return
      await team.removeMember(mate.name)
      const free = await tasks.releaseAll(mate.name)
      if (mate.wasStopped || (mate.isLeaving && free.length === 0)) return
      const timestamp = new Date(clock.now()).toISOString()
      const why = [reason, ...free.map(({ id }) => `task #${id} is free again`)].filter((part) => part !== undefined)
      const text = { type: 'teammate_terminated', from: mate.name, timestamp, status } as const
      await tell(LEAD_NAME, mate, why.length > 0 ? { ...text, reason: why.join('; ') } : text)
    },
    look() {
      for (const name of [LEAD_NAME, ...alive().map((mate) => mate.name)]) {
        const mark = team.mail.mark(name)
        if (mark === (marks.get(name) ?? '')) continue
        marks.set(name, mark)
        if (!team.mail.hasUnread(name)) continue
        if (name === LEAD_NAME) onLeadMail()
        else mates.get(name)?.wake()
      }
    },
    close() {
      closed = true
      team.release()
    },
  }
}
