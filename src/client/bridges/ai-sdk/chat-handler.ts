/** The route that `useChat` calls on your own server: it answers with the turn of a session on a Kedge server. */
import { isObject, textOrEmpty } from '../../../protocol/json.js'
import type { Client, NewSession } from '../../public-client.js'
import { createRefusalResponse, refusalResponseOfError } from '../route-refusals.js'
import { toServerSentEvents } from '../stream-of.js'
import { type ChatTurnRequest, resumeChatTurn, sendChatTurn } from './chat-turn.js'
import type { UiMessageLike } from './known-parts.js'
import type { UiStreamOptions } from './to-ui-message-stream.js'
import type { UiChunk } from './ui-chunks.js'

/** Options of `createChatHandler()`. */
export type ChatHandlerOptions = Pick<UiStreamOptions, 'lostAfterMs' | 'describeError'> & {
  /**
   * Returns the session of a chat, or `undefined` if the caller may not use it: look at the request's cookie or token
   * here, because Kedge's server only knows the token of `client`.
   */
  session: (chatId: string, request: Request) => string | undefined | Promise<string | undefined>
  /** Creates a session that doesn't exist yet with these settings. */
  create?: Omit<NewSession, 'id'>
}

/** Headers of a UI message stream. */
const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache',
  'x-vercel-ai-ui-message-stream': 'v1',
  // nginx would collect the stream.
  'x-accel-buffering': 'no',
}

/**
 * Returns a handler of requests for the addresses that `useChat` calls: `POST …` sends and streams, `GET …/{chat}/stream`
 * resumes, and `DELETE …/{chat}` stops the turn. A stream that the browser ends leaves the turn running.
 */
export function createChatHandler(
  client: Client,
  options: ChatHandlerOptions,
): (request: Request) => Promise<Response> {
  return async (request) => {
    try {
      return await handle(client, options, request)
    } catch (error) {
      return refusalResponseOfError(error, options.describeError)
    }
  }
}

async function handle(
  client: Client,
  { session, create, lostAfterMs, describeError }: ChatHandlerOptions,
  request: Request,
): Promise<Response> {
  const { method, signal } = request
  const body = method === 'POST' ? readChat(await request.json().catch(() => undefined)) : undefined
  if (method === 'POST' && !body) return createRefusalResponse(400, 'The body is not a chat request of the AI SDK.')
  const chatId = body?.chatId ?? chatIn(request.url, method)
  if (chatId === undefined) return createRefusalResponse(404, 'There is no chat at this address.')
  const id = await session(chatId, request)
  if (id === undefined) return createRefusalResponse(403, 'This chat is not yours.')
  if (body) return respond(await sendChatTurn(client, id, body, { create, lostAfterMs, describeError, signal }))
  if (method === 'DELETE') {
    await client.interrupt(id, 'turn', { signal })
    return new Response(null, { status: 204 })
  }
  const stream = await resumeChatTurn(client, id, { lostAfterMs, describeError, signal })
  return stream ? respond(stream) : new Response(null, { status: 204 })
}

function respond(stream: ReadableStream<UiChunk>): Response {
  return new Response(toServerSentEvents(stream, '[DONE]'), { headers: STREAM_HEADERS })
}

/** Returns the chat of `…/{chat}/stream`, or of `…/{chat}`. */
function chatIn(url: string, method: string): string | undefined {
  const names = new URL(url).pathname.split('/')
  if (method === 'GET' && names.pop() !== 'stream') return undefined
  const name = method === 'GET' || method === 'DELETE' ? names.pop() : undefined
  try {
    return name ? decodeURIComponent(name) : undefined
  } catch {
    return undefined
  }
}

function readChat(body: unknown): (ChatTurnRequest & { chatId: string }) | undefined {
  if (!isObject(body)) return undefined
  const { id, messages, trigger, messageId } = body
  if (typeof id !== 'string' || id === '' || !Array.isArray(messages) || !messages.every(isMessage)) return undefined
  return {
    chatId: id,
    messages,
    trigger: trigger === 'regenerate-message' ? trigger : 'submit-message',
    messageId: textOrEmpty(messageId) || undefined,
  }
}

function isMessage(message: unknown): message is UiMessageLike {
  if (!isObject(message) || typeof message['id'] !== 'string' || typeof message['role'] !== 'string') return false
  const { parts } = message
  return Array.isArray(parts) && parts.every((part) => isObject(part) && typeof part['type'] === 'string')
}
