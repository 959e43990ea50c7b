/** What a chat sends: a prompt, answers, or the wish to have a prompt answered again. */
import { newId } from '../../new-id.js'
import type { AskAnswer, Attachment, Client, ClientSession, NewSession } from '../../public-client.js'
import { NotFoundError } from '../../public-client.js'
import { answerOfPageOutput, approvalAnswer, MCP_FORM_CALL_NAME, toolCallOfRequest } from '../call-content.js'
import { createInvalidRequestError, sendFirstPrompt } from '../first-prompt.js'
import { isSameOrResentPrompt } from '../turn-reader.js'
import { type ToolPartLike, toolPartOf, type UiMessageLike } from './known-parts.js'
import { toUIMessageStream, type UiStreamOptions } from './to-ui-message-stream.js'
import type { UiChunk } from './ui-chunks.js'

export type ChatTurnRequest = {
  messages: readonly UiMessageLike[]
  trigger: 'submit-message' | 'regenerate-message'
  /** The message that was edited, or is answered again. */
  messageId?: string | undefined
}

export type ChatTurnOptions = Pick<UiStreamOptions, 'signal' | 'lostAfterMs' | 'describeError'> & {
  /** For a session that doesn't exist. */
  create?: Omit<NewSession, 'id'> | undefined
}

/** Sends what the chat has to say, and returns the stream of the turn. */
export async function sendChatTurn(
  client: Client,
  id: string,
  { messages, trigger, messageId }: ChatTurnRequest,
  { create, ...options }: ChatTurnOptions,
): Promise<ReadableStream<UiChunk>> {
  const session = client.session(id)
  const user = messages.findLast(({ role }) => role === 'user')
  const last = messages.at(-1)
  if (last?.role === 'assistant') {
    const answered = await sendAnswers(client, session, last)
    const prompt = user ? { prompt: user.id } : {}
    return toUIMessageStream(session, { ...options, ...prompt, answered, message: last })
  }
  if (!user) throw createInvalidRequestError('The chat has no message of a user.', 'Send a message.')
  const isAgain = trigger === 'regenerate-message' || messageId === user.id
  const prompt = { id: isAgain ? await rewindTo(session, user.id) : user.id, ...contentOf(user) }
  const since = await sendFirstPrompt(client, id, prompt, { create, signal: options.signal })
  return toUIMessageStream(session, { ...options, prompt: prompt.id, since })
}

/** Returns the stream of the turn that is under way, from its beginning; `undefined` if there is none. */
export async function resumeChatTurn(
  client: Client,
  id: string,
  options: Pick<UiStreamOptions, 'signal' | 'lostAfterMs' | 'describeError'>,
): Promise<ReadableStream<UiChunk> | undefined> {
  const session = client.session(id)
  const info = await session.info(options).catch((error: unknown) => {
    // A chat without messages has no session yet.
    if (error instanceof NotFoundError) return undefined
    throw error
  })
  if (info?.status !== 'running' && info?.status !== 'needs-you') return undefined
  return toUIMessageStream(session, { ...options, since: info.seq })
}

/** Gives the answers that the message has for open requests. Returns the ids of these requests. */
async function sendAnswers(client: Client, session: ClientSession, message: UiMessageLike): Promise<string[]> {
  const parts = message.parts.flatMap((part) => toolPartOf(part) ?? [])
  const answered: string[] = []
  for (const ask of await client.asks({ session: session.id })) {
    const { toolCallId } = toolCallOfRequest(ask)
    const part = parts.find((one) => one.approval?.id === ask.id || one.toolCallId === toolCallId)
    const answer = part && answerIn(part, (isAllowed, words) => approvalAnswer(ask, isAllowed, words))
    const given = answer ?? (part?.state === 'output-available' ? answerOfPageOutput(ask, part.output) : undefined)
    if (!given) continue
    // Another user can have been first: the stream shows which answer counts.
    await session.answer(ask, given)
    answered.push(ask.id)
  }
  return answered
}

function answerIn(
  { state, approval, errorText, toolName }: ToolPartLike,
  decide: (isAllowed: boolean, words: string) => AskAnswer,
): AskAnswer | undefined {
  if (state === 'approval-responded' && approval?.approved !== undefined)
    return decide(approval.approved, approval.reason)
  const isOfUser = toolName === MCP_FORM_CALL_NAME || !approval
  return state === 'output-error' && isOfUser ? decide(false, errorText) : undefined
}

/** Takes the conversation back to before the prompt, and returns the id of the one that takes its place. */
async function rewindTo(session: ClientSession, prompt: string): Promise<string> {
  const { seq } = await session.info()
  const { items } = await session.view().until((value) => value.seq >= seq)
  const sent = items.filter((item) => item.kind === 'prompt' && isSameOrResentPrompt(item.id, prompt))
  const last = sent.at(-1)
  if (last?.kind !== 'prompt') return prompt
  if (last.message !== undefined) await session.rewindConversation({ message: last.message })
  return `${prompt}~${Date.now()}`
}

function contentOf({ parts }: UiMessageLike): { content: string; attachments?: Attachment[] } {
  const texts: string[] = []
  const attachments: Attachment[] = []
  for (const part of parts) {
    if (part.type === 'text' && 'text' in part) texts.push(String(part.text))
    if (part.type === 'file' && 'url' in part) attachments.push(attachmentOf(part))
  }
  // A prompt isn't empty: files alone are named.
  const content = texts.join('\n') || attachments.map(({ name }) => name).join('\n')
  if (content === '') throw createInvalidRequestError('The message has no text.', 'Write a text, or attach a file.')
  return { content, ...(attachments.length > 0 ? { attachments } : {}) }
}

function attachmentOf(part: { url?: unknown; filename?: unknown }): Attachment {
  const [, mediaType, data] = /^data:([^;,]+);base64,(.*)$/s.exec(String(part.url)) ?? []
  if (mediaType === undefined || data === undefined)
    throw createInvalidRequestError(
      'The file is an address, not its content.',
      'Attach files as data: URLs, as useChat does.',
    )
  const name = typeof part.filename === 'string' && part.filename !== '' ? part.filename : `file-${newId().slice(0, 8)}`
  return { name, mediaType, data }
}
