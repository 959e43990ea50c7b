/** Writes stream events as server-sent events, with the shapes and faults a turn asks for. Pure: gives pieces and an ending. */
import type { RawStreamEvent } from '../protocol/content.js'
import { apiError } from './api-error.js'
import type { Answer } from './turn.js'

/** `end` finishes the response properly, `close` and `reset` break it, `stall` leaves it open. */
export type StreamEnding = 'end' | 'close' | 'reset' | 'stall'

export function planEventStreamText(
  events: readonly RawStreamEvent[],
  answer: Answer,
  requestId: string,
): { pieces: string[]; ending: StreamEnding } {
  const pieces: string[] = []
  const insertions = answer.raw ?? []
  const insert = (count: number) => {
    for (const raw of insertions) if (raw.afterEvents === count) pieces.push(raw.text)
  }
  const errorAfter = answer.sseError ? (answer.sseError.afterEvents ?? 1) : undefined

  insert(0)
  for (let sent = 0; ; ) {
    if (answer.sseError && sent === errorAfter) {
      const body = apiError(500, requestId, answer.sseError)
      pieces.push(frame('error', body, answer))
      return { pieces, ending: 'end' }
    }
    if (sent === answer.cutAfterEvents) return { pieces, ending: streamEndingOfFault(answer) }
    if (sent === answer.stallAfterEvents) return { pieces, ending: 'stall' }
    const event = events[sent]
    if (!event || (event.type === 'message_stop' && answer.omitMessageStop)) return { pieces, ending: 'end' }
    pieces.push(frame(event.type, event, answer))
    sent += 1
    if (sent === 1) for (let i = 0; i < (answer.pings ?? 0); i++) pieces.push(frame('ping', { type: 'ping' }, answer))
    insert(sent)
  }
}

export function streamEndingOfFault(fault: { reset?: boolean; cleanEnd?: boolean }): StreamEnding {
  if (fault.reset) return 'reset'
  return fault.cleanEnd ? 'end' : 'close'
}

function frame(name: string, data: object, shape: Pick<Answer, 'newline' | 'multilineData'>): string {
  const json = shape.multilineData ? JSON.stringify(data, null, 1) : JSON.stringify(data)
  const lines = [`event: ${name}`, ...json.split('\n').map((line) => `data: ${line}`), '', '']
  return lines.join(shape.newline ?? '\n')
}
