/** `kedge eval run`: what the flags mean, the line per trial, the reports, and the exit code. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { CommandFlagValues } from '../../protocol/command-table/command-row.js'
import type { EVAL_RUN_COMMAND } from '../../protocol/command-table/eval-command-rows.js'
import { createFolderMind, createInteractiveMind } from '../by-hand/hand-mind.js'
import { formatJson, formatJunit } from '../report/exchange-formats.js'
import { formatTable, trialFailureText } from '../report/format-table.js'
import { formatHtml } from '../report/html-report.js'
import type { EvalModel } from '../run/eval-model.js'
import { DEFAULT_VARIANT, type EvalVariant, readVariant } from '../run/eval-variant.js'
import type { EvalRun } from '../run/results-file.js'
import { type EvalBudget, runEval } from '../run/run-eval.js'
import type { EvalTask } from '../task/eval-task.js'
import { readTasks } from '../task/read-task.js'
import type { TrialResult } from '../trial/trial-result.js'

/** The flags of `kedge eval run`. */
type EvalFlags = CommandFlagValues<typeof EVAL_RUN_COMMAND>

export type EvalPrinter = { print(text: string): void; tell(text: string): void }

export async function runEvalCommand(
  folders: readonly string[],
  flags: EvalFlags,
  { print, tell }: EvalPrinter,
  signal: AbortSignal,
): Promise<number> {
  const tasks = chosen(readTasks(folders), flags.only)
  const models = modelsOf(flags)
  const least = readNumberFlag('fail-under', flags['fail-under'], 0, 100) ?? 100
  const shown = flags.out ?? join('eval-results', new Date().toISOString().slice(0, 19).replaceAll(':', '-'))
  // The working directory might be removed while tasks run.
  const folder = resolve(shown)
  const reports = absolute(flags)
  const jobs = readNumberFlag('jobs', flags.jobs, 1, 1000)
  const repeat = readNumberFlag('repeat', flags.repeat, 1, 10_000)
  const run = await runEval({
    tasks,
    models,
    variants: variantsOf(flags),
    budget: budgetOf(flags),
    folder,
    signal,
    ...(repeat === undefined ? {} : { repeat }),
    ...(flags['by-hand'] ? { jobs: 1 } : jobs === undefined ? {} : { jobs }),
    ...(flags.keep ? { keepWorkspaces: true } : {}),
    onTrial: (trial, ended, all) => tell(`${progressLine(trial, ended, all)}\n`),
  })
  writeReports(run, { html: join(folder, 'report.html'), json: join(folder, 'results.json') })
  writeReports(run, reports)
  print(formatTable(run))
  print(`\nReport: ${join(shown, 'report.html')}\n`)
  if (run.stopped !== undefined) {
    tell(`Continue with the same command and --out ${shown}\n`)
    return 3
  }
  const passed = run.trials.filter((trial) => trial.passed).length
  return run.trials.length > 0 && (passed / run.trials.length) * 100 >= least ? 0 : 1
}

function chosen(tasks: EvalTask[], only: readonly string[]): EvalTask[] {
  if (only.length === 0) return tasks
  const some = tasks.filter(({ name }) => only.some((text) => name.includes(text)))
  if (some.length === 0) throw new Error(`No task's name contains ${only.join(' or ')}.`)
  return some
}

function modelsOf(flags: EvalFlags): EvalModel[] {
  const models: EvalModel[] = [...flags.model]
  const handFolder = flags['hand-folder']
  if (handFolder !== undefined) {
    const mind = createFolderMind(resolve(handFolder))
    models.push({ name: 'by-hand', mind: () => mind })
  } else if (flags['by-hand']) {
    const mind = createInteractiveMind(process.stdin, process.stdout)
    models.push({ name: 'by-hand', mind: () => mind })
  }
  if (models.length === 0)
    throw new Error('No model given. Use --model NAME: practice needs no key, and mind:capable plays a script.')
  return models
}

function variantsOf(flags: EvalFlags): EvalVariant[] {
  const variants = flags.variant.length > 0 ? flags.variant.map(readVariant) : [DEFAULT_VARIANT]
  const { interface: wanted } = flags
  if (wanted === undefined) return variants
  return variants.map((variant) => ({ ...variant, interface: wanted }))
}

function budgetOf(flags: EvalFlags): EvalBudget {
  const dollars = readNumberFlag('max-cost', flags['max-cost'], 0)
  const tokens = readNumberFlag('max-tokens', flags['max-tokens'], 0)
  const minutes = readNumberFlag('max-minutes', flags['max-minutes'], 0)
  return {
    ...(dollars === undefined ? {} : { dollars }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(minutes === undefined ? {} : { minutes }),
  }
}

export function readNumberFlag(flag: string, text: string | undefined, least: number, most = Number.MAX_SAFE_INTEGER) {
  if (text === undefined) return undefined
  const value = Number(text)
  if (text.trim() !== '' && value >= least && value <= most) return value
  const range = most === Number.MAX_SAFE_INTEGER ? `a number, at least ${least}` : `between ${least} and ${most}`
  throw new Error(`--${flag} must be ${range}, got ${text}.`)
}

function progressLine(trial: TrialResult, ended: number, all: number): string {
  const { task, model, variant, repetition, passed, measures } = trial
  const name = [task, model, variant === 'default' ? '' : variant, repetition > 1 ? String(repetition) : '']
  const end = passed ? `${measures.requests} requests, ${measures.seconds.toFixed(1)} s` : trialFailureText(trial)
  return `${passed ? '✔' : '✖'} ${name.filter(Boolean).join(' · ')} (${ended}/${all}): ${end}`
}

export type ReportFiles = Partial<Pick<EvalFlags, 'html' | 'json' | 'junit'>>

function absolute({ html, json, junit }: ReportFiles): ReportFiles {
  return {
    ...(html === undefined ? {} : { html: resolve(html) }),
    ...(json === undefined ? {} : { json: resolve(json) }),
    ...(junit === undefined ? {} : { junit: resolve(junit) }),
  }
}

export function writeReports(run: EvalRun, files: ReportFiles): void {
  const write = (file: string | undefined, text: () => string) => {
    if (file === undefined) return
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text())
  }
  write(files.html, () => formatHtml(run))
  write(files.json, () => formatJson(run))
  write(files.junit, () => formatJunit(run))
}
