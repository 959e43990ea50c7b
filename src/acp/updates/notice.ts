/** What the user should know and no other kind of update says. */
import type { SessionUpdate } from '@agentclientprotocol/sdk/unstable'
import type { Client } from '../acp-client.js'

export type NoticeSeverity = 'info' | 'warning' | 'error'

/** Without notices it is a thought, so that the answer holds only the answer. */
export function notice(client: Client, severity: NoticeSeverity, title: string, description?: string): SessionUpdate {
  if (client.notices)
    return { sessionUpdate: 'notice', severity, title, ...(description === undefined ? {} : { description }) }
  const text = `${description === undefined ? title : `${title}: ${description}`}\n`
  return {
    sessionUpdate: 'agent_thought_chunk',
    content: { type: 'text', text },
    _meta: { kedge: { notice: { severity, title, ...(description === undefined ? {} : { description }) } } },
  }
}
