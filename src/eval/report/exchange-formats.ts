/** The run for other programs: JSON with the summary, and JUnit for continuous integration. */
import type { EvalRun } from '../run/results-file.js'
import type { TrialResult } from '../trial/trial-result.js'
import { trialFailureText } from './format-table.js'
import { cachedTokenShare, type SummaryRow, summarize } from './summary.js'

/** The run as JSON: `plan`, `totals`, `tasks` and `trials`. */
export function formatJson(run: EvalRun): string {
  const { tasks, totals } = summarize(run.trials)
  const row = ({ trials: _trials, ...rest }: SummaryRow) => ({ ...rest, cachedShare: cachedTokenShare(rest.mean) })
  const { plan, trials, stopped } = run
  const whole = {
    plan,
    ...(stopped === undefined ? {} : { stopped }),
    totals: totals.map(row),
    tasks: tasks.map(row),
    trials,
  }
  return `${JSON.stringify(whole, null, 2)}\n`
}

const escapeXml = (text: string): string =>
  text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** The run as JUnit XML: a suite per model and variant, a case per trial. */
export function formatJunit(run: EvalRun): string {
  const suites = summarize(run.trials).totals.map(({ model, variant, trials }) => {
    const failed = trials.filter(({ passed }) => !passed).length
    const time = trials.reduce((sum, { measures }) => sum + measures.seconds, 0)
    const name = escapeXml(`${model} · ${variant}`)
    const head = `<testsuite name="${name}" tests="${trials.length}" failures="${failed}" time="${time.toFixed(3)}">`
    return `${head}\n${trials.map(testCase).join('\n')}\n</testsuite>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="kedge eval">\n${suites.join('\n')}\n</testsuites>\n`
}

function testCase(trial: TrialResult): string {
  const { task, model, variant, repetition, passed, measures, printed } = trial
  const name = escapeXml(repetition > 1 ? `${task} (${repetition})` : task)
  const open = `<testcase name="${name}" classname="${escapeXml(`${model}.${variant}`)}" time="${measures.seconds.toFixed(3)}"`
  if (passed) return `${open}/>`
  const details = trial.checks.flatMap((check) => (check.passed ? [] : [`${check.name}: ${check.detail ?? ''}`]))
  const text = [...details, `Printed: ${printed}`].join('\n')
  return `${open}><failure message="${escapeXml(trialFailureText(trial))}">${escapeXml(text)}</failure></testcase>`
}
