/** Notices for clients that show them, and for others. */
import type { SessionUpdate } from '@agentclientprotocol/sdk/unstable'
import { NOTICE_TEXTS } from '../../protocol/shown/vocabulary.js'
import { noticeText, type ViewNotice } from '../../view/view-notices.js'
import type { AcpClientAbilities } from '../acp-client.js'

/** Without notices it is a thought, so that the answer holds only the answer. */
export function toNoticeUpdate(
  client: AcpClientAbilities,
  { level, text, detail, retryMs }: ViewNotice,
): SessionUpdate {
  const retry = retryMs === undefined ? undefined : NOTICE_TEXTS.retryIn(Math.round(retryMs / 100) / 10)
  const description = [detail, retry].filter((part) => part !== undefined).join('; ') || undefined
  const about = { severity: level, title: text, ...(description === undefined ? {} : { description }) }
  if (client.notices) return { sessionUpdate: 'notice', ...about }
  const whole = noticeText({ level, text, ...(description === undefined ? {} : { detail: description }) })
  return {
    sessionUpdate: 'agent_thought_chunk',
    content: { type: 'text', text: `${whole}\n` },
    _meta: { kedge: { notice: about } },
  }
}
