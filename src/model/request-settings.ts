/** What a session asks of each request beyond its text. */
import type { EffortLevel, ThinkingConfig, ThinkingDisplay } from '../protocol/options.js'

/** What may change between two requests of a session. */
export type ModelRequestSettings = {
  /** Absent: the model's default. */
  thinking?: ThinkingConfig
  thinkingDisplay?: ThinkingDisplay
  effort?: EffortLevel
  /** Where the model has it. */
  fast?: boolean
  betas?: readonly string[]
  taskBudget?: number
  maxTokens?: number
}
