/** Trials summed up: one row per task, model and variant, and one per model and variant over all tasks. */
import type { Measures } from '../trial/measures.js'
import type { TrialResult } from '../trial/trial-result.js'

/** A pass rate with its 95 % interval by Wilson's method, which is right for few trials, too. */
export type PassRate = {
  /** Trials that passed. */
  passed: number
  /** All trials. */
  of: number
  /** The share, from 0 to 1. */
  rate: number
  /** The lower end of the interval. */
  low: number
  /** The upper end of the interval. */
  high: number
}

/** Trials of the same kind. */
export type SummaryRow = {
  /** The task; empty for a row over all tasks. */
  task: string
  /** The model. */
  model: string
  /** The variant. */
  variant: string
  /** How many passed. */
  passes: PassRate
  /** The mean of each measure. `cachedTokens` and `inputTokens` give the cached share. */
  mean: Measures
  /** The trials. */
  trials: TrialResult[]
}

const Z = 1.959964

/** The share of trials that passed, with its 95 % interval. */
export function passRate(passed: number, of: number): PassRate {
  if (of === 0) return { passed, of, rate: 0, low: 0, high: 1 }
  const rate = passed / of
  const scale = 1 + (Z * Z) / of
  const middle = (rate + (Z * Z) / (2 * of)) / scale
  const half = (Z * Math.sqrt((rate * (1 - rate)) / of + (Z * Z) / (4 * of * of))) / scale
  const low = passed === 0 ? 0 : Math.max(0, middle - half)
  return { passed, of, rate, low, high: passed === of ? 1 : Math.min(1, middle + half) }
}

/** Sums trials up: a row per task, model and variant, and a row per model and variant over all tasks. */
export function summarize(trials: readonly TrialResult[]): { tasks: SummaryRow[]; totals: SummaryRow[] } {
  const sorted = [...trials].sort(
    (a, b) => compare(a.model, b.model) || compare(a.variant, b.variant) || compare(a.task, b.task),
  )
  return { tasks: rows(sorted, ({ task }) => task), totals: rows(sorted, () => '') }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function rows(trials: readonly TrialResult[], taskOf: (trial: TrialResult) => string): SummaryRow[] {
  const groups = new Map<string, TrialResult[]>()
  for (const trial of trials) {
    const key = JSON.stringify([taskOf(trial), trial.model, trial.variant])
    groups.set(key, [...(groups.get(key) ?? []), trial])
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    const passed = group.filter((trial) => trial.passed).length
    const { model, variant } = first
    return [
      {
        task: taskOf(first),
        model,
        variant,
        passes: passRate(passed, group.length),
        mean: meanMeasures(group),
        trials: group,
      },
    ]
  })
}

export function meanMeasures(trials: readonly TrialResult[]): Measures {
  const mean = (name: keyof Measures) =>
    trials.length === 0 ? 0 : trials.reduce((sum, { measures }) => sum + measures[name], 0) / trials.length
  return {
    requests: mean('requests'),
    toolCalls: mean('toolCalls'),
    refusedCalls: mean('refusedCalls'),
    invalidCalls: mean('invalidCalls'),
    failedCalls: mean('failedCalls'),
    inputTokens: mean('inputTokens'),
    outputTokens: mean('outputTokens'),
    cachedTokens: mean('cachedTokens'),
    costUsd: mean('costUsd'),
    seconds: mean('seconds'),
    resultCharacters: mean('resultCharacters'),
    repeatedShare: mean('repeatedShare'),
  }
}

export const cachedTokenShare = ({ cachedTokens, inputTokens }: Measures): number =>
  inputTokens === 0 ? 0 : cachedTokens / inputTokens
