/** What a UI message has of a turn already, so that a stream continues it. */
import { isObject, textOrEmpty } from '../../../protocol/json.js'
import { isUserQuestionTool } from '../call-content.js'
import { callKey, type KnownItem, requestKey } from '../turn-events.js'

/** A message of the AI SDK, as far as it is read. */
export type UiMessageLike = { id: string; role: string; parts: readonly { type: string }[] }

export type KnownUiTurnContent = {
  items: ReadonlyMap<string, KnownItem>
  calls: ReadonlySet<string>
  approvals: ReadonlySet<string>
}

/** A tool part, as far as it is read. `toolName` of a static part is in its type. */
export type ToolPartLike = {
  toolCallId: string
  toolName: string
  state: string
  output: unknown
  errorText: string
  providerExecuted: boolean
  approval: { id: string; approved: boolean | undefined; reason: string } | undefined
}

export function knownTurnContentInParts({ parts }: UiMessageLike): KnownUiTurnContent {
  const items = new Map<string, KnownItem>()
  const approvals = new Set<string>()
  const calls = new Set<string>()
  for (const part of parts) {
    const text = textPartOf(part)
    if (text) {
      const { length = 0 } = items.get(text.key) ?? {}
      items.set(text.key, { length: length + text.length, isOver: true })
    }
    const call = toolPartOf(part)
    if (!call) continue
    calls.add(call.toolCallId)
    // What the session has of an answer is the truth: another user may have been first.
    const isOver = call.state.startsWith('output-') && !isUserQuestionTool(call.toolName)
    items.set(callKey(call.toolCallId), { isCalled: call.state !== 'input-streaming', isOver })
    if (!call.approval) continue
    approvals.add(call.approval.id)
    items.set(requestKey(call.approval.id), { isOver })
  }
  return { items, calls, approvals }
}

function textPartOf(part: { type: string }): { key: string; length: number } | undefined {
  if (part.type !== 'text' && part.type !== 'reasoning') return undefined
  if (!('text' in part) || !('providerMetadata' in part) || !isObject(part.providerMetadata)) return undefined
  const { kedge } = part.providerMetadata
  const key = isObject(kedge) ? textOrEmpty(kedge['key']) : ''
  return key === '' ? undefined : { key, length: textOrEmpty(part.text).length }
}

/** Returns the part as a tool part; undefined if it's another one. */
export function toolPartOf(part: { type: string }): ToolPartLike | undefined {
  const { type } = part
  if (type !== 'dynamic-tool' && !type.startsWith('tool-')) return undefined
  const fields: Record<string, unknown> = { ...part }
  const toolCallId = textOrEmpty(fields['toolCallId'])
  if (toolCallId === '') return undefined
  const { approval } = fields
  return {
    toolCallId,
    toolName: type === 'dynamic-tool' ? textOrEmpty(fields['toolName']) : type.slice('tool-'.length),
    state: textOrEmpty(fields['state']),
    output: fields['output'],
    errorText: textOrEmpty(fields['errorText']),
    providerExecuted: fields['providerExecuted'] === true,
    approval: isObject(approval)
      ? {
          id: textOrEmpty(approval['id']),
          approved: typeof approval['approved'] === 'boolean' ? approval['approved'] : undefined,
          reason: textOrEmpty(approval['reason']),
        }
      : undefined,
  }
}
