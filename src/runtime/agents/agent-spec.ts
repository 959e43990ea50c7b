/** What a sub-agent is to be. */
import type { EnginePorts, HookPort } from '../../engine/ports.js'
import type { AgentDefinition } from '../../protocol/options.js'
import type { PermissionMode } from '../../protocol/permission-types.js'
import type { EarlierMessages } from '../conversation.js'
import type { AgentMcpServers } from './agent-mcp-servers.js'
import type { SubAgentForwarding } from './agent-messages.js'

export type AgentSpec = {
  id: string
  type: string
  definition: AgentDefinition
  toolUseId: string
  /** What it is for, in the words of the call that started it. */
  description?: string | undefined
  /** How far from the main thread; its own agents have 1. */
  depth: number
  /** An alias or id, in place of the definition's. */
  model?: string | undefined
  maxTurns?: number | undefined
  /** Narrows further than the definition; may change while the agent lives. */
  mode?(): PermissionMode | undefined
  /** What it reads while it may only plan. */
  planReminder?(): string
  /** Tools it gets beside those of its type: those of a teammate. */
  alsoTools?: readonly string[]
  /** The servers that its definition brings; whoever opened them closes them. */
  own?: AgentMcpServers | undefined
  /** Continues with these. */
  earlier?: EarlierMessages | undefined
  view: SubAgentForwarding
  /** Its hooks, with what whoever starts it has to say about them. */
  wrapHooks?(hooks: HookPort): HookPort
  /** Messages to hand over while it works. */
  takeFolded?: EnginePorts['takeFolded']
}
