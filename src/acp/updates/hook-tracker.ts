/** Hooks as they run: those that failed or blocked something are reported; the rest is for clients that ask for it. */
import { noticesOf } from '../../hub/view/view-notices.js'
import type { SDKHookProgressMessage, SDKHookResponseMessage, SDKHookStartedMessage } from '../../protocol/messages.js'
import type { AcpClientAbilities } from '../acp-client.js'
import { notice } from './notice.js'
import type { OutgoingUpdate } from './outgoing.js'
import type { ToolTracker } from './tool-tracker.js'

type HookMessage = SDKHookStartedMessage | SDKHookProgressMessage | SDKHookResponseMessage

export class HookTracker {
  readonly #client: AcpClientAbilities
  readonly #session: string

  constructor(client: AcpClientAbilities, session: string) {
    this.#client = client
    this.#session = session
  }

  take(message: HookMessage, tools: ToolTracker): OutgoingUpdate[] {
    const { subtype, hook_id: id, hook_name: name, hook_event: event } = message
    const ended =
      subtype === 'hook_response' ? { outcome: message.outcome, output: message.output, ...codeOf(message) } : {}
    const hook = { id, name, event, state: subtype.replace('hook_', ''), ...ended }
    const sessionId = this.#session
    const told = noticesOf(message).map((one) => ({ sessionId, update: notice(this.#client, one) }))
    if (this.#client.wants.hookEvents) return [...told, { method: '_kedge/hook', params: { sessionId, ...hook } }]
    const call = tools.latest(/:(.+)$/.exec(name)?.[1])
    const updates = call === undefined ? [] : tools.note(call, { hook })
    const update = updates[0] ?? { sessionUpdate: 'session_info_update' as const, _meta: { kedge: { hook } } }
    return [...told, { sessionId, update }]
  }
}

function codeOf({ exit_code: exitCode }: SDKHookResponseMessage) {
  return exitCode === undefined ? {} : { exitCode }
}
