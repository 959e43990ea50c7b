// What each folder of tests may cost in `npm test`: starts of Node, and its share of the processor time in percent.
// The whole may start Node 900 times. Seconds are not budgeted, because machines differ. Shares are only printed if other work took
// most of the machine: what polls while it waits costs more then. The shares of all folders add up to more than 100: each has room to grow.
import { readFileSync, writeFileSync } from 'node:fs'

const PLACE = new URL('./test-budgets.json', import.meta.url)
const HELP =
  'Start fewer processes, or move cases to npm run test:all; if it is worth it, raise scripts/test-budgets.json.'

/** Of a whole run. */
const MOST_STARTS = 900

export const readBudgets = () => JSON.parse(readFileSync(PLACE, 'utf8'))

/** Whether a run got less than half of the processors. */
export const isCrowded = (cpuMs, wallMs, processors) => cpuMs < wallMs * processors * 0.5

export function findOverruns(folders, budgets, isBusy = false) {
  const whole = Object.values(folders).reduce((sum, { cpuMs }) => sum + cpuMs, 0)
  const started = Object.values(folders).reduce((sum, { starts }) => sum + starts, 0)
  const tooMany =
    started > MOST_STARTS ? [`all folders: ${started} starts of Node, the budget is ${MOST_STARTS}. ${HELP}`] : []
  const overruns = Object.entries(folders).flatMap(([folder, { cpuMs, starts }]) => {
    const budget = budgets[folder]
    if (budget === undefined) return [`${folder}: has no budget. Add it to scripts/test-budgets.json.`]
    const share = Math.round((100 * cpuMs) / whole)
    return [
      ...(starts > budget.starts
        ? [`${folder}: ${starts} starts of Node, the budget is ${budget.starts}. ${HELP}`]
        : []),
      ...(share > budget.share && !isBusy
        ? [`${folder}: ${share} % of the processor time, the budget is ${budget.share} %. ${HELP}`]
        : []),
    ]
  })
  return [...tooMany, ...overruns]
}

/**
 * `node scripts/test-budgets.mjs` after a whole run: a quarter more than it took, and room for what a seed chooses. One run has
 * more process halves in a folder than another: three times the root of their number is more than all but one in a thousand have.
 */
if (process.argv[1]?.endsWith('test-budgets.mjs')) {
  const { folders, whole } = JSON.parse(readFileSync(new URL('../.build/test-cost.json', import.meta.url), 'utf8'))
  const budgets = Object.entries(folders).map(([folder, { starts, cpuMs }]) => [
    folder,
    {
      starts: Math.ceil(starts * 1.25 + 3 * Math.sqrt(starts)) + 8,
      share: Math.ceil((125 * cpuMs) / whole.cpuMs) + 4,
    },
  ])
  writeFileSync(PLACE, `${JSON.stringify(Object.fromEntries(budgets), undefined, 2)}\n`)
}
