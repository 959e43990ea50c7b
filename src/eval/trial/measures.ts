/** What a trial took, counted from its trajectory and its model requests. */
import type { CheckedCall } from '../task/eval-task.js'
import { callOutcome } from './call-outcomes.js'
import { countSpendingPromptTokens, type Trajectory } from './trajectory.js'
import type { RequestSpending } from './trial-events.js'

/** What a trial took. */
export type Measures = {
  /** Model requests, those of sub-agents and summaries included. */
  requests: number
  /** Tool calls. */
  toolCalls: number
  /** Tool calls that permissions, a hook or the user refused. */
  refusedCalls: number
  /** Tool calls that named an unknown tool or had a wrong input. */
  invalidCalls: number
  /** Other tool calls whose result is an error, such as a failing test run. */
  failedCalls: number
  /** Tokens that went in, from the cache or not. */
  inputTokens: number
  /** Tokens that came out. */
  outputTokens: number
  /** Tokens that came from the prompt cache. */
  cachedTokens: number
  /** Dollars at list price. */
  costUsd: number
  /** Seconds from start to exit. */
  seconds: number
  /** Characters of tool results. */
  resultCharacters: number
  /** The share of these that an earlier result of the trial already had, from 0 to 1. */
  repeatedShare: number
}

export function callsOfTrajectory(trajectory: Trajectory): CheckedCall[] {
  const all = [trajectory, ...(trajectory.extra?.subagents ?? [])]
  return all.flatMap(({ steps }) =>
    steps.flatMap(({ tool_calls = [], observation }) =>
      tool_calls.map(({ tool_call_id, function_name, arguments: input }) => {
        const result = observation?.results.find(({ source_call_id }) => source_call_id === tool_call_id)
        return { name: function_name, input, result: result?.content ?? '', isError: result?.extra?.is_error === true }
      }),
    ),
  )
}

export function measureTrial(trajectory: Trajectory, spendings: readonly RequestSpending[], seconds: number): Measures {
  const calls = callsOfTrajectory(trajectory)
  const outcomes = calls.map(({ result, isError }) => callOutcome(result, isError))
  const count = (wanted: string) => outcomes.filter((outcome) => outcome === wanted).length
  const sum = (pick: (spending: RequestSpending) => number) => spendings.reduce((total, one) => total + pick(one), 0)
  const results = calls.map(({ result }) => result)
  return {
    requests: spendings.length,
    toolCalls: calls.length,
    refusedCalls: count('refused'),
    invalidCalls: count('invalid'),
    failedCalls: count('failed'),
    inputTokens: sum(countSpendingPromptTokens),
    outputTokens: sum(({ usage }) => usage.output_tokens),
    cachedTokens: sum(({ usage }) => usage.cache_read_input_tokens ?? 0),
    costUsd: sum(({ costUsd }) => costUsd),
    seconds,
    resultCharacters: results.reduce((total, text) => total + text.length, 0),
    repeatedShare: repeatedLineShare(results),
  }
}

/** A line that says something. Shorter ones, such as a closing brace, repeat by nature. */
const TELLING_LINE = 20

/** By lines: the share of characters in lines that an earlier result had. Line numbers don't make a line another one. */
export function repeatedLineShare(results: readonly string[]): number {
  const seen = new Set<string>()
  let all = 0
  let repeated = 0
  for (const result of results) {
    const lines = result.split('\n').map((line) => line.replace(/^\s*\d+[→\t]/, '').trim())
    const telling = lines.filter((line) => line.length >= TELLING_LINE)
    all += lines.reduce((total, line) => total + line.length, 0)
    repeated += telling.filter((line) => seen.has(line)).reduce((total, line) => total + line.length, 0)
    for (const line of telling) seen.add(line)
  }
  return all === 0 ? 0 : repeated / all
}
