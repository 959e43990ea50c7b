/** One model request: passes the stream on block by block, and settles on the whole answer or the failure. */
import type { AssistantMessage, ContentBlock } from '../protocol/content.js'
import type { History } from './history.js'
import type { EnginePorts, ModelFailure, ToolDefinition } from './ports.js'
import { toCall } from './tool-calls.js'

export type Answer = { ok: true; message: AssistantMessage; streamed: boolean } | { ok: false; failure: ModelFailure }

/** Overloaded answers after which another model is tried, if there is one. */
const OVERLOADED_LIMIT = 3

export type RequestInput = {
  history: History
  system: readonly string[]
  tools(): readonly ToolDefinition[]
  partial: boolean
}

export async function requestAnswer(
  input: RequestInput,
  model: string,
  fallbackAvailable: boolean,
  ports: EnginePorts,
  signal: AbortSignal,
): Promise<Answer> {
  const { history, system, partial } = input
  const shown: ContentBlock[] = []
  const stream = ports.model.stream(
    {
      model,
      system,
      tools: input.tools(),
      messages: history.messages,
      partial,
      onUsage: (usage) => void ports.emit({ type: 'used', usage }),
      ...(fallbackAvailable ? { overloadedLimit: OVERLOADED_LIMIT } : {}),
    },
    signal,
  )
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
        const block = await withDefaults(event.block, ports)
        if (isRepeated(block, shown)) break
        shown.push(ownCopy(block))
        const message = {
          ...event.header,
          content: [block],
          context_management: event.header.context_management ?? null,
        }
        await ports.emit({ type: 'assistant', message, requestId: event.requestId })
        break
      }
      case 'end': {
        if (!event.outcome.ok) return { ok: false, failure: event.outcome.failure }
        const { message: whole, streamed, requestId } = event.outcome
        const content = streamed
          ? shown
          : await Promise.all(whole.content.filter(isNew).map((block) => withDefaults(block, ports)))
        const message = { ...whole, content }
        if (!streamed) {
          const copies = { content: content.map(ownCopy), context_management: message.context_management ?? null }
          await ports.emit({ type: 'assistant', message: { ...message, ...copies }, requestId })
        }
        await ports.emit({ type: 'answered', message })
        return { ok: true, message, streamed }
      }
    }
  }
  // Aborted: texts that were shown stay in the conversation; unfinished or unrun parts don't.
  const texts = shown.filter((block) => block.type === 'text')
  if (texts.length > 0) history.addAssistant({ content: texts })
  return { ok: false, failure: { kind: 'unknown', code: 'aborted', text: 'aborted', status: null } }
}

/** A call whose id is taken: the API refuses a history that holds both, so only the first counts. */
function isRepeated(block: ContentBlock, before: readonly ContentBlock[]): boolean {
  return block.type === 'tool_use' && before.some((other) => other.type === 'tool_use' && other.id === block.id)
}

function isNew(block: ContentBlock, index: number, all: readonly ContentBlock[]): boolean {
  return !isRepeated(block, all.slice(0, index))
}

/** What we keep is not what the host gets: it may change its messages, but not what runs or what the model said. */
function ownCopy(block: ContentBlock): ContentBlock {
  return block.type === 'tool_use' ? { ...block, input: structuredClone(block.input) } : { ...block }
}

/** Tool inputs are reported, kept and sent back as the model gave them, with the defaults it left out. */
async function withDefaults(block: ContentBlock, ports: EnginePorts): Promise<ContentBlock> {
  if (block.type !== 'tool_use') return block
  const tool = ports.tools.find(block.name)
  const given = toCall(block).input
  const parsed = tool?.parse(block.input)
  if (!parsed?.ok) return block
  const complete = tool?.prepare ? await tool.prepare(parsed.input) : parsed.input
  const added = Object.entries(complete).filter(([name]) => !Object.hasOwn(given, name))
  return added.length === 0 ? block : { ...block, input: { ...Object.fromEntries(added), ...given } }
}
