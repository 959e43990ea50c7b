/** The facts of a session of which nothing is known yet. */
import type { ViewFacts } from './view-items.js'

export const EMPTY_VIEW_FACTS: ViewFacts = {
  cwd: '',
  status: 'idle',
  title: undefined,
  mode: undefined,
  model: undefined,
  effort: undefined,
  archived: false,
  error: undefined,
  hasFailed: false,
  costUsd: 0,
  cacheHitRate: undefined,
  contextUsed: 0,
  contextWindow: 0,
  turnTokens: 0,
  retry: undefined,
  hookStatus: undefined,
  commands: [],
}
