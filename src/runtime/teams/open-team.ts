/** TeamCreate: makes a team on disk and gets it going. */
import { LEAD_NAME } from '../../teams/team-names.js'
import { openSharedTaskList } from '../../tools/task-list/shared-task-list.js'
import type { TeamCreateInput } from '../../tools/team-create/team-create.js'
import type { Conversation } from '../conversation.js'
import { currentModel } from '../messages/init-message.js'
import { createRunningTeam, type RunningTeam } from './running-team.js'

/** How often files are looked at for messages that others wrote. */
const LOOK_MS = 500

/** Undefined: no team can have that name. */
export async function openTeam(
  main: Conversation,
  input: TeamCreateInput,
  onLeadMail: () => void,
): Promise<RunningTeam | undefined> {
  const {
    shared: { settings, platform, sessionId },
  } = main
  const { files, clock, identity } = platform
  const { createTeam } = await import('../../teams/team.js')
  const team = await createTeam(
    {
      name: input.team_name,
      description: input.description,
      configDir: settings.configDir,
      sessionId,
      lead: { agentType: input.agent_type ?? LEAD_NAME, model: currentModel(main), cwd: settings.cwd },
      onPosted: (name) => (name === LEAD_NAME ? onLeadMail() : running?.mates.get(name)?.wake()),
    },
    { files, clock, token: identity.uuid },
  )
  if (!team) return undefined
  const tasks = openSharedTaskList({
    files,
    whileLocked: team.whileLocked,
    folder: team.tasksFolder,
    async onAssigned({ id, subject, description, owner = '' }, by) {
      const known = owner === LEAD_NAME || running?.alive().some(({ name }) => name === owner)
      if (!known) return
      const timestamp = new Date(clock.now()).toISOString()
      const from = running?.mates.get(by)
      await running?.tell(owner, from, {
        type: 'task_assignment',
        taskId: id,
        subject,
        description,
        assignedBy: by,
        timestamp,
      })
    },
  })
  const running: RunningTeam | undefined = createRunningTeam({ main, team, tasks, onLeadMail })
  const stopLooking = clock.everyInBackground(LOOK_MS, running.look)
  return {
    ...running,
    close() {
      stopLooking()
      running.close()
    },
  }
}
