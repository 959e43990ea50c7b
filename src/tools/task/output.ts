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

/** Of a call that started a teammate. */
export type TeammateOutput = {
  status: 'teammate_spawned'
  prompt: string
  teammate_id: string
  agent_id: string
  agent_type: string
  model: string
  name: string
  color: string
  /** Teammates always run inside the session that leads them. */
  tmux_session_name: 'in-process'
  tmux_window_name: 'in-process'
  tmux_pane_id: 'in-process'
  team_name: string
  is_splitpane: false
  plan_mode_required: boolean
}

type AgentUsage = {
  input_tokens: number
  output_tokens: number
  cache_creation_input_tokens: number | null
  cache_read_input_tokens: number | null
  server_tool_use: ServerToolUsage | null
  service_tier: 'standard' | 'priority' | 'batch' | null
  cache_creation: CacheCreation | null
}
