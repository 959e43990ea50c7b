/** A compaction as one item: under way, then done with its summary, or failed. */
import type { SDKCompactBoundaryMessage } from '../protocol/messages.js'
import { NOTICE_TEXTS } from '../protocol/shown/vocabulary.js'
import type { NoticeItem } from './view-items.js'
import { noticesOf } from './view-notices.js'
import type { ViewStep } from './view-state.js'

export function compactionStartToView(step: ViewStep): NoticeItem {
  const { open } = step.view
  open.compaction ??= step.notice({ level: 'info', text: NOTICE_TEXTS.compacting, about: 'compaction', isLive: true })
  return open.compaction
}

export function compactionEndToView(step: ViewStep, message: SDKCompactBoundaryMessage): void {
  const item = compactionStartToView(step)
  // As in a transcript, whose mark doesn't say from how many tokens.
  const isBare = !('compact_metadata' in message)
  const [notice] = isBare ? [{ text: NOTICE_TEXTS.compacted }] : noticesOf(message)
  Object.assign(item, { ...notice, level: 'mark', isLive: false, seq: step.seq })
  step.view.open.awaitsSummary = true
  // How many there are now, the next request says.
  step.facts({ contextUsed: 0 })
  step.changed(item)
}

/** Takes the text of the user that follows a compaction: it is the summary. Returns whether it was. */
export function compactionSummaryToView(step: ViewStep, text: string): boolean {
  const { open } = step.view
  if (!open.awaitsSummary || !open.compaction) return false
  const item = open.compaction
  item.summary = text
  open.awaitsSummary = false
  open.compaction = undefined
  step.changed(item)
  return true
}

export function compactionFailureToView(step: ViewStep): void {
  const { open } = step.view
  const item = open.compaction
  open.compaction = undefined
  open.awaitsSummary = false
  if (!item) return
  // Without a summary it's over, too.
  if (item.isLive) Object.assign(item, { level: 'warning', text: NOTICE_TEXTS.notCompacted, isLive: false })
  step.changed(item)
}
