/** Going back: files to what they were at a message, the conversation to before it, or both. */
import { KedgeError } from '../errors.js'
import type { RewindFilesResult } from '../protocol/control.js'
import type { SessionMessage } from '../protocol/stored-sessions.js'
import type { OpenedAgentSession } from './open-session.js'
import type { SessionLibrary } from './session-library.js'
import type { RewindChanges, RewindRequest, RewindTarget } from './session-types.js'
import { type Conversations, type LocalAgents, requireLocalAgents } from './sessions.js'

type Transcripts = Pick<SessionLibrary, 'getSessionMessages'>

const NO_CHECKPOINTS = 'Checkpoints of files stay on one machine: only the conversation goes back.'

/** Goes back with what the request names: files first. If the conversation can't follow, the error says that files did. */
export async function rewindAsRequested(
  hub: Pick<Conversations, 'rewindConversation'>,
  agents: LocalAgents | undefined,
  session: string,
  { what, ...to }: RewindRequest,
): Promise<RewindChanges> {
  if (what === 'conversation') return hub.rewindConversation(session, to)
  const local = requireLocalAgents(agents, NO_CHECKPOINTS)
  if (what === 'files') return local.rewindFiles(session, to)
  const files = await local.rewindFiles(session, to)
  const { messages } = await hub.rewindConversation(session, to).catch((error: unknown) => {
    if (!KedgeError.isInstance(error)) throw error
    throw new KedgeError(error.code, `The files ${to.dryRun ? 'can be' : 'were'} restored. ${error.message}`)
  })
  return { ...files, messages }
}

export async function rewindSessionConversation(
  opened: OpenedAgentSession,
  session: string,
  { message, dryRun = false }: RewindTarget,
  library: Transcripts,
): Promise<RewindChanges> {
  const messages = await library.getSessionMessages(session)
  const at = indexOfMessage(messages, session, message)
  const last = findLastAnswer(messages.slice(0, at))
  if (!dryRun) {
    await opened.takeUpAt(last)
    opened.log.add({ kind: 'state', data: { rewound: { message } } })
    await opened.log.flushed()
  }
  return { files: [], insertions: 0, deletions: 0, messages: messages.length - at }
}

export async function rewindSessionFiles(
  { live }: OpenedAgentSession,
  session: string,
  { message, dryRun = false }: RewindTarget,
  library: Transcripts,
): Promise<RewindChanges> {
  indexOfMessage(await library.getSessionMessages(session), session, message)
  const query = await live.driver.started()
  const check = ({ canRewind, error }: RewindFilesResult) => {
    if (!canRewind) throw new KedgeError('message_not_found', error ?? 'The files of that message were not kept.')
  }
  // Only a dry run says what would change.
  const plan = await query.rewindFiles(message, { dryRun: true })
  check(plan)
  if (!dryRun) check(await query.rewindFiles(message))
  const { filesChanged: files = [], insertions = 0, deletions = 0 } = plan
  return { files, insertions, deletions, messages: 0 }
}

/** Throws `message_not_found`. */
function indexOfMessage(messages: readonly SessionMessage[], session: string, message: string): number {
  const at = messages.findIndex(({ uuid }) => uuid === message)
  if (at < 0) throw new KedgeError('message_not_found', `Session ${session} has no message ${message}.`)
  return at
}

/** Returns the message that the conversation ends with when everything after it is gone. */
function findLastAnswer(messages: readonly SessionMessage[]): string {
  const last = messages.findLast(({ type }) => type === 'assistant')
  if (!last)
    throw new KedgeError(
      'message_not_found',
      `Nothing comes before the first prompt, so the conversation can't be rewound. Start a new session.`,
    )
  return last.uuid
}
