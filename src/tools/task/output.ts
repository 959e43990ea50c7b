/** What Task gives back to hosts. */
import type { CacheCreation, ServerToolUsage } from '../../protocol/content.js'

export type AgentOutput =
  | {
      status: 'completed'
      agentId: string
      prompt: string
      content: { type: 'text'; text: string }[]
      totalToolUseCount: number
      totalDurationMs: number
      totalTokens: number
      usage: AgentUsage
    }
  | {
      status: 'async_launched'
      agentId: string
      description: string
      prompt: string
      /** Where its output will be. */
      outputFile: string
      canReadOutputFile?: boolean
    }
  | { status: 'sub_agent_entered'; description: string; message: string }

type AgentUsage = {
  input_tokens: number
  output_tokens: number
  cache_creation_input_tokens: number | null
  cache_read_input_tokens: number | null
  server_tool_use: ServerToolUsage | null
  service_tier: 'standard' | 'priority' | 'batch' | null
  cache_creation: CacheCreation | null
}
