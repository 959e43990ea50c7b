/**
 * Sampling: a server asks a question of the session's model. Only where its configuration says `sampling`, while a call of it is
 * under way, and once permission was given as for a tool. What it costs is the session's, and so is the budget.
 */
import type { ModelOutcome } from '../../engine/ports.js'
import { toNamePart } from '../../mcp/clean-text.js'
import { RpcRefusal } from '../../mcp/rpc.js'
import type { ContentBlockParam, ImageMediaType, MessageParam } from '../../protocol/content.js'
import { isObject, type JsonObject } from '../../protocol/json.js'
import type { Conversation } from '../conversation.js'

const INVALID = -32_602
const FAILED = -32_603
/** As the specification has it: the user said no. */
const REJECTED = -1
const MAX_TOKENS = 64_000
/** As much as the API takes. */
const MAX_IMAGE = 5 * 1024 * 1024
const IMAGE_TYPES: readonly ImageMediaType[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

type Question = { messages: MessageParam[]; system: string[]; maxTokens: number; stopSequences: string[] }

/** No tool can have this name: it has a character that is none of a tool's. */
export function toSamplingPermissionName(server: string): string {
  return `mcp__${toNamePart(server)}__sampling.createMessage`
}

/** Answers an MCP server's request to the model. Rejects with what the server is told. */
export async function answerSampling(
  server: string,
  params: JsonObject,
  conversation: Conversation,
  signal: AbortSignal,
): Promise<JsonObject> {
  // What is wrong anyway is asked of nobody.
  readQuestion(params)
  const allowed = await askPermission(toSamplingPermissionName(server), params, conversation, signal)
  const question = readQuestion(allowed)
  const model = conversation.model.current()
  const { messages, system, maxTokens } = question
  const outcome = await ask({ model, system, messages, maxTokens }, conversation, signal)
  if (!outcome) throw new RpcRefusal(FAILED, 'Canceled.')
  if (!outcome.ok) throw new RpcRefusal(FAILED, outcome.failure.text.split('\n', 1)[0]?.slice(0, 500) ?? '')
  const { content, stop_reason } = outcome.message
  const whole = content.flatMap((block) => (block.type === 'text' ? block.text : [])).join('')
  const { text, isCut } = cutAt(whole, question.stopSequences)
  const stopReason = isCut ? 'stopSequence' : (STOP_REASONS[String(stop_reason)] ?? stop_reason ?? 'endTurn')
  return { role: 'assistant', content: { type: 'text', text }, model: outcome.message.model, stopReason }
}

const STOP_REASONS: Readonly<Record<string, string>> = { end_turn: 'endTurn', max_tokens: 'maxTokens' }

/** What may be asked: the host can have changed it. */
async function askPermission(
  name: string,
  input: JsonObject,
  { ports, shared: { platform } }: Conversation,
  signal: AbortSignal,
): Promise<JsonObject> {
  const { permissions } = ports
  const call = { id: `sampling_${platform.identity.hex(16)}`, name, input }
  const decision = await permissions.decide(call, { kind: 'other' })
  if (decision.behavior === 'allow') return input
  if (decision.behavior === 'deny') throw new RpcRefusal(REJECTED, decision.message)
  const { message, suggestions, decisionReason } = decision
  const question = { call, ...(suggestions ? { suggestions } : {}), ...(decisionReason ? { decisionReason } : {}) }
  const warning = 'An MCP server wants to put this question to your model, at your expense.'
  const answer = await permissions.ask({ ...question, warning }, signal)
  if (answer?.behavior !== 'allow')
    throw new RpcRefusal(REJECTED, answer?.behavior === 'deny' ? answer.message : message)
  if (answer.updates.length > 0) await permissions.apply(answer.updates)
  return answer.input
}

async function ask(
  question: { model: string; system: string[]; messages: MessageParam[]; maxTokens: number },
  { ports }: Conversation,
  signal: AbortSignal,
): Promise<ModelOutcome | undefined> {
  const request = { ...question, tools: [], partial: false, plain: true as const }
  for await (const event of ports.model.stream(request, signal)) {
    if (event.type === 'end') return signal.aborted ? undefined : event.outcome
  }
  return undefined
}

function cutAt(text: string, sequences: readonly string[]): { text: string; isCut: boolean } {
  const ends = sequences.map((one) => text.indexOf(one)).filter((at) => at >= 0)
  return ends.length === 0 ? { text, isCut: false } : { text: text.slice(0, Math.min(...ends)), isCut: true }
}

/** Throws the refusal of what makes no question. Preferences, temperature and context are ours to choose, and left aside. */
function readQuestion({ messages, systemPrompt, maxTokens, stopSequences, tools, toolChoice }: JsonObject): Question {
  if (tools !== undefined || toolChoice !== undefined) throw new RpcRefusal(INVALID, 'There is no sampling with tools.')
  if (typeof maxTokens !== 'number' || !(maxTokens >= 1)) {
    throw new RpcRefusal(INVALID, '`maxTokens` must be a number above zero.')
  }
  if (!Array.isArray(messages) || messages.length === 0) throw new RpcRefusal(INVALID, 'There are no `messages`.')
  const read = messages.map(readMessage)
  if (read[0]?.role !== 'user') throw new RpcRefusal(INVALID, 'The first message must be one of the user.')
  const stops = Array.isArray(stopSequences) ? stopSequences : []
  return {
    messages: read,
    system: typeof systemPrompt === 'string' ? [systemPrompt] : [],
    maxTokens: Math.min(Math.floor(maxTokens), MAX_TOKENS),
    stopSequences: stops.filter((one): one is string => typeof one === 'string' && one !== ''),
  }
}

function readMessage(message: unknown): MessageParam {
  const { role, content } = isObject(message) ? message : {}
  if (role !== 'user' && role !== 'assistant') throw new RpcRefusal(INVALID, 'A message is of `user` or `assistant`.')
  return { role, content: (Array.isArray(content) ? content : [content]).map(readBlock) }
}

function readBlock(block: unknown): ContentBlockParam {
  const { type, text, data, mimeType } = isObject(block) ? block : {}
  if (type === 'text' && typeof text === 'string') return { type, text }
  const media_type = IMAGE_TYPES.find((known) => known === mimeType)
  if (type === 'image' && typeof data === 'string' && data.length <= MAX_IMAGE && media_type) {
    return { type, source: { type: 'base64', data, media_type } }
  }
  throw new RpcRefusal(INVALID, 'Content must be text, or an image that the model can take.')
}
