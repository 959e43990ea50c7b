/** `kedge/eval`: tries agents on tasks, with real models or with minds that need no key, and counts what it takes. */
export type { Mind } from './minds/mind.js'
export type { MindScript, MindStep, PlannedCall } from './minds/mind-script.js'
export { type DiffRow, diffRuns } from './report/diff-runs.js'
export { formatJson, formatJunit } from './report/exchange-formats.js'
export { formatTable } from './report/format-table.js'
export { formatHtml } from './report/html-report.js'
export { type PassRate, passRate, type SummaryRow, summarize } from './report/summary.js'
export type { EvalModel } from './run/eval-model.js'
export type { AgentWork, EvalVariant } from './run/eval-variant.js'
export { type EvalRun, type RunPlan, readRun } from './run/results-file.js'
export { type EvalBudget, type EvalOptions, runEval } from './run/run-eval.js'
export {
  type CalledCheck,
  type CheckContext,
  type CheckedCall,
  type CheckFunction,
  type CommandCheck,
  defineTask,
  type EvalAnswer,
  type EvalCheck,
  type EvalInterface,
  type EvalLimits,
  type EvalTask,
  type ExitCheck,
  type FileCheck,
  type ModuleCheck,
  type PrintedCheck,
  type UnchangedCheck,
} from './task/eval-task.js'
export { readTasks } from './task/read-task.js'
export type { CheckResult } from './task/run-checks.js'
export type { Measures } from './trial/measures.js'
export type {
  Trajectory,
  TrajectoryCall,
  TrajectoryMetrics,
  TrajectoryResult,
  TrajectoryStep,
} from './trial/trajectory.js'
export type { TrialEnding, TrialResult } from './trial/trial-result.js'
