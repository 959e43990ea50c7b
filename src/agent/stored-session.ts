/** The agent's side of a host's own session store: takes the session from the host, gives every line back. */

import type { SessionChoice } from '../protocol/option-table/start-settings.js'
import type { HostSessionStore } from '../runtime/open-session-transcript.js'
import type { Channel, MalformedLine } from '../transport/channel.js'

/**
 * Loads a session from the host's store, or mirrors its lines there. Rejects when the host ends, or says something
 * else, before the session is complete.
 */
export async function connectHostTranscriptStore(
  { mirrors, resumesFromHost }: Pick<SessionChoice, 'mirrors' | 'resumesFromHost'>,
  channel: Channel<object | MalformedLine, object>,
): Promise<HostSessionStore> {
  return {
    ...(mirrors
      ? { mirror: (filePath, line) => void channel.send({ type: 'transcript_mirror', filePath, entries: [line] }) }
      : {}),
    ...(resumesFromHost ? { entries: await readEntries(channel.incoming) } : {}),
  }
}

/** They come in front of the first request, so nothing of what follows is read here. */
async function readEntries(incoming: AsyncIterable<object>): Promise<unknown[]> {
  const iterator = incoming[Symbol.asyncIterator]()
  const entries: unknown[] = []
  for (;;) {
    const { value, done } = await iterator.next()
    const message: unknown = done ? undefined : value
    if (typeof message !== 'object' || message === null || !('type' in message) || message.type !== 'session_entries')
      throw new Error('--resume-from-host: the host did not send the session first')
    if ('entries' in message && Array.isArray(message.entries)) for (const entry of message.entries) entries.push(entry)
    if (!('more' in message) || message.more !== true) return entries
  }
}
