/** A trial as a trajectory in ATIF, the interchange format of agent evaluations: one step per message. */
import { isObject, type JsonObject, textOrEmpty } from '../../protocol/json.js'
import type { RequestSpending, TrialEvent } from './trial-events.js'

export const ATIF_VERSION = 'ATIF-v1.6'

/** A tool call in ATIF. */
export type TrajectoryCall = {
  /** The call's id. */
  tool_call_id: string
  /** The tool. */
  function_name: string
  /** Its input. */
  arguments: Record<string, unknown>
}

/** A tool result in ATIF. */
export type TrajectoryResult = {
  /** The call it belongs to. */
  source_call_id: string
  /** The text that the model read. */
  content: string
  /** Whether it is an error, if so. */
  extra?: {
    /** Always true where it is set. */
    is_error: boolean
  }
}

/** One step in ATIF: what the user said, or what the agent said and what came of its calls. */
export type TrajectoryStep = {
  /** Counts from 1. */
  step_id: number
  /** When, as ISO 8601. */
  timestamp: string
  /** The author of the step. */
  source: 'user' | 'agent' | 'system'
  /** The text. */
  message: string
  /** The model that answered. */
  model_name?: string
  /** What it thought. */
  reasoning_content?: string
  /** The tools it called. */
  tool_calls?: TrajectoryCall[]
  /** What came of the calls. */
  observation?: {
    /** One per call. */
    results: TrajectoryResult[]
  }
  /** What the request used. */
  metrics?: TrajectoryMetrics
}

/** The tokens and dollars of a step. */
export type TrajectoryMetrics = {
  /** All tokens that went in, from the cache or not. */
  prompt_tokens: number
  /** Tokens that came out. */
  completion_tokens: number
  /** Tokens that came from the cache. */
  cached_tokens: number
  /** Dollars at list price. */
  cost_usd?: number
}

/** A whole trial in ATIF. */
export type Trajectory = {
  /** `ATIF-v1.6`. */
  schema_version: string
  /** The trial. */
  session_id: string
  /** The agent under test. */
  agent: {
    /** The agent. */
    name: string
    /** Its version. */
    version: string
    /** The model. */
    model_name?: string
  }
  /** What happened, in order. */
  steps: TrajectoryStep[]
  /** The sums. */
  final_metrics?: {
    /** All tokens that went in. */
    total_prompt_tokens: number
    /** Tokens that came out. */
    total_completion_tokens: number
    /** Tokens that came from the cache. */
    total_cached_tokens: number
    /** Dollars at list price. */
    total_cost_usd: number
    /** Steps of the main conversation. */
    total_steps: number
  }
  /** Sub-agents' conversations, each a trajectory. */
  extra?: {
    /** In the order in which they began. */
    subagents?: Trajectory[]
  }
}

export type TrajectoryInput = { id: string; agent: Trajectory['agent']; events: readonly TrialEvent[] }

export function toTrajectory(
  { id, agent, events }: TrajectoryInput,
  spendings: readonly RequestSpending[] = [],
): Trajectory {
  const names = [...new Set(events.map(({ conversation }) => conversation))]
  const of = (name: string, sessionId: string): Trajectory => ({
    schema_version: ATIF_VERSION,
    session_id: sessionId,
    agent,
    steps: stepsOf(events.filter(({ conversation }) => conversation === name)),
  })
  const main = of('', id)
  const subagents = names.filter((name) => name !== '').map((name, at) => of(name, `${id}/agent-${at + 1}`))
  const sum = (pick: (spending: RequestSpending) => number) => spendings.reduce((total, one) => total + pick(one), 0)
  return {
    ...main,
    final_metrics: {
      total_prompt_tokens: sum(countSpendingPromptTokens),
      total_completion_tokens: sum(({ usage }) => usage.output_tokens),
      total_cached_tokens: sum(({ usage }) => usage.cache_read_input_tokens ?? 0),
      total_cost_usd: sum(({ costUsd }) => costUsd),
      total_steps: main.steps.length,
    },
    ...(subagents.length > 0 ? { extra: { subagents } } : {}),
  }
}

export const countSpendingPromptTokens = ({ usage }: Pick<RequestSpending, 'usage'>): number =>
  usage.input_tokens + (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0)

function stepsOf(events: readonly TrialEvent[]): TrajectoryStep[] {
  const steps: TrajectoryStep[] = []
  const calls = new Map<string, TrajectoryStep>()
  const answers = new Map<string, TrajectoryStep>()
  const add = (step: Omit<TrajectoryStep, 'step_id'>): TrajectoryStep => {
    const whole = { step_id: steps.length + 1, ...step }
    steps.push(whole)
    return whole
  }
  for (const event of events) {
    const said = textOf(event.blocks, 'text')
    if (event.role === 'user') {
      for (const block of event.blocks) addResult(calls, block)
      if (said !== '') add({ timestamp: event.at, source: 'user', message: said })
      continue
    }
    // Session files have a line per block of an answer.
    const known = event.id === undefined ? undefined : answers.get(event.id)
    const step = known ?? add({ timestamp: event.at, source: 'agent', message: '' })
    if (event.id !== undefined) answers.set(event.id, step)
    addAnswer(step, event, said)
    for (const { tool_call_id } of step.tool_calls ?? []) calls.set(tool_call_id, step)
  }
  return steps
}

function addAnswer(step: TrajectoryStep, event: TrialEvent, said: string): void {
  if (event.model !== undefined) step.model_name = event.model
  if (said !== '') step.message = step.message === '' ? said : `${step.message}\n${said}`
  const thought = textOf(event.blocks, 'thinking')
  if (thought !== '') step.reasoning_content = `${step.reasoning_content ?? ''}${thought}`
  for (const block of event.blocks) {
    if (block['type'] !== 'tool_use') continue
    const input = isObject(block['input']) ? block['input'] : {}
    step.tool_calls ??= []
    step.tool_calls.push({
      tool_call_id: textOrEmpty(block['id']),
      function_name: textOrEmpty(block['name']),
      arguments: input,
    })
  }
  if (!event.usage) return
  const { output_tokens, cache_read_input_tokens } = event.usage
  step.metrics = {
    prompt_tokens: countSpendingPromptTokens({ usage: event.usage }),
    completion_tokens: output_tokens,
    cached_tokens: cache_read_input_tokens ?? 0,
  }
}

function addResult(calls: ReadonlyMap<string, TrajectoryStep>, block: JsonObject): void {
  const id = textOrEmpty(block['tool_use_id'])
  const step = block['type'] === 'tool_result' ? calls.get(id) : undefined
  if (!step) return
  const content = typeof block['content'] === 'string' ? block['content'] : resultText(block['content'])
  step.observation ??= { results: [] }
  // A request repeats what an earlier one has sent.
  if (step.observation.results.some(({ source_call_id }) => source_call_id === id)) return
  const isError = block['is_error'] === true
  step.observation.results.push({ source_call_id: id, content, ...(isError ? { extra: { is_error: true } } : {}) })
}

function resultText(content: unknown): string {
  if (!Array.isArray(content)) return ''
  return content
    .map((block) => (isObject(block) && block['type'] === 'text' ? textOrEmpty(block['text']) : ''))
    .join('\n')
}

function textOf(blocks: readonly JsonObject[], type: 'text' | 'thinking'): string {
  return blocks.flatMap((block) => (block['type'] === type ? [textOrEmpty(block[type])] : [])).join('\n')
}
