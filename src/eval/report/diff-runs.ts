/** Two runs side by side: what passes now and did not, and what became dearer or cheaper. */
import type { EvalRun } from '../run/results-file.js'
import { formatDollars, formatTokens } from './format-table.js'
import { type SummaryRow, summarize } from './summary.js'

/** A task with a model and a variant, in two runs. */
export type DiffRow = {
  /** The task; empty for all tasks that both runs have. */
  task: string
  /** The model. */
  model: string
  /** The variant. */
  variant: string
  /** What changed: `better` and `worse` are about the pass rate, `only-a` and `only-b` are in one run. */
  change: 'better' | 'worse' | 'same' | 'only-a' | 'only-b'
  /** Whether the intervals of the pass rates have nothing in common: more than chance. */
  isCertain: boolean
  /** In the first run. */
  a?: SummaryRow
  /** In the second run. */
  b?: SummaryRow
}

/** Compares runs by task, model and variant. Where each has but one model or one variant, its name need not be the same. */
export function diffRuns(a: EvalRun, b: EvalRun): { tasks: DiffRow[]; totals: DiffRow[] } {
  const rename = (run: EvalRun): EvalRun => {
    const isOne = (pick: (trial: EvalRun['trials'][number]) => string) =>
      [a, b].every(({ trials }) => new Set(trials.map(pick)).size === 1)
    const oneModel = isOne(({ model }) => model)
    const oneVariant = isOne(({ variant }) => variant)
    const [first] = b.trials
    const trials = run.trials.map((trial) => ({
      ...trial,
      ...(oneModel && first ? { model: first.model } : {}),
      ...(oneVariant && first ? { variant: first.variant } : {}),
    }))
    return { ...run, trials }
  }
  const left = rename(a)
  const right = rename(b)
  const shared = (run: EvalRun, other: EvalRun) => {
    const keys = new Set(other.trials.map(cellOf))
    return run.trials.filter((trial) => keys.has(cellOf(trial)))
  }
  return {
    tasks: pair(summarize(left.trials).tasks, summarize(right.trials).tasks),
    totals: pair(summarize(shared(left, right)).totals, summarize(shared(right, left)).totals),
  }
}

const cellOf = ({ task, model, variant }: Pick<SummaryRow, 'task' | 'model' | 'variant'>): string =>
  JSON.stringify([task, model, variant])

function pair(a: readonly SummaryRow[], b: readonly SummaryRow[]): DiffRow[] {
  const left = new Map(a.map((row) => [cellOf(row), row]))
  const right = new Map(b.map((row) => [cellOf(row), row]))
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((key) => {
    const [one, other] = [left.get(key), right.get(key)]
    const row = one ?? other
    if (!row) return []
    const { task, model, variant } = row
    return [
      { task, model, variant, ...compare(one, other), ...(one ? { a: one } : {}), ...(other ? { b: other } : {}) },
    ]
  })
}

function compare(a: SummaryRow | undefined, b: SummaryRow | undefined): Pick<DiffRow, 'change' | 'isCertain'> {
  if (!a || !b) return { change: a ? 'only-a' : 'only-b', isCertain: false }
  const isCertain = a.passes.high < b.passes.low || b.passes.high < a.passes.low
  const difference = b.passes.rate - a.passes.rate
  return { change: difference > 0 ? 'better' : difference < 0 ? 'worse' : 'same', isCertain }
}

const MARKS = { better: '▲', worse: '▼', same: ' ', 'only-a': '−', 'only-b': '+' } as const

export function formatDiff(diff: ReturnType<typeof diffRuns>): string {
  const header = ['', 'task', 'model', 'variant', 'passed', 'requests', 'calls', 'invalid', 'in', 'out', 'cost', 'time']
  const lines = [...diff.tasks, ...diff.totals].map(({ a, b, change, isCertain, ...row }) => {
    const both = (show: (one: SummaryRow) => string) => {
      const [left, right] = [a ? show(a) : '–', b ? show(b) : '–']
      return left === right ? left : `${left} → ${right}`
    }
    const number = (name: 'requests' | 'toolCalls' | 'invalidCalls') =>
      both(({ mean }) => mean[name].toFixed(1).replace('.0', ''))
    return [
      ...[`${MARKS[change]}${isCertain ? '!' : ''}`, row.task || 'all tasks', row.model, row.variant],
      both(({ passes }) => `${passes.passed}/${passes.of}`),
      ...[number('requests'), number('toolCalls'), number('invalidCalls')],
      ...[both(({ mean }) => formatTokens(mean.inputTokens)), both(({ mean }) => formatTokens(mean.outputTokens))],
      ...[both(({ mean }) => formatDollars(mean.costUsd)), both(({ mean }) => `${mean.seconds.toFixed(1)} s`)],
    ]
  })
  const widths = header.map((title, at) => Math.max(title.length, ...lines.map((cells) => cells[at]?.length ?? 0)))
  const show = (cells: readonly string[]) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd()
  return `${[header, ...lines].map(show).join('\n')}\n\n▲ better  ▼ worse  ! more than chance (95 %)  + − in one run only\n`
}
