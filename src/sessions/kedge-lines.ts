/**
 * Lines that only Kedge has, in a session file that strangers read: costs, questions, calls that began, answers that came to their end, copies of folders. They travel in lines of
 * a type of the original's that says nothing without content, which every reader is known to pass over.
 */
import { isObject } from '../protocol/json.js'
import type { TranscriptCarrierLine, TranscriptLine, TranscriptOwnLine } from '../protocol/transcript.js'

const OWN: readonly string[] = [
  ...([
    'cost-entry',
    'cost-open',
    'question-open',
    'question-settled',
    'tool-start',
    'tool-wait',
    'answer-end',
    'file-history-other',
  ] as const),
] satisfies TranscriptOwnLine['type'][]

export function wrapKedgeLine(line: TranscriptLine, sessionId: string): Exclude<TranscriptLine, TranscriptOwnLine> {
  if (!isOwn(line)) return line
  const carrier = { type: 'queue-operation', operation: 'dequeue' } as const
  return { ...carrier, kedge: line, timestamp: line.timestamp, sessionId } satisfies TranscriptCarrierLine
}

/** What a line of a file says: of a carrier what it carries. Earlier files have the lines as they are. */
export function unwrapKedgeLine(value: unknown): unknown {
  return isObject(value) && value.type === 'queue-operation' && isObject(value.kedge) ? value.kedge : value
}

function isOwn(line: TranscriptLine): line is TranscriptOwnLine {
  return OWN.includes(line.type)
}
