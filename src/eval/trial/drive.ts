/** One prompt of a trial: how it is given to an agent, and what it led to. */
import type { Options } from '../../protocol/options.js'
import type { EvalVariant } from '../run/eval-variant.js'
import type { EvalAnswer, EvalInterface } from '../task/eval-task.js'

/** What one prompt led to. */
export type AgentPromptResult = {
  exitCode: number
  /** The answer as a user reads it. */
  printed: string
  /** All of stdout and stderr, for processes. */
  output: string
  complaints: string
  /** To resume in the library; processes use `--continue`. */
  sessionId?: string
  error?: string
}

export type AgentPromptInput = {
  prompt: string
  options: Options
  interface: EvalInterface
  variant: EvalVariant
  signal: AbortSignal
  /** Whether the session of the prompt before is resumed, and in the library, which. */
  resumes: boolean
  sessionId: string | undefined
  answers: EvalAnswer[]
}
