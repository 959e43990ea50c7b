/** One trial and how it ended: the unit that runs are made of, and a line of `trials.jsonl`. */
import type { CheckResult } from '../task/run-checks.js'
import type { Measures } from './measures.js'

/** How a trial ended: `done`, out of time, stopped from outside, or with an error of the runner or the agent. */
export type TrialEnding = 'done' | 'timeout' | 'stopped' | 'error'

/** One attempt at a task. */
export type TrialResult = {
  /** The task. */
  task: string
  /** The model. */
  model: string
  /** The variant. */
  variant: string
  /** Which repetition, from 1. */
  repetition: number
  /** Whether every check holds. */
  passed: boolean
  /** Each check. */
  checks: CheckResult[]
  /** How it ended. */
  ending: TrialEnding
  /** What went wrong, if it ended with an error. */
  error?: string
  /** The exit code of the agent. */
  exitCode: number
  /** What was printed, at most 4,000 characters of it. */
  printed: string
  /** What it took. */
  measures: Measures
  /** When it began, as ISO 8601. */
  startedAt: string
  /** Hash of the task with its files, the variant, and the Kedge version. If it differs, the trial is run again. */
  fingerprint: string
}

/** What tells a trial from the others of its run. */
export type TrialId = Pick<TrialResult, 'task' | 'model' | 'variant' | 'repetition'>

export const trialKey = ({ task, model, variant, repetition }: TrialId): string =>
  JSON.stringify([task, model, variant, repetition])

/** Its folder below that of the run. */
export function trialFolderName({ task, model, variant, repetition }: TrialId): string {
  return ['trials', task, model, variant, String(repetition)].map((name) => name.replace(/[^\w.-]+/g, '_')).join('/')
}
