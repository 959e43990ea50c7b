/**
 * Sampling: a server asks a question of the session's model. Only where its configuration says `sampling`, while a call of it is
 * under way, and once permission was given as for a tool. What it costs is the session's, and so is the budget.
 */
import type { ModelOutcome } from '../../engine/ports.js'
import { toNamePart } from '../../mcp/clean-text.js'
import { RpcRefusal } from '../../mcp/rpc.js'
import type { JsonObject } from '../../protocol/json.js'
import type { Conversation } from '../conversation.js'
import { readSamplingQuestion, type SamplingQuestion, toolUsesOf } from './sampling-question.js'

const FAILED = -32_603
/** As the specification has it: the user said no. */
const REJECTED = -1
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
  readSamplingQuestion(params)
  const allowed = await askPermission(toSamplingPermissionName(server), params, conversation, signal)
  const { stopSequences, ...question } = readSamplingQuestion(allowed)
  const outcome = await ask({ model: conversation.model.current(), ...question }, conversation, signal)
  if (!outcome) throw new RpcRefusal(FAILED, 'Canceled.')
  if (!outcome.ok) throw new RpcRefusal(FAILED, outcome.failure.text.split('\n', 1)[0]?.slice(0, 500) ?? '')
  const { content, stop_reason } = outcome.message
  const whole = content.flatMap((block) => (block.type === 'text' ? block.text : [])).join('')
  const { text, isCut } = cutAt(whole, stopSequences)
  const stopReason = isCut ? 'stopSequence' : (STOP_REASONS[String(stop_reason)] ?? stop_reason ?? 'endTurn')
  const calls = isCut ? [] : toolUsesOf(content)
  const said = { type: 'text', text }
  const answer = calls.length === 0 ? said : [...(text === '' ? [] : [said]), ...calls]
  return { role: 'assistant', content: answer, model: outcome.message.model, stopReason }
}

const STOP_REASONS: Readonly<Record<string, string>> = {
  end_turn: 'endTurn',
  max_tokens: 'maxTokens',
  tool_use: 'toolUse',
}

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
  question: Omit<SamplingQuestion, 'stopSequences'> & { model: string },
  { ports }: Conversation,
  signal: AbortSignal,
): Promise<ModelOutcome | undefined> {
  const request = { ...question, partial: false, plain: true as const }
  for await (const event of ports.model.stream(request, signal)) {
    if (event.type === 'end') return signal.aborted ? undefined : event.outcome
  }
  return undefined
}

function cutAt(text: string, sequences: readonly string[]): { text: string; isCut: boolean } {
  const ends = sequences.map((one) => text.indexOf(one)).filter((at) => at >= 0)
  return ends.length === 0 ? { text, isCut: false } : { text: text.slice(0, Math.min(...ends)), isCut: true }
}
