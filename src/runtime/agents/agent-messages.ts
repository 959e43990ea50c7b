/** What a host sees of a sub-agent: its tool calls and their results, under the id of the call that started it. */
import type { SDKMessage } from '../../protocol/messages.js'

export type SubAgentForwarding = {
  /** The call that started the agent. */
  toolUseId: string
  /** Whether its calls are shown at all; those of agents in the background are not. */
  isShown(): boolean
  /** The host wants its words, too. */
  forwardsText: boolean
  /** It calls a tool, its `count`-th. */
  onCall?(name: string, count: number): void
}

/** Returns the names of the tools that a message calls. */
export function listCalledToolNames(message: SDKMessage): string[] {
  if (message.type !== 'assistant') return []
  return message.message.content.flatMap((block) => (block.type === 'tool_use' ? block.name : []))
}

/** Notices that concern the host whoever caused them. */
const PASSED: readonly string[] = ['api_retry', 'model_fallback', 'permission_denied', 'informational']

/** Returns a sub-agent's message as the host receives it. Undefined: not for the host. */
export function toHostAgentMessage(message: SDKMessage, view: SubAgentForwarding): SDKMessage | undefined {
  const parent_tool_use_id = view.toolUseId
  const isShown = view.forwardsText || view.isShown()
  switch (message.type) {
    case 'assistant': {
      if (!isShown || !(view.forwardsText || message.message.content.some(({ type }) => type === 'tool_use'))) return
      return { ...message, parent_tool_use_id }
    }
    case 'user': {
      if (!isShown) return undefined
      // As observed: only the text that the agent's model reads, not the structured result.
      const { tool_use_result: _, ...rest } = message
      return { ...rest, parent_tool_use_id }
    }
    case 'stream_event':
      return view.forwardsText ? { ...message, parent_tool_use_id } : undefined
    case 'tool_progress':
      return isShown ? { ...message, parent_tool_use_id } : undefined
    case 'system':
      return PASSED.includes(message.subtype) ? ofAgent(message, parent_tool_use_id) : undefined
    default:
      return undefined
  }
}

/** Notes that name a place in the conversation name that of the agent. */
function ofAgent(message: SDKMessage, parent: string): SDKMessage {
  if (message.type !== 'system' || message.subtype !== 'informational') return message
  const { details } = message
  return details?.['parent_tool_use_id'] === null
    ? { ...message, details: { ...details, parent_tool_use_id: parent } }
    : message
}
