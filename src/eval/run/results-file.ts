/** The folder of a run: its plan, one line per finished trial, and the reports. A line is written whole or not at all. */
import {
  appendFileSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { ConfigurationError } from '../../errors.js'
import { isObject } from '../../protocol/json.js'
import { type TrialResult, trialKey } from '../trial/trial-result.js'

/** What a run was asked for. */
export type RunPlan = {
  /** The version of Kedge. */
  kedge: string
  /** When it began, as ISO 8601. */
  startedAt: string
  /** Names of the tasks. */
  tasks: string[]
  /** Names of the models. */
  models: string[]
  /** Names of the variants. */
  variants: string[]
  /** How often each is tried. */
  repeat: number
}

/** A run with the trials that have ended so far. */
export type EvalRun = {
  /** What was asked for. */
  plan: RunPlan
  /** In the order in which they ended. */
  trials: TrialResult[]
  /** Why trials are missing: the budget that ran out, or that it was stopped. */
  stopped?: string
}

const PLAN = 'run.json'
const TRIALS = 'trials.jsonl'

export type TrialResultsFile = { trials: TrialResult[]; add(trial: TrialResult): void }

/** Opens the folder of a run, new or begun. What a killed process left of a line is removed. */
export function openResults(folder: string, plan: RunPlan): TrialResultsFile {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, TRIALS)
  const trials = existsSync(path) ? readTrials(path) : []
  if (existsSync(path)) truncateSync(path, wholeLines(readFileSync(path)))
  const file = join(folder, PLAN)
  const begun = existsSync(file) ? readPlan(folder) : undefined
  writeFileSync(file, `${JSON.stringify(begun ? { ...plan, startedAt: begun.startedAt } : plan, null, 2)}\n`)
  return {
    trials,
    add(trial) {
      const descriptor = openSync(path, 'a')
      try {
        appendFileSync(descriptor, `${JSON.stringify(trial)}\n`)
        fsyncSync(descriptor)
      } finally {
        closeSync(descriptor)
      }
      trials.push(trial)
    },
  }
}

function wholeLines(bytes: Buffer): number {
  return bytes.lastIndexOf('\n') + 1
}

/** Reads the run in a folder. */
export function readRun(folder: string): EvalRun {
  if (!existsSync(join(folder, PLAN)))
    throw new ConfigurationError('folder', `${folder} has no ${PLAN}: it isn't the results folder of a run.`)
  const path = join(folder, TRIALS)
  return { plan: readPlan(folder), trials: existsSync(path) ? readTrials(path) : [] }
}

function readPlan(folder: string): RunPlan {
  // Written by `openResults`.
  return JSON.parse(readFileSync(join(folder, PLAN), 'utf8')) as RunPlan
}

/** A trial that was tried again counts by its last line. */
function readTrials(path: string): TrialResult[] {
  const found = new Map<string, TrialResult>()
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    try {
      const value: unknown = JSON.parse(line)
      // A line of ours: `add` writes nothing else.
      if (isObject(value) && isObject(value['measures']))
        found.set(trialKey(value as TrialResult), value as TrialResult)
    } catch {
      // The last line of a process that was killed.
    }
  }
  return [...found.values()]
}
