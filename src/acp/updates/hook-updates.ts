/** Hooks as they run, for clients that ask for it, and beside the call they are about. */

import type { SDKHookProgressMessage, SDKHookResponseMessage, SDKHookStartedMessage } from '../../protocol/messages.js'
import type { SessionView } from '../../view/view-state.js'
import type { AcpClientAbilities } from '../acp-client.js'
import type { OutgoingUpdate } from './outgoing.js'
import type { ToolUpdates } from './tool-updates.js'

type HookMessage = SDKHookStartedMessage | SDKHookProgressMessage | SDKHookResponseMessage

export type HookUpdatePorts = { client: AcpClientAbilities; session: string; view: SessionView; tools: ToolUpdates }

export function hookUpdate(
  message: HookMessage,
  { client, session: sessionId, view, tools }: HookUpdatePorts,
): OutgoingUpdate {
  const { subtype, hook_id: id, hook_name: name, hook_event: event } = message
  const ended =
    subtype === 'hook_response' ? { outcome: message.outcome, output: message.output, ...codeOf(message) } : {}
  const hook = { id, name, event, state: subtype.replace('hook_', ''), ...ended }
  if (client.wants.hookEvents) return { method: '_kedge/hook', params: { sessionId, ...hook } }
  const tool = /:(.+)$/.exec(name)?.[1]
  const call = [...view.open.openCalls.values()].findLast((item) => item.name === tool && tools.isShown(item))
  const [update] = call ? tools.note(call, { hook }) : []
  return { sessionId, update: update ?? { sessionUpdate: 'session_info_update', _meta: { kedge: { hook } } } }
}

function codeOf({ exit_code: exitCode }: SDKHookResponseMessage) {
  return exitCode === undefined ? {} : { exitCode }
}
