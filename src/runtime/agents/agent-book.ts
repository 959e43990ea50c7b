/** Which sub-agents a session has: those at work, and those that can be asked again. */
import type { Agent, AgentSpec } from './sub-agent.js'

export type AgentBook = {
  running: Map<string, Agent>
  /** What each was, and, where that is not written down, what it knew. */
  past: Map<string, Pick<AgentSpec, 'type' | 'earlier'>>
}

export function createAgentBook(): AgentBook {
  return { running: new Map(), past: new Map() }
}
