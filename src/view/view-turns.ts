/** The end of a turn: its cost, its outcome, and the error that hasn't been said yet. */

import type { SDKResultMessage } from '../protocol/messages.js'
import { turnOutcome } from '../protocol/session-log/turn-outcome.js'
import { userFailureText } from '../protocol/shown/fix-words.js'
import type { TurnItem, ViewFacts } from './view-items.js'
import type { ViewStep } from './view-state.js'

export function turnEndToView(step: ViewStep, result: SDKResultMessage): void {
  const { seq, at, view } = step
  const { open } = view
  const total = result.total_cost_usd
  // A process that began anew counts from nothing.
  const costUsd = Math.max(0, total >= open.costBefore ? total - open.costBefore : total)
  open.costBefore = total
  const windows = Object.values(result.modelUsage).map(({ contextWindow }) => contextWindow)
  const outcome = turnOutcome(result)
  step.facts({
    costUsd: result.session_total_cost_usd ?? total,
    cacheHitRate: result.cache_hit_rate,
    // A slash command asks no model.
    contextWindow: Math.max(0, ...windows) || view.facts.contextWindow,
    hasFailed: outcome === 'failed',
    retry: undefined,
    hookStatus: undefined,
  })
  const isSaid = open.error !== undefined && result.is_error
  if (open.error && isSaid && result.error_fix) {
    open.error.fix = result.error_fix
    step.changed(open.error)
  }
  const item: TurnItem = {
    kind: 'turn',
    key: step.newKey(),
    parent: '',
    seq,
    at,
    result,
    outcome,
    costUsd,
    waitedMs: open.waitedMs,
    problem: outcome === 'failed' && !isSaid ? turnFailureText(result) : undefined,
    answer: outcome === 'done' && !open.hasSpoken && 'result' in result ? result.result || undefined : undefined,
  }
  step.add(item)
  // The end of a task has been passed on by then.
  if (open.keeps === 'open') view.tasks = view.tasks.filter(({ status }) => status === 'running')
  open.waitedMs = 0
  open.error = undefined
  open.hasSpoken = false
}

/** Whether a turn is under way, also while it waits for a user. */
export function isTurnUnderWay({ status }: Pick<ViewFacts, 'status'>): boolean {
  return status === 'running' || status === 'needs-you'
}

/** Why a turn failed, in the words of whoever says so. */
export function turnFailureText(result: SDKResultMessage): string {
  return userFailureText('errors' in result ? result.errors.join('\n') : result.result) || result.subtype
}
