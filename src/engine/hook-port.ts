/** Hooks as the loop sees them: one function for each moment they may speak, and what their answers mean for the turn. */
import type { EngineCall, ToolOutcome } from './tool-port.js'

export type PreToolVerdict = {
  /** `defer`: the turn ends with the call left open, and whoever resumes it decides again. */
  decision?: 'allow' | 'deny' | 'ask' | 'defer'
  reason?: string
  input?: Record<string, unknown>
  context: string[]
  /** The reason of a denial is repeated beside the result. */
  repeatReason?: boolean
  /** `continue: false`: the turn ends here and the tool does not run. */
  stop?: { reason?: string }
}
export type PostToolVerdict = {
  context: string[]
  stop?: { reason?: string }
  /** What the model reads instead of the tool's own result: a text, content blocks, or anything JSON can say. */
  output?: unknown
}
export type StopVerdict = { block?: string; prevent?: boolean }

export interface HookPort {
  preTool(call: EngineCall, signal: AbortSignal): Promise<PreToolVerdict>
  /** `durationMs`: of the tool alone, without hooks and questions. */
  postTool(
    call: EngineCall,
    outcome: ToolOutcome,
    interrupted: boolean,
    signal: AbortSignal,
    durationMs?: number,
  ): Promise<PostToolVerdict>
  /** After all calls of one answer. */
  postBatch(calls: readonly { call: EngineCall; output: unknown }[], signal: AbortSignal): Promise<PostToolVerdict>
  /** Before the turn ends well. `block` is feedback for the model; the turn continues. */
  stop(active: boolean, lastText: string, signal: AbortSignal): Promise<StopVerdict>
}
