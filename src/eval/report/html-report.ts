/** The report: one HTML file without a script, that needs nothing else and sends nothing anywhere. */
import type { EvalRun } from '../run/results-file.js'
import { type TrialResult, trialFolderName } from '../trial/trial-result.js'
import { COLUMNS, trialFailureText } from './format-table.js'
import { type SummaryRow, summarize } from './summary.js'

const STYLE = `
:root{color-scheme:light dark;--line:#8884;--good:#1a7f37;--bad:#cf222e}
body{font:14px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:84rem;padding:0 1rem}
h1{font-size:1.5rem;margin:0}h2{font-size:1.1rem;margin:2rem 0 .5rem}
.wide{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums;width:100%}
th,td{border-bottom:1px solid var(--line);padding:.3rem .6rem;text-align:right;white-space:nowrap}
th.text,td.text{text-align:left}tr.total td{font-weight:600}
.bar{position:relative;display:inline-block;width:6rem;height:.6rem;background:var(--line);border-radius:.3rem;vertical-align:middle}
.bar i{position:absolute;top:0;bottom:0;background:#8888;border-radius:.3rem}.bar b{position:absolute;top:-2px;bottom:-2px;width:3px;background:currentColor}
.ci{display:inline-block;min-width:4.5rem}.good{color:var(--good)}.bad{color:var(--bad)}
details{border-bottom:1px solid var(--line);padding:.3rem 0}summary{cursor:pointer}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#8881;padding:.6rem;border-radius:.3rem;max-height:24rem;overflow-y:auto}
`

export const escapeText = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** The run as one self-contained HTML page. */
export function formatHtml(run: EvalRun): string {
  const { tasks, totals } = summarize(run.trials)
  const { plan } = run
  const about = `${run.trials.length} trials · ${plan.tasks.length} tasks · ${plan.models.join(', ')} · Kedge ${plan.kedge} · ${plan.startedAt.slice(0, 16).replace('T', ' ')} UTC`
  const missing = run.stopped === undefined ? '' : `<p class="bad">Not all trials ran: ${escapeText(run.stopped)}.</p>`
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Evaluation report</title><style>${STYLE}</style></head><body>
<h1>Evaluation report</h1><p>${escapeText(about)}</p>${missing}
<h2>Models and variants</h2>${table(totals)}
<h2>Tasks</h2>${table(tasks)}
<p>Numbers are means per trial. The bar shows the pass rate and its 95 % interval (Wilson). “Repeated” is the share of tool
result text that an earlier result of the trial already had. Scripted minds count four characters as a token.</p>
<h2>Trials</h2>${[...run.trials].sort(failedFirst).map(trialDetails).join('\n')}
</body></html>
`
}

function table(rows: readonly SummaryRow[]): string {
  const head = COLUMNS.map(({ title, isText }) => `<th${isText ? ' class="text"' : ''}>${title}</th>`).join('')
  const body = rows.map((row) => {
    const cells = COLUMNS.map((column) => {
      const text = escapeText(column.show(row))
      if (column.title === '95 %') return `<td>${bar(row)} <span class="ci">${text}</span></td>`
      const isShort = column.title === 'passed' && row.passes.rate < 1
      return `<td${column.isText ? ' class="text"' : isShort ? ' class="bad"' : ''}>${text}</td>`
    })
    return `<tr${row.task === '' ? ' class="total"' : ''}>${cells.join('')}</tr>`
  })
  return `<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table></div>`
}

function bar({ passes: { rate, low, high } }: SummaryRow): string {
  const at = (share: number) => `${(share * 100).toFixed(1)}%`
  return `<span class="bar"><i style="left:${at(low)};width:${at(high - low)}"></i><b style="left:${at(rate * 0.97)}"></b></span>`
}

const failedFirst = (a: TrialResult, b: TrialResult): number => Number(a.passed) - Number(b.passed)

function trialDetails(trial: TrialResult): string {
  const { task, model, variant, repetition, passed, checks, measures, exitCode, printed, ending } = trial
  const mark = passed
    ? '<span class="good">passed</span>'
    : `<span class="bad">failed</span>: ${escapeText(trialFailureText(trial))}`
  const list = checks.map(
    (check) =>
      `<li class="${check.passed ? 'good' : 'bad'}">${escapeText(check.name)}${check.detail === undefined ? '' : `<pre>${escapeText(check.detail)}</pre>`}</li>`,
  )
  const numbers = Object.entries(measures).map(([name, value]) => `${name} ${Number(value.toFixed(4))}`)
  const error = trial.error === undefined ? '' : `<pre>${escapeText(trial.error)}</pre>`
  return `<details><summary>${escapeText(`${task} · ${model} · ${variant} · ${repetition}`)} – ${mark}</summary>
<p>Ended: ${ending}, exit code ${exitCode}. ${escapeText(numbers.join(', '))}. Trajectory: <code>${escapeText(trialFolderName(trial))}/trajectory.json</code></p>
${error}<ul>${list.join('')}</ul><p>Printed:</p><pre>${escapeText(printed) || '(nothing)'}</pre></details>`
}
