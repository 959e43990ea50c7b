/** The transport for `useChat` that talks to a Kedge server, without a server of your own between. */
import type { Client, NewSession } from '../../public-client.js'
import { type ChatTurnRequest, resumeChatTurn, sendChatTurn } from './chat-turn.js'
import type { UiMessageLike } from './known-parts.js'
import type { UiChunk } from './ui-chunks.js'

/** Options of `createChatTransport()`. */
export type ChatTransportOptions = {
  /** Returns the session of a chat. Default: the chat's id is the session's id. */
  session?: (chatId: string) => string | Promise<string>
  /** Creates a session that doesn't exist yet with these settings. Default: the chat fails with `session_not_found`. */
  create?: Omit<NewSession, 'id'>
  /** `interrupt` (the default): `stop()` stops the turn. `leave`: it only ends the stream; the turn continues. */
  onStop?: 'interrupt' | 'leave'
  /** A connection that is lost for this long ends the stream with an error, in milliseconds. Default: 30 000. */
  lostAfterMs?: number
}

/** A transport, assignable to the `ChatTransport` of the AI SDK. */
export type KedgeChatTransport = {
  /** A turn that is resumed comes from its beginning. */
  readonly resumeStreamIsReplay: true
  /** Sends the last message as a prompt, or the answers in it, and returns the turn. */
  sendMessages(
    options: Omit<ChatTurnRequest, 'messageId'> & {
      chatId: string
      messageId: string | undefined
      messages: readonly UiMessageLike[]
      abortSignal: AbortSignal | undefined
    },
  ): Promise<ReadableStream<UiChunk>>
  /** Returns the turn that is under way, from its beginning; `null` if there is none. */
  reconnectToStream(options: { chatId: string; abortSignal?: AbortSignal }): Promise<ReadableStream<UiChunk> | null>
}

/** Returns a transport for `useChat` over a client of a Kedge server. */
export function createChatTransport(client: Client, options: ChatTransportOptions = {}): KedgeChatTransport {
  const { session = (chatId: string) => chatId, create, onStop = 'interrupt', lostAfterMs } = options
  const watchStop = (id: string, stream: ReadableStream<UiChunk>, signal: AbortSignal | undefined) => {
    if (onStop === 'leave' || !signal) return stream
    // An error would have no reader: the turn that runs on is in the session.
    const interrupt = () => void client.interrupt(id).catch(() => {})
    signal.addEventListener('abort', interrupt, { once: true })
    // After the end of this turn, a stop would be of another one.
    const flush = () => signal.removeEventListener('abort', interrupt)
    return stream.pipeThrough(new TransformStream<UiChunk, UiChunk>({ flush }))
  }
  return {
    resumeStreamIsReplay: true,
    async sendMessages({ chatId, abortSignal: signal, ...call }) {
      const id = await session(chatId)
      const stream = await sendChatTurn(client, id, call, { create, signal, lostAfterMs })
      return watchStop(id, stream, signal)
    },
    async reconnectToStream({ chatId, abortSignal: signal }) {
      const id = await session(chatId)
      const stream = await resumeChatTurn(client, id, { signal, lostAfterMs })
      return stream ? watchStop(id, stream, signal) : null
    },
  }
}
