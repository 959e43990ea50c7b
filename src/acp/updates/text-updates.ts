/** What the model says and thinks, as chunks. */
import type { SessionUpdate } from '@agentclientprotocol/sdk/unstable'
import type { TextItem, ViewChange } from '../../view/view-items.js'

/** Returns the part that hasn't been told yet. Reports redacted thinking without content: that stays with the API. */
export function textUpdates(
  item: TextItem,
  change: ViewChange,
  messageId: string | undefined = item.message,
): SessionUpdate[] {
  const { what } = change
  const text = what === 'added' ? item.text : what === 'grew' || what === 'completed' ? change.piece : ''
  const isRedacted = item.isRedacted === true && what === 'added'
  if (text === '' && !isRedacted) return []
  return [
    {
      sessionUpdate: item.kind === 'text' ? 'agent_message_chunk' : 'agent_thought_chunk',
      content: { type: 'text', text },
      ...(messageId === undefined ? {} : { messageId }),
      ...(isRedacted ? { _meta: { kedge: { redacted: true } } } : {}),
    },
  ]
}
