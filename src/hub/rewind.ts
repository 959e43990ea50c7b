/** Going back: files to what they were at a message, the conversation to before it, or both. */
import { KedgeError } from '../errors.js'
import type { RewindFilesResult } from '../protocol/control.js'
import type { SessionMessage } from '../protocol/stored-sessions.js'
import type { OpenedAgentSession } from './open-session.js'
import type { SessionLibrary } from './session-library.js'
import type { RewindChanges, RewindRequest } from './session-types.js'

export async function rewind(
  opened: OpenedAgentSession,
  session: string,
  { message, what, dryRun = false }: RewindRequest,
  library: Pick<SessionLibrary, 'getSessionMessages'>,
): Promise<RewindChanges> {
  const messages = await library.getSessionMessages(session)
  const at = messages.findIndex(({ uuid }) => uuid === message)
  if (at < 0) throw new KedgeError('message_not_found', `Session ${session} has no message ${message}.`)
  const files = what === 'conversation' ? undefined : await rewindFiles(opened, message, dryRun)
  if (what !== 'files' && !dryRun) {
    await opened.takeUpAt(lastAnswer(messages.slice(0, at)))
    opened.log.add({ kind: 'state', data: { rewound: { message } } })
    await opened.log.flushed()
  }
  return {
    files: files?.filesChanged ?? [],
    insertions: files?.insertions ?? 0,
    deletions: files?.deletions ?? 0,
    messages: what === 'files' ? 0 : messages.length - at,
  }
}

async function rewindFiles({ live }: OpenedAgentSession, message: string, dryRun: boolean) {
  const query = await live.started()
  const check = ({ canRewind, error }: RewindFilesResult) => {
    if (!canRewind) throw new KedgeError('message_not_found', error ?? 'The files of that message were not kept.')
  }
  // Only a dry run says what would change.
  const plan = await query.rewindFiles(message, { dryRun: true })
  check(plan)
  if (!dryRun) check(await query.rewindFiles(message))
  return plan
}

/** What the conversation ends with when everything after it is gone. */
function lastAnswer(messages: readonly SessionMessage[]): string {
  const last = messages.findLast(({ type }) => type === 'assistant')
  if (!last)
    throw new KedgeError(
      'message_not_found',
      'There is nothing before that message to go back to: begin a new session.',
    )
  return last.uuid
}
