/** What Task takes and gives back. */
import type { CacheCreation, ServerToolUsage } from '../../protocol/content.js'
import type { PermissionMode } from '../../protocol/permission-types.js'
import type { InputSchema } from '../input-schema.js'
import type { JsonSchema } from '../tool.js'

/** What `Task` takes: work for a sub-agent. */
export interface AgentInput {
  /** Three to five words for whoever watches. */
  description: string
  /** The task, complete: the agent sees nothing else of the conversation. */
  prompt: string
  /** The kind of sub-agent. */
  subagent_type: string
  /** The model it uses; that of its kind, or the session's, if not said. */
  model?: 'sonnet' | 'opus' | 'haiku'
  /** Id of an earlier agent to continue with, its history included. */
  resume?: string
  /** The call returns at once; the agent works on. */
  run_in_background?: boolean
  /** How many answers of the model it may take. */
  max_turns?: number
  /** Makes it a teammate that can be written to. */
  name?: string
  /** The team it joins. */
  team_name?: string
  /** A sub-agent can't delegate; only the main thread can. */
  mode?: Exclude<PermissionMode, 'delegate'>
  /** `worktree`: works in a git worktree of its own. */
  isolation?: 'worktree'
}

const { isolation, ...common } = {
  description: { description: 'Three to five words for the user.', type: 'string' },
  prompt: {
    description: 'The task, complete: the agent sees nothing else of the conversation.',
    type: 'string',
  },
  subagent_type: { description: 'The type of agent to start.', type: 'string' },
  model: {
    description: 'The model to use, such as a smaller one for simple tasks; by default that of its type, or this one.',
    type: 'string',
    enum: ['sonnet', 'opus', 'haiku'],
  },
  resume: { description: 'The id of an earlier agent to continue, with its history.', type: 'string' },
  run_in_background: {
    description: 'Return at once and let the agent work; you are told when it is done.',
    type: 'boolean',
  },
  max_turns: {
    description: 'How many turns the agent may take.',
    type: 'integer',
    exclusiveMinimum: 0,
    maximum: 9007199254740991,
  },
  isolation: {
    description: '"worktree" lets the agent work on a copy of the repository, in a git worktree of its own.',
    type: 'string',
    enum: ['worktree'],
  },
} as const

const teams = {
  name: { description: 'A name, to make the agent a teammate that can be written to.', type: 'string' },
  team_name: { description: 'The team the agent joins; yours if left out.', type: 'string' },
  mode: {
    description: 'The permission mode of the teammate, such as "plan" to see its plan first.',
    type: 'string',
    enum: ['acceptEdits', 'bypassPermissions', 'default', 'dontAsk', 'plan'],
  },
} as const

export const agentInputSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: { ...common, isolation },
  required: ['description', 'prompt', 'subagent_type'],
  additionalProperties: false,
} satisfies InputSchema<Omit<AgentInput, keyof typeof teams>>

/** Where nothing may continue in the background. */
export function withoutBackgroundInput(schema: typeof agentInputSchema): JsonSchema {
  const { run_in_background: _, ...properties } = schema.properties
  return { ...schema, properties }
}

/** Where agents can be teammates. */
export const teamAgentInputSchema = {
  ...agentInputSchema,
  properties: { ...common, ...teams, isolation },
} satisfies InputSchema<AgentInput>

/** What `Task` gives back: the agent's report, or where it will be. */
export type AgentOutput =
  | {
      status: 'completed'
      /** The id of the agent, to continue with it later. */
      agentId: string
      /** The work it was given. */
      prompt: string
      /** Its report. */
      content: {
        type: 'text'
        /** The text. */
        text: string
      }[]
      /** How many tools it called. */
      totalToolUseCount: number
      /** How long it took. */
      totalDurationMs: number
      /** How many tokens it took. */
      totalTokens: number
      /** The same in detail. */
      usage: AgentUsage
    }
  | {
      status: 'async_launched'
      /** The id of the agent, to continue with it later. */
      agentId: string
      /** What it does, in a few words. */
      description: string
      /** The work it was given. */
      prompt: string
      /** Where its output will be. */
      outputFile: string
      /** Whether the model may read that file. */
      canReadOutputFile?: boolean
    }
  | {
      status: 'sub_agent_entered'
      /** What it does, in a few words. */
      description: string
      /** The same as a sentence. */
      message: string
    }

/** Output of a call that started a teammate. */
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
