/** ExitPlanMode of a teammate: the plan goes to the lead, and nobody else is asked. */
import type { ToolOutcome } from '../../engine/ports.js'
import { join } from '../../platform/paths.js'
import { LEAD_NAME } from '../../teams/team-names.js'
import type { ExitPlanModeOutput } from '../../tools/exit-plan-mode/exit-plan-mode.js'
import type { Conversation } from '../conversation.js'
import type { Mate } from './mate.js'
import type { RunningTeam } from './running-team.js'

export async function submitMatePlan(
  { shared: { settings, platform } }: Conversation,
  running: RunningTeam,
  mate: Mate,
  plan: unknown,
): Promise<ToolOutcome> {
  if (mate.mode !== 'plan') return { ok: false, error: 'You need no approval any more. Go on with the work.' }
  if (typeof plan !== 'string' || plan.trim() === '') {
    return { ok: false, error: 'There is no plan to approve: call ExitPlanMode again, with the whole plan as plan.' }
  }
  const { files, clock } = platform
  const folder = join(settings.configDir, 'plans')
  const planFilePath = join(folder, `${mate.name}-agent-${mate.agentId}.md`)
  files.makeDirectorySync(folder, 0o700)
  await files.replace(planFilePath, plan)
  const now = clock.now()
  const requestId = `plan_approval-${now}@${mate.name}@${running.team.name}`
  mate.plan = requestId
  await running.tell(LEAD_NAME, mate, {
    type: 'plan_approval_request',
    from: mate.name,
    timestamp: new Date(now).toISOString(),
    planFilePath,
    planContent: plan,
    requestId,
  })
  const output: ExitPlanModeOutput = {
    plan,
    isAgent: true,
    filePath: planFilePath,
    awaitingLeaderApproval: true,
    requestId,
  }
  const content = `Your plan is with ${LEAD_NAME} (request ${requestId}), and saved in ${planFilePath}. End your turn now: the answer comes as a message. Change nothing before it.`
  return { ok: true, content, output }
}
