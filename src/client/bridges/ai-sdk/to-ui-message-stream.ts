/** A turn of a session as the AI SDK's UI message stream. */
import { type FollowTurnOptions, followTurn, type TurnSource } from '../follow-turn.js'
import { streamOfGenerator } from '../stream-of.js'
import { TurnReader, type TurnReaderOptions } from '../turn-reader.js'
import { ChunkWriter } from './chunk-writer.js'
import { knownTurnContentInParts, type UiMessageLike } from './known-parts.js'
import type { UiChunk } from './ui-chunks.js'

/** Options of `toUIMessageStream()`. */
export type UiStreamOptions = FollowTurnOptions & {
  /** The turn of this prompt. Default: the turn that is under way. */
  prompt?: string
  /** Number of a log entry, as `send()` returns it: the stream waits until the view has it. Default: the latest. */
  since?: number
  /** The assistant message to continue, as a page has it: only what is new comes. */
  message?: UiMessageLike
  /** Requests that were answered just now, by their ids. */
  answered?: readonly string[]
  /**
   * `finish` (the default): the stream ends at an open request, and another one continues after the answer, as `useChat`
   * expects it. `wait`: it continues until the turn ends, whoever answers.
   */
  onRequest?: 'finish' | 'wait'
}

/** Returns a turn as a stream of UI message chunks. It follows the session's live view; no prompt is sent. */
export function toUIMessageStream(session: TurnSource, options: UiStreamOptions = {}): ReadableStream<UiChunk> {
  const { prompt, since, message, answered = [], onRequest } = options
  const known = message && knownTurnContentInParts(message)
  const target: TurnReaderOptions = { prompt, since, answered, onRequest, ...(known ? { known: known.items } : {}) }
  const reader = new TurnReader(target)
  const writer = new ChunkWriter(reader, {
    describeError: options.describeError,
    prompt,
    ...(known ? { messageId: message.id, knownCalls: known.calls, knownApprovals: known.approvals } : {}),
  })
  return streamOfGenerator(
    (signal) => followTurn(session, reader, { ...options, signal }),
    ({ events }) => writer.write(events),
    options.signal,
  )
}
