/** The spans of what the model is asked: one per answer, one per attempt that failed. */
import type { AssistantMessage } from '../../protocol/content.js'
import type { SDKMessage } from '../../protocol/messages.js'
import type { AccountInfo } from '../../protocol/options.js'
import type { TraceSpan } from '../../protocol/tracing.js'
import * as names from './gen-ai-names.js'
import type { SpanAttributes, SpanList } from './span-list.js'

/** By the call of the agent that asks, null for the main thread. */
type Asker = string | null
type Answer = { id: string; span: TraceSpan | undefined; lastAt: number; error?: string }

const CALLS_OTHERS = 2
/** Model name in a message that the agent wrote instead of a response. */
const NO_MODEL = '<synthetic>'

export function createModelRequestSpans(
  { start, finish }: SpanList,
  words: names.AttributeNames,
  placeOf: (agent: Asker) => TraceSpan | undefined,
) {
  /** The answer that is being given, and when something came before it. */
  const answers = new Map<Asker, Answer>()
  const before = new Map<Asker, number>()
  let cloud: AccountInfo['apiProvider']
  /** As the session asks for it; an answer may call it otherwise. */
  let model = ''

  const startChat = (asked: string, agent: Asker, attributes: SpanAttributes, startTime: number | undefined) => {
    const about = {
      [names.OPERATION_ATTRIBUTE]: 'chat',
      [names.REQUEST_MODEL_ATTRIBUTE]: asked,
      [names.PROVIDER_ATTRIBUTE]: names.telemetryProviderName(asked, cloud),
    }
    const place = { parent: placeOf(agent), startTime, kind: CALLS_OTHERS }
    return start(`chat ${asked}`, { attributes: { ...about, ...attributes }, ...place })
  }
  const end = (agent: Asker) => {
    const answer = answers.get(agent)
    // Where its stream is not seen it ended with what was last seen of it: what came since are tools.
    finish(answer?.span, { endTime: answer?.lastAt, error: answer?.error })
    answers.delete(agent)
    before.set(agent, Date.now())
  }
  const answerOf = (agent: Asker, { id, model: own, usage }: AssistantMessage) => {
    const open = answers.get(agent)
    if (open?.id === id) return open
    const since = before.get(agent)
    end(agent)
    const isAnswer = own !== NO_MODEL
    const about = {
      [names.RESPONSE_MODEL_ATTRIBUTE]: own,
      [names.RESPONSE_ID_ATTRIBUTE]: id,
      ...names.inputTokenAttributes(usage, words),
    }
    // What a service calls its model says nothing about the service.
    const asked = model.includes('/') || !isAnswer ? model : own
    const answer: Answer = { id, span: startChat(asked, agent, isAnswer ? about : {}, since), lastAt: Date.now() }
    answers.set(agent, answer)
    return answer
  }
  const complete = (span: TraceSpan | undefined, tokens: number | undefined, reason: string | null) => {
    if (tokens !== undefined) span?.setAttribute(names.OUTPUT_TOKENS_ATTRIBUTE, tokens)
    if (reason) span?.setAttribute(names.FINISH_REASONS_ATTRIBUTE, [reason])
  }

  return {
    end,
    /** `error`: what the turn failed with, which says more than a message in the place of an answer. */
    endAll(error: string | undefined): void {
      for (const [agent, answer] of [...answers]) {
        if (answer.error !== undefined && error !== undefined) answer.error = error
        end(agent)
      }
    },
    /** From now on the model is asked, or will be when the turn comes to it. */
    waits: (agent: Asker) => void before.set(agent, Date.now()),
    forget: (agent: Asker) => void before.delete(agent),
    asks(named: string | undefined): void {
      model = named ?? ''
    },
    served(by: AccountInfo['apiProvider']): void {
      cloud = by
    },
    stream({ event, parent_tool_use_id: agent }: SDKMessage & { type: 'stream_event' }): void {
      if (event.type === 'message_start') {
        const since = before.get(agent)
        const { span, lastAt } = answerOf(agent, event.message)
        if (since !== undefined) span?.setAttribute(names.FIRST_CHUNK_ATTRIBUTE, Math.max(0, lastAt - since) / 1000)
      }
      if (event.type === 'message_delta')
        complete(answers.get(agent)?.span, event.usage.output_tokens, event.delta.stop_reason)
      if (event.type !== 'message_stop') return
      // It stays known: its last block may be told after its end.
      finish(answers.get(agent)?.span)
      before.set(agent, Date.now())
    },
    assistant({ message, parent_tool_use_id: agent, error }: SDKMessage & { type: 'assistant' }): void {
      const answer = answerOf(agent, message)
      answer.lastAt = Date.now()
      if (error) answer.error = error
      // A whole answer, which had no stream: in parts of one the number is that of its beginning.
      else if (message.stop_reason !== null) complete(answer.span, message.usage.output_tokens, message.stop_reason)
    },
    /** `isMain`: otherwise a sub-agent asked; which, and since when, is not said. */
    failed(message: SDKMessage & { type: 'system'; subtype: 'api_retry' }, isMain: boolean): void {
      const { attempt, retry_delay_ms: delay, error_status: status, error } = message
      const now = Date.now()
      const attributes = {
        'kedge.retry.attempt': attempt,
        'kedge.retry.delay_ms': delay,
        ...(status === null ? {} : { 'http.response.status_code': status }),
      }
      finish(startChat(model, null, attributes, isMain ? before.get(null) : now), { error })
      if (isMain) before.set(null, now + delay)
    },
  }
}
