/** A conversation that is summarized: under way, done with its summary, or failed. */
import type { SessionUpdate } from '@agentclientprotocol/sdk/unstable'
import { NOTICE_TEXTS } from '../../protocol/shown/vocabulary.js'
import type { NoticeItem } from '../../view/view-items.js'
import type { AcpClientAbilities } from '../acp-client.js'
import { textContent } from './tool-content.js'

/** Without a capability for it, it's a call. */
export function createCompactionStartUpdate({ compaction }: AcpClientAbilities, item: NoticeItem): SessionUpdate {
  const id = compactionId(item)
  if (compaction) return { sessionUpdate: 'compaction_update', compactionId: id, status: 'in_progress' }
  return {
    sessionUpdate: 'tool_call',
    toolCallId: id,
    title: NOTICE_TEXTS.compacting,
    kind: 'think',
    status: 'in_progress',
  }
}

export function createCompactionEndUpdates({ compaction }: AcpClientAbilities, item: NoticeItem): SessionUpdate[] {
  const id = compactionId(item)
  const { summary, text, level } = item
  const hasFailed = level !== 'mark'
  const status = hasFailed ? 'failed' : 'completed'
  if (!compaction) {
    const said = hasFailed ? text : summary
    const content = said === undefined ? {} : { content: [textContent(said)] }
    return [{ sessionUpdate: 'tool_call_update', toolCallId: id, status, ...content }]
  }
  const end: SessionUpdate = {
    sessionUpdate: 'compaction_update',
    compactionId: id,
    status,
    ...(hasFailed ? { error: text } : {}),
  }
  if (summary === undefined) return [end]
  const content = { type: 'text' as const, text: summary }
  return [{ sessionUpdate: 'compaction_summary_chunk', compactionId: id, content }, end]
}

function compactionId({ key }: NoticeItem): string {
  return `compaction-${key}`
}
