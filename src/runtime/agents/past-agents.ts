/** Agents of earlier calls, read back from where they wrote their lines. */
import { agentTranscriptPath, isAgentId } from '../../sessions/transcript-paths.js'
import type { Conversation, EarlierMessages } from '../conversation.js'

/** Undefined when there is nothing of it. Its file is made ready for more lines. */
export async function loadPastAgent(
  { transcript, shared: { platform, sessionId }, emitter }: Conversation,
  id: string,
): Promise<EarlierMessages | undefined> {
  if (!isAgentId(id)) return undefined
  const { loadSubagentTranscript } = await import('../../sessions/resume.js')
  const found = await loadSubagentTranscript(
    { path: agentTranscriptPath(transcript.path, id), sessionId },
    platform.files,
  )
  if (!found) return undefined
  for (const repair of found.repairs) await emitter.inform(`Agent ${id}: ${repair}`, 'warning')
  return { messages: found.messages, leaf: found.leaf }
}
