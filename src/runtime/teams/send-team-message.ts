/** SendMessage as the team carries it out. Nothing is said to be sent that nobody will read. */
import { LEAD_NAME, memberColor } from '../../teams/team-names.js'
import type { SendMessageInput, SendMessageOutput } from '../../tools/send-message/send-message.js'
import type { Conversation } from '../conversation.js'
import type { Mate } from './mate.js'
import type { RunningTeam } from './running-team.js'

export type TeamMessageResult = { ok: true; output: SendMessageOutput } | { ok: false; error: string }

/** `from`: undefined for the lead. */
export function sendTeamMessage(
  main: Conversation,
  running: RunningTeam,
  input: SendMessageInput,
  from: Mate | undefined,
): Promise<TeamMessageResult> {
  switch (input.type) {
    case 'message':
      return message(running, input, from)
    case 'broadcast':
      return broadcast(running, input, from)
    case 'shutdown_request':
      return requestShutdown(main, running, input, from)
    case 'shutdown_response':
      return answerShutdown(main, running, input, from)
    case 'plan_approval_response':
      return answerPlan(main, running, input, from)
  }
}

async function message(
  running: RunningTeam,
  input: SendMessageInput,
  from: Mate | undefined,
): Promise<TeamMessageResult> {
  const { recipient = '', content = '', summary = '' } = input
  const to = findMember(running, recipient, from)
  if ('error' in to) return { ok: false, error: to.error }
  await running.post(to.name, from, content, summary)
  if (from && to.mate) from.lastWords = `[to ${to.name}] ${summary}`
  return sent({
    success: true,
    message: `The message is in the mailbox of ${to.name}.`,
    routing: {
      ...sender(from),
      target: `@${to.name}`,
      targetColor: to.mate?.color ?? memberColor(0),
      summary,
      content,
    },
  })
}

async function broadcast(
  running: RunningTeam,
  input: SendMessageInput,
  from: Mate | undefined,
): Promise<TeamMessageResult> {
  const { content = '', summary = '' } = input
  const mates = running.alive().filter((mate) => mate !== from && !mate.isLeaving)
  const recipients = [...(from ? [LEAD_NAME] : []), ...mates.map(({ name }) => name)]
  if (recipients.length === 0) return refuse('There is nobody else in the team.')
  for (const name of recipients) await running.post(name, from, content, summary)
  return sent({
    success: true,
    message: `The message is in ${recipients.length} mailboxes: ${recipients.join(', ')}.`,
    recipients,
    routing: { ...sender(from), target: '@team', summary, content },
  })
}

async function requestShutdown(
  { shared: { platform } }: Conversation,
  running: RunningTeam,
  { recipient = '', content }: SendMessageInput,
  from: Mate | undefined,
): Promise<TeamMessageResult> {
  const to = findMember(running, recipient, from)
  if ('error' in to) return { ok: false, error: to.error }
  if (!to.mate) return refuse(`${LEAD_NAME} ends with the session; it can't be asked to shut down.`)
  const now = platform.clock.now()
  const requestId = `shutdown-${now}@${to.name}`
  to.mate.shutdowns.add(requestId)
  await running.tell(to.name, from, {
    type: 'shutdown_request',
    requestId,
    from: from?.name ?? LEAD_NAME,
    ...(content === undefined ? {} : { reason: content }),
    timestamp: new Date(now).toISOString(),
  })
  const text = `${to.name} was asked to shut down (request ${requestId}). Its answer comes as a message.`
  return sent({ success: true, message: text, request_id: requestId, target: to.name })
}

async function answerShutdown(
  { shared: { platform } }: Conversation,
  running: RunningTeam,
  { request_id: requestId = '', approve = false, content }: SendMessageInput,
  from: Mate | undefined,
): Promise<TeamMessageResult> {
  if (!from)
    return refuse('Only a teammate can be asked to shut down. To end the team, use shutdown_request and TeamDelete.')
  if (!from.shutdowns.has(requestId)) return refuse(unknownRequest(requestId, [...from.shutdowns]))
  from.shutdowns.delete(requestId)
  const timestamp = new Date(platform.clock.now()).toISOString()
  if (approve) {
    from.isLeaving = true
    const ours = { paneId: 'in-process', backendType: 'in-process' } as const
    await running.tell(LEAD_NAME, from, { type: 'shutdown_approved', requestId, from: from.name, timestamp, ...ours })
    return sent({ success: true, message: 'You have agreed to shut down, and end here.', request_id: requestId })
  }
  const reason = content ?? 'It gave no reason.'
  await running.tell(LEAD_NAME, from, { type: 'shutdown_rejected', requestId, from: from.name, reason, timestamp })
  return sent({ success: true, message: 'You go on; the reason was passed on.', request_id: requestId })
}

async function answerPlan(
  { shared: { platform }, permissions }: Conversation,
  running: RunningTeam,
  { recipient = '', request_id: requestId = '', approve = false, content }: SendMessageInput,
  from: Mate | undefined,
): Promise<TeamMessageResult> {
  if (from) return refuse(`Only ${LEAD_NAME} can approve plans.`)
  const to = findMember(running, recipient, from)
  if ('error' in to) return { ok: false, error: to.error }
  const { mate } = to
  if (!mate || mate.plan !== requestId) return refuse(unknownRequest(requestId, mate?.plan ? [mate.plan] : []))
  mate.plan = undefined
  const timestamp = new Date(platform.clock.now()).toISOString()
  const type = 'plan_approval_response'
  if (approve) {
    mate.mode = undefined
    await running.tell(to.name, from, {
      type,
      requestId,
      approved: true,
      timestamp,
      permissionMode: permissions.mode(),
    })
    return sent({ success: true, message: `${to.name} may now carry out its plan.`, request_id: requestId })
  }
  const feedback = content ?? 'The plan needs another look.'
  await running.tell(to.name, from, { type, requestId, approved: false, feedback, timestamp })
  return sent({ success: true, message: `${to.name} was asked for another plan: ${feedback}`, request_id: requestId })
}

function findMember(
  running: RunningTeam,
  name: string,
  from: Mate | undefined,
): { name: string; mate?: Mate } | { error: string } {
  if (name === (from?.name ?? LEAD_NAME)) return { error: 'That is you. Write to somebody else.' }
  if (name === LEAD_NAME) return { name }
  const mate = running.mates.get(name)
  if (mate && !mate.hasEnded && !mate.isLeaving) return { name, mate }
  if (mate) return { error: `${name} has ended. Start another teammate with Task, if it is still needed.` }
  const names = [LEAD_NAME, ...running.alive().map((one) => one.name)].filter(
    (one) => one !== (from?.name ?? LEAD_NAME),
  )
  return {
    error: `There is no ${JSON.stringify(name.slice(0, 100))} in the team. Members: ${names.join(', ') || 'none yet'}`,
  }
}

function sender(from: Mate | undefined): { sender: string; senderColor?: string } {
  return from ? { sender: from.name, senderColor: from.color } : { sender: LEAD_NAME }
}

function unknownRequest(id: string, open: readonly string[]): string {
  const which = open.length > 0 ? `Open: ${open.join(', ')}` : 'There is none to answer'
  return `No request with the id ${JSON.stringify(id.slice(0, 100))} waits for an answer. ${which}.`
}

function sent(output: SendMessageOutput): TeamMessageResult {
  return { ok: true, output }
}

async function refuse(error: string): Promise<TeamMessageResult> {
  return { ok: false, error }
}
