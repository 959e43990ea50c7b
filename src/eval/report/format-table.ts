/** The table on the terminal, and the numbers as people read them. */
import type { EvalRun } from '../run/results-file.js'
import type { Measures } from '../trial/measures.js'
import { cachedTokenShare, type PassRate, type SummaryRow, summarize } from './summary.js'

export type Column = { title: string; show(row: SummaryRow): string; isText?: boolean }

const small = (value: number): string => (Number.isInteger(value) ? String(value) : value.toFixed(1))
export const formatPercent = (share: number): string => `${Math.round(share * 100)} %`
export const formatDollars = (value: number): string => `$${value < 1 ? value.toFixed(4) : value.toFixed(2)}`
export const formatTokens = (tokens: number): string =>
  tokens < 1000 ? String(Math.round(tokens)) : `${(tokens / 1000).toFixed(1)}k`
export const formatInterval = ({ low, high }: PassRate): string => `${Math.round(low * 100)}–${formatPercent(high)}`

const mean = (title: string, show: (measures: Measures) => string): Column => ({ title, show: (row) => show(row.mean) })

export const COLUMNS: readonly Column[] = [
  { title: 'task', show: ({ task }) => task || 'all tasks', isText: true },
  { title: 'model', show: ({ model }) => model, isText: true },
  { title: 'variant', show: ({ variant }) => variant, isText: true },
  { title: 'passed', show: ({ passes }) => `${passes.passed}/${passes.of}` },
  { title: '95 %', show: ({ passes }) => formatInterval(passes) },
  mean('requests', ({ requests }) => small(requests)),
  mean('calls', ({ toolCalls }) => small(toolCalls)),
  mean('refused', ({ refusedCalls }) => small(refusedCalls)),
  mean('invalid', ({ invalidCalls }) => small(invalidCalls)),
  mean('in', ({ inputTokens }) => formatTokens(inputTokens)),
  mean('out', ({ outputTokens }) => formatTokens(outputTokens)),
  mean('cached', (measures) => formatPercent(cachedTokenShare(measures))),
  mean('repeated', ({ repeatedShare }) => formatPercent(repeatedShare)),
  mean('cost', ({ costUsd }) => formatDollars(costUsd)),
  mean('time', ({ seconds }) => `${seconds.toFixed(1)} s`),
]

/** The run as a table: a row per task, model and variant, then the sums. Means per trial where there are several. */
export function formatTable(run: EvalRun): string {
  const { tasks, totals } = summarize(run.trials)
  const isOneVariant = new Set(run.trials.map(({ variant }) => variant)).size <= 1
  const columns = COLUMNS.filter(({ title }) => !(isOneVariant && title === 'variant'))
  const isOneTask = new Set(run.trials.map(({ task }) => task)).size <= 1
  const text = layOut(columns, isOneTask ? [tasks] : [tasks, totals])
  const missing = run.stopped === undefined ? '' : `\nNot all trials ran: ${run.stopped}.\n`
  return `${text}${missing}${failures(run)}`
}

function layOut(columns: readonly Column[], groups: readonly (readonly SummaryRow[])[]): string {
  const header = columns.map(({ title }) => title)
  const body = groups.map((rows) => rows.map((row) => columns.map(({ show }) => show(row))))
  const widths = header.map((title, at) =>
    Math.max(title.length, ...body.flat().map((cells) => cells[at]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => (columns[at]?.isText ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd()
  const rule = widths.map((width) => '─'.repeat(width)).join('──')
  const parts = body.filter((rows) => rows.length > 0).map((rows) => rows.map(line).join('\n'))
  return `${[line(header), ...parts].join(`\n${rule}\n`)}\n`
}

const MOST_FAILURES = 10

function failures({ trials }: EvalRun): string {
  const failed = trials.filter(({ passed }) => !passed)
  if (failed.length === 0) return ''
  const lines = failed.slice(0, MOST_FAILURES).map((trial) => {
    const where = `${trial.task} · ${trial.model} · ${trial.variant} · ${trial.repetition}`
    return `  ${where}: ${trialFailureText(trial)}`
  })
  const more = failed.length > MOST_FAILURES ? [`  and ${failed.length - MOST_FAILURES} more: see the report`] : []
  return `\nFailed:\n${[...lines, ...more].join('\n')}\n`
}

export function trialFailureText({ ending, error, checks }: EvalRun['trials'][number]): string {
  if (ending === 'timeout') return 'it ran out of time'
  const broken = checks.find(({ passed }) => !passed)
  const text = error ?? (broken ? `${broken.name}: ${broken.detail ?? ''}` : 'unknown')
  return text.replace(/\s+/g, ' ').slice(0, 160)
}
