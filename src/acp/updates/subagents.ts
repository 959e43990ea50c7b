/** Sub-agents as sessions, for clients that show them; a sub-agent's id is that of the call that started it. */
import type { SessionUpdate } from '@agentclientprotocol/sdk/unstable'
import type { OutgoingUpdate } from './outgoing.js'

export class SubagentTracker {
  readonly #session: string
  readonly #isOn: boolean
  /** Each sub-agent's parent: child's id to parent's id. */
  readonly #parents = new Map<string, string>()
  readonly #running = new Set<string>()

  constructor({ session, isOn }: { session: string; isOn: boolean }) {
    this.#session = session
    this.#isOn = isOn
  }

  sessionOf(parent: string | null): string {
    return parent !== null && this.#parents.has(parent) ? parent : this.#session
  }

  starts(call: string, input: Record<string, unknown>, parent: string | null): OutgoingUpdate[] {
    if (!this.#isOn || this.#parents.has(call)) return []
    const starter = this.sessionOf(parent)
    this.#parents.set(call, starter)
    this.#running.add(call)
    const { description, prompt, subagent_type: type } = input
    const update: SessionUpdate = {
      sessionUpdate: 'subagent_update',
      sessionId: call,
      ...(typeof description === 'string' ? { title: description } : {}),
      ...(typeof type === 'string' ? { description: type } : {}),
      capabilities: { cancel: {} },
      state: { state: 'running' },
    }
    return [{ sessionId: starter, update }, ...linked(call, starter, call, String(prompt ?? ''))]
  }

  /** Reports that the sub-agent waits for a user, or continues. */
  waits(call: string, isWaiting: boolean): OutgoingUpdate[] {
    const starter = this.#parents.get(call)
    if (starter === undefined || !this.#running.has(call)) return []
    const state = { state: isWaiting ? ('requires_action' as const) : ('running' as const) }
    return [{ sessionId: starter, update: { sessionUpdate: 'subagent_update', sessionId: call, state } }]
  }

  ends(call: string, reply: string, isDone: boolean): OutgoingUpdate[] {
    const starter = this.#parents.get(call)
    if (starter === undefined || !this.#running.delete(call)) return []
    const stopReason = isDone ? ('end_turn' as const) : ('cancelled' as const)
    const update: SessionUpdate = {
      sessionUpdate: 'subagent_update',
      sessionId: call,
      state: { state: 'idle', stopReason },
    }
    const answer: SessionUpdate = {
      sessionUpdate: 'session_message',
      messageId: `${call}:reply`,
      senderSessionId: call,
      recipientSessionId: starter,
      content: [{ type: 'text', text: reply }],
    }
    const answered = reply === '' ? [] : [{ sessionId: starter, update: answer }]
    return [...answered, { sessionId: starter, update }]
  }
}

/** A message from one session to another, as each of them sees it. */
function linked(id: string, sender: string, recipient: string, text: string): OutgoingUpdate[] {
  const message = {
    sessionUpdate: 'session_message' as const,
    messageId: id,
    senderSessionId: sender,
    recipientSessionId: recipient,
    content: [{ type: 'text' as const, text }],
  }
  return [
    { sessionId: sender, update: { ...message, recipientMessageId: id } },
    { sessionId: recipient, update: { ...message, senderMessageId: id } },
  ]
}
