/** Chunks put together into the parts of a message, as the AI SDK does it. */
import type { UiChunk } from './ui-chunks.js'

/** A part of a message. The fields depend on `type`, as in the AI SDK. */
export type UiPart = { type: string; [field: string]: unknown }

export function partsOfChunks(chunks: readonly UiChunk[]): { parts: UiPart[]; metadata: unknown } {
  const parts: UiPart[] = []
  let metadata: unknown
  const call = (toolCallId: string) => parts.findLast((part) => part['toolCallId'] === toolCallId)
  const text = (id: string) => parts.findLast((part) => part['textId'] === id)
  for (const chunk of chunks) {
    switch (chunk.type) {
      case 'start-step':
        parts.push({ type: 'step-start' })
        break
      case 'reset-step':
        parts.length = parts.findLastIndex(({ type }) => type === 'step-start') + 1
        break
      case 'text-start':
      case 'reasoning-start': {
        const { id, providerMetadata } = chunk
        const type = chunk.type === 'text-start' ? 'text' : 'reasoning'
        const own = type === 'reasoning' ? { id } : {}
        parts.push({ type, ...own, textId: id, text: '', state: 'streaming', providerMetadata })
        break
      }
      case 'text-delta':
      case 'reasoning-delta': {
        const part = text(chunk.id)
        if (part) part['text'] = `${part['text']}${chunk.delta}`
        break
      }
      case 'text-end':
      case 'reasoning-end':
        Object.assign(text(chunk.id) ?? {}, { state: 'done' })
        break
      case 'finish':
        metadata = chunk.messageMetadata
        break
      default:
        if (chunk.type.startsWith('data-')) addData(parts, chunk)
        else changeCall(parts, chunk, call)
    }
  }
  // Only while it's put together.
  for (const part of parts) delete part['textId']
  return { parts, metadata }
}

function addData(parts: UiPart[], chunk: UiChunk): void {
  if (!('data' in chunk) || chunk.transient) return
  const { type, id, data } = chunk
  const known = id === undefined ? undefined : parts.find((part) => part.type === type && part['id'] === id)
  if (known) known['data'] = data
  else parts.push({ type, id, data })
}

function changeCall(parts: UiPart[], chunk: UiChunk, find: (toolCallId: string) => UiPart | undefined): void {
  switch (chunk.type) {
    case 'tool-input-start':
    case 'tool-input-available': {
      const { toolCallId, toolName, providerExecuted } = chunk
      const input = 'input' in chunk ? chunk.input : undefined
      const state = 'input' in chunk ? 'input-available' : 'input-streaming'
      const executed = providerExecuted === undefined ? {} : { providerExecuted }
      const part = find(toolCallId)
      if (part) Object.assign(part, { state, input }, executed)
      else parts.push({ type: 'dynamic-tool', toolName, toolCallId, state, input, ...executed })
      return
    }
    case 'tool-approval-request': {
      const { approvalId: id, reason, approvalDescriptor: descriptor } = chunk
      const approval = { id, ...(descriptor ? { descriptor } : {}), ...(reason ? { requestReason: reason } : {}) }
      Object.assign(find(chunk.toolCallId) ?? {}, { state: 'approval-requested', approval })
      return
    }
    case 'tool-approval-response': {
      const { approvalId: id, approved, reason } = chunk
      const isIt = ({ approval }: UiPart) => typeof approval === 'object' && approval !== null && idOf(approval) === id
      const part = parts.find(isIt)
      if (!part) return
      const approval = { ...Object(part['approval']), approved, ...(reason ? { reason } : {}) }
      Object.assign(part, { state: 'approval-responded', approval })
      return
    }
    case 'tool-output-available':
      Object.assign(find(chunk.toolCallId) ?? {}, { state: 'output-available', output: chunk.output })
      return
    case 'tool-output-error':
      Object.assign(find(chunk.toolCallId) ?? {}, { state: 'output-error', errorText: chunk.errorText })
      return
    case 'tool-output-denied':
      Object.assign(find(chunk.toolCallId) ?? {}, { state: 'output-denied' })
  }
}

const idOf = (approval: object): unknown => ('id' in approval ? approval.id : undefined)
