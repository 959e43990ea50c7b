/** Which sub-agent a call is of, in words: its kind, and what it was started for. */
import type { SDKMessage } from '../../protocol/messages.js'
import type { AskingAgent } from '../../protocol/session-log/ask-types.js'

export class SubAgentCallIndex {
  /** For each call without a result, by its id: the call that started the sub-agent which made it. */
  readonly #starters = new Map<string, string>()
  /** Calls that started agents. An agent may work on long after its call has a result. */
  readonly #askers = new Map<string, AskingAgent>()

  note(message: SDKMessage): void {
    if (message.type === 'assistant') {
      for (const block of message.message.content) {
        if (block.type !== 'tool_use') continue
        if (message.parent_tool_use_id) this.#starters.set(block.id, message.parent_tool_use_id)
        const asker = askerOf(block.input)
        if (asker) this.#askers.set(block.id, asker)
      }
    } else if (message.type === 'user' && Array.isArray(message.message.content)) {
      for (const block of message.message.content)
        if (block.type === 'tool_result') this.#starters.delete(block.tool_use_id)
    }
  }

  of(useId: string): AskingAgent | undefined {
    return this.#askers.get(this.#starters.get(useId) ?? '')
  }
}

function askerOf(input: unknown): AskingAgent | undefined {
  if (typeof input !== 'object' || input === null || !('subagent_type' in input)) return undefined
  const { subagent_type: type, name, description } = input as Record<string, unknown> // each is looked at below
  if (typeof type !== 'string') return undefined
  return {
    type,
    ...(typeof name === 'string' ? { name } : {}),
    job: typeof description === 'string' ? description : '',
  }
}
