/** One model request: passes the stream on block by block, and settles on the whole answer or the failure. */
import type { AssistantMessage, ContentBlock } from '../protocol/content.js'
import type { FallbackSwitchReasons } from './fallbacks.js'
import type { History } from './history.js'
import type { ModelFailure, ToolDefinition } from './model-port.js'
import type { EnginePorts } from './ports.js'
import { type ParsedCall, parseCallBlock } from './read-call.js'

/** `calls`: the tool calls of the message, in its order. */
export type ModelResponse =
  | { ok: true; message: AssistantMessage; calls: ParsedCall[]; streamed: boolean }
  | { ok: false; failure: ModelFailure }

export type RequestInput = {
  history: History
  system: readonly string[]
  tools(): readonly ToolDefinition[]
  partial: boolean
}

export async function requestModelResponse(
  input: RequestInput,
  model: string,
  waiting: FallbackSwitchReasons,
  ports: EnginePorts,
  signal: AbortSignal,
): Promise<ModelResponse> {
  const { history, system, partial } = input
  let kept: ContentBlock[] = []
  let calls: ParsedCall[] = []
  let taken: Set<string> | undefined
  const stream = ports.model.stream(
    {
      model,
      system,
      tools: input.tools(),
      messages: history.messages,
      partial,
      onUsage: (usage) => void ports.emit({ type: 'used', usage }),
      ...waiting,
    },
    signal,
  )
  /** Keeps a block for the conversation and hands out the host's: it may change its messages, but not what the model said. */
  const keep = async (given: ContentBlock): Promise<ContentBlock> => {
    if (given.type !== 'tool_use') {
      kept.push({ ...given })
      return given
    }
    taken ??= callIds(history)
    const block = { ...given, id: freeId(given.id, taken) }
    const { kept: own, shown, read } = await parseCallBlock(block, ports.tools)
    kept.push(own)
    calls.push(read)
    return shown
  }
  for await (const event of stream) {
    if (signal.aborted) break
    switch (event.type) {
      case 'events':
        for (const raw of event.events) {
          const full = ports.emit({ type: 'stream', event: raw })
          if (full) await full
          if (signal.aborted) break
        }
        break
      case 'retry':
        await ports.emit(event)
        break
      case 'block': {
        const shown = await keep(event.block)
        const message = {
          ...event.header,
          content: [shown],
          context_management: event.header.context_management ?? null,
        }
        await ports.emit({ type: 'assistant', message, requestId: event.requestId })
        break
      }
      case 'end': {
        if (!event.outcome.ok) return { ok: false, failure: event.outcome.failure }
        const { message: whole, streamed, requestId } = event.outcome
        if (!streamed) {
          // What was announced block by block is void.
          kept = []
          calls = []
          const content: ContentBlock[] = []
          taken = undefined
          for (const block of whole.content) content.push(await keep(block))
          const message = { ...whole, content, context_management: whole.context_management ?? null }
          await ports.emit({ type: 'assistant', message, requestId })
        }
        const message = { ...whole, content: kept }
        await ports.emit({ type: 'answered', message })
        return { ok: true, message, calls, streamed }
      }
    }
  }
  // Aborted: texts that were shown stay in the conversation; unfinished or unrun parts don't.
  const texts = kept.filter((block) => block.type === 'text')
  if (texts.length > 0) history.addAssistant({ content: texts })
  return { ok: false, failure: { kind: 'unknown', code: 'aborted', text: 'aborted', status: null } }
}

/**
 * Returns the ids of all calls so far: the API rejects a history that contains an id twice, in this and every later
 * request.
 */
function callIds({ messages }: History): Set<string> {
  const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []))
  return new Set(blocks.flatMap((block) => (block.type === 'tool_use' ? block.id : [])))
}

/** The id a model gave, or one made of it; from now on it is taken. */
function freeId(given: string, taken: Set<string>): string {
  const start = given === '' ? 'call' : given
  let id = given === '' ? 'call_1' : given
  for (let n = 2; taken.has(id); n++) id = `${start}_${n}`
  taken.add(id)
  return id
}
