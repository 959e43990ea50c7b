/** A run: every task with every model and variant, repeated, some at a time, until all are done or a budget is spent. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigurationError } from '../../errors.js'
import { VERSION } from '../../platform/version.js'
import type { EvalTask } from '../task/eval-task.js'
import { readTasks } from '../task/read-task.js'
import { runTrial, type TrialInput } from '../trial/run-trial.js'
import { type TrialResult, trialKey } from '../trial/trial-result.js'
import { type EvalModel, modelProblem, nameOfModel } from './eval-model.js'
import { DEFAULT_VARIANT, type EvalVariant } from './eval-variant.js'
import { type EvalRun, openResults, type RunPlan } from './results-file.js'

/** The budget of a whole run. No trial is started once one of these is spent. */
export type EvalBudget = {
  /** Dollars at list price. A trial is also ended when it alone would spend what is left. */
  dollars?: number
  /** Tokens in and out. */
  tokens?: number
  /** Minutes of wall-clock time. */
  minutes?: number
}

/** What `runEval()` takes. */
export type EvalOptions = {
  /** Tasks, or folders with tasks. */
  tasks: readonly (EvalTask | string)[]
  /** Models; see `EvalModel`. */
  models: readonly EvalModel[]
  /** Variants; default: one with nothing changed. */
  variants?: readonly EvalVariant[]
  /** How often each is tried; default 1. */
  repeat?: number
  /** How many trials run at a time; default 2. */
  jobs?: number
  /** Where no further trial is started. */
  budget?: EvalBudget
  /** The results folder. Trials that it has already are not repeated. Left out, nothing is written. */
  folder?: string
  /** Whether the folders the agents worked in are kept with the results. */
  keepWorkspaces?: boolean
  /** Ends the run: running trials are stopped, and not recorded. */
  signal?: AbortSignal
  /** Called with each trial as it ends, and how many there are in all. */
  onTrial?: (trial: TrialResult, ended: number, all: number) => void
}

/**
 * Runs an evaluation.
 *
 * ```ts
 * const run = await runEval({ tasks: ['eval/tasks'], models: ['mind:capable'], repeat: 3, folder: 'results' })
 * console.log(formatTable(run))
 * ```
 *
 * Rejects with a `ConfigurationError` if a task can't be used or a scripted mind has no script for it; what goes wrong in a trial is in its result.
 */
export async function runEval(options: EvalOptions): Promise<EvalRun> {
  const { models, variants = [DEFAULT_VARIANT], repeat = 1, jobs = 2, budget = {}, folder } = options
  const tasks = options.tasks.flatMap((task) => (typeof task === 'string' ? readTasks([task]) : [task]))
  const problem = models.map((model) => modelProblem(model, tasks)).find((text) => text !== undefined)
  if (problem !== undefined) throw new ConfigurationError('models', problem)
  const plan: RunPlan = {
    kedge: VERSION,
    startedAt: new Date().toISOString(),
    tasks: tasks.map(({ name }) => name),
    models: models.map(nameOfModel),
    variants: variants.map(({ name }) => name),
    repeat,
  }
  const results = folder === undefined ? memory() : openResults(folder, plan)
  const done = new Map(results.trials.map((trial) => [trialKey(trial), trial.fingerprint]))
  const all = trialsOf(tasks, options, variants, repeat)
  const open = all.filter((trial) => done.get(idOf(trial)) !== trial.fingerprint)
  const wanted = new Set(all.map(idOf))
  const began = performance.now()
  let ended = all.length - open.length
  let stopped: string | undefined
  const worker = async () => {
    while (open.length > 0) {
      stopped ??= options.signal?.aborted ? 'it was stopped' : spent(results.trials, budget, began)
      const trial = stopped === undefined ? open.shift() : undefined
      if (!trial) return
      const dollarsLeft = budget.dollars === undefined ? undefined : budget.dollars - sumOf(results.trials).dollars
      const result = await runTrial({ ...trial, dollarsLeft })
      // What the run's budget cut short says nothing about the agent.
      const isCut = dollarsLeft !== undefined && !result.passed && result.measures.costUsd >= dollarsLeft
      if (isCut) stopped = `the budget of $${budget.dollars} is spent`
      if (isCut || result.ending === 'stopped') continue
      results.add(result)
      ended += 1
      options.onTrial?.(result, ended, all.length)
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, jobs) }, worker))
  const trials = results.trials.filter((trial) => wanted.has(trialKey(trial)))
  if (options.signal?.aborted && trials.length < all.length) stopped ??= 'it was stopped'
  return { plan, trials, ...(stopped === undefined ? {} : { stopped }) }
}

const idOf = ({ task, model, variant, repetition }: TrialInput): string =>
  trialKey({ task: task.name, model: nameOfModel(model), variant: variant.name, repetition })

function memory() {
  const trials: TrialResult[] = []
  return { trials, add: (trial: TrialResult) => void trials.push(trial) }
}

/** First every task once, then again: a run that is cut short has seen all of them. */
function trialsOf(
  tasks: readonly EvalTask[],
  { models, folder, keepWorkspaces, signal }: EvalOptions,
  variants: readonly EvalVariant[],
  repeat: number,
): TrialInput[] {
  const rounds = Array.from({ length: repeat }, (_, at) => at + 1)
  return rounds.flatMap((repetition) =>
    models.flatMap((model) =>
      variants.flatMap((variant) =>
        tasks.map((task) => ({
          task,
          model,
          variant,
          repetition,
          folder,
          signal,
          fingerprint: fingerprintOf(task, variant),
          ...(keepWorkspaces === undefined ? {} : { keepWorkspace: keepWorkspaces }),
        })),
      ),
    ),
  )
}

/** Hashes everything that determines a trial, except the model behind its name. */
function fingerprintOf(task: EvalTask, variant: EvalVariant): string {
  const hash = createHash('sha256').update(JSON.stringify([task, variant, VERSION]))
  if (task.folder !== undefined) {
    const entries = readdirSync(task.folder, { recursive: true, withFileTypes: true })
    const files = entries.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : []))
    for (const file of files.sort()) hash.update(file).update(readFileSync(file))
  }
  return hash.digest('hex').slice(0, 16)
}

function sumOf(trials: readonly TrialResult[]): { dollars: number; tokens: number } {
  const sum = (pick: (trial: TrialResult) => number) => trials.reduce((total, trial) => total + pick(trial), 0)
  return {
    dollars: sum(({ measures }) => measures.costUsd),
    tokens: sum(({ measures }) => measures.inputTokens + measures.outputTokens),
  }
}

function spent(trials: readonly TrialResult[], budget: EvalBudget, began: number): string | undefined {
  const { dollars, tokens } = sumOf(trials)
  if (budget.dollars !== undefined && dollars >= budget.dollars) return `the budget of $${budget.dollars} is spent`
  if (budget.tokens !== undefined && tokens >= budget.tokens) return `the budget of ${budget.tokens} tokens is spent`
  const minutes = (performance.now() - began) / 60_000
  if (budget.minutes !== undefined && minutes >= budget.minutes) return `${budget.minutes} minutes are over`
  return undefined
}
