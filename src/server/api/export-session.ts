/** A whole session as lines of JSON: what it is, then its conversation, then its log. */

import type { SessionInfo } from '../../hub/session-types.js'
import type { Conversations, SessionLogs } from '../../hub/sessions.js'
import { EXPORT_VERSION } from './import-lines.js'

/** The parts before the log, and the log's first lines. */
const PIECES_AHEAD = 3

/** Reads the first parts before the response starts, so it rejects if the session can't be read. */
export async function exportStream(
  hub: Conversations & SessionLogs,
  info: SessionInfo,
): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder()
  const lines = linesOf(hub, info)
  const ahead: IteratorResult<string, void>[] = []
  while (ahead.length < PIECES_AHEAD && !ahead.at(-1)?.done) ahead.push(await lines.next())
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = ahead.shift() ?? (await lines.next())
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      await lines.return(undefined)
    },
  })
}

async function* linesOf(hub: Conversations & SessionLogs, info: SessionInfo): AsyncGenerator<string, void> {
  yield `${JSON.stringify({ kedge: 'session', version: EXPORT_VERSION, session: info })}\n`
  const conversation = (await hub.storedLines(info.id)).map((stored) => `${JSON.stringify(stored)}\n`)
  yield conversation.join('')
  // This line tells the reader that the file is complete.
  const end = `${JSON.stringify({ end: { lines: conversation.length, entries: info.seq } })}\n`
  if (info.seq === 0) return yield end
  let lines: string[] = []
  for await (const item of hub.read(info.id, { deltas: false })) {
    if (item.kind !== 'delta') lines.push(`${JSON.stringify({ entry: item })}\n`)
    const isLast = item.seq >= info.seq
    if (lines.length >= 100 || isLast) {
      yield lines.join('')
      lines = []
    }
    if (isLast) return yield end
  }
}
