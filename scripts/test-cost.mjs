// What the tests cost: processor time, starts of Node and wall time per file and per folder. `scripts/test.mjs` prints
// the dearest files, and writes all of it to .build/test-cost.json.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'

const root = new URL('..', import.meta.url).pathname
const FOLDER = join(root, '.build', 'cost')

/** Begins to measure; `finish` returns the cost of each file. */
export function startMeasuring() {
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  process.env.KEDGE_TEST_COST = FOLDER
  const isCounted = process.platform === 'linux'
  const url = new URL('./test-starts.mjs', import.meta.url)
  const worker = isCounted ? new Worker(url, { workerData: { countBelow: process.pid } }) : undefined
  return {
    async finish() {
      const starts = await new Promise((resolve) => {
        if (worker === undefined) return resolve([])
        worker.once('message', resolve)
        worker.postMessage('stop')
      })
      return costPerFile(readSpans(), starts)
    },
  }
}

function readSpans() {
  return readdirSync(FOLDER).map((name) => ({
    pid: Number.parseInt(name, 10),
    spans: JSON.parse(readFileSync(join(FOLDER, name), 'utf8')),
  }))
}

/**
 * Loading modules before the first test is the cost of the first file. A start that belongs to no file, such as one of a
 * test process that was killed, is in the row `?`.
 */
export function costPerFile(processes, starts) {
  const files = new Map()
  const rowOf = (file) => {
    if (!files.has(file)) files.set(file, { cpuMs: 0, starts: 0, ms: 0 })
    return files.get(file)
  }
  for (const { spans } of processes) {
    const first = spans.find(({ file }) => file !== undefined)?.file
    for (const { file = first, ms, cpuMs } of spans) {
      const row = rowOf(file ?? '?')
      row.cpuMs += cpuMs
      row.ms += ms
    }
  }
  const spansOf = new Map(processes.map(({ pid, spans }) => [pid, spans]))
  for (const { owner, at } of starts) {
    const spans = spansOf.get(owner) ?? []
    const first = spans.find(({ file }) => file !== undefined)?.file
    const span = spans.findLast(({ from }) => from <= at)
    rowOf(span?.file ?? first ?? '?').starts += 1
  }
  return files
}

/** `test/<concern>`, `src/<folder>`: what budgets are for. */
export const folderOf = (file) => file.split('/').slice(0, 2).join('/')

export function costPerFolder(files) {
  const folders = {}
  for (const [file, cost] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    folders[folderOf(file)] ??= { cpuMs: 0, starts: 0, ms: 0, files: 0 }
    const row = folders[folderOf(file)]
    for (const key of ['cpuMs', 'starts', 'ms']) row[key] += cost[key]
    row.files += 1
  }
  return folders
}

/** The slowest tests that the table names. */
const SLOWEST = 200

/** Writes the whole table, and returns the lines for people. `durations` has the wall time of each test. */
export function reportCost(files, durations = []) {
  const folders = costPerFolder(files)
  const whole = Object.values(folders).reduce(
    (sum, row) => ({ cpuMs: sum.cpuMs + row.cpuMs, starts: sum.starts + row.starts }),
    { cpuMs: 0, starts: 0 },
  )
  const slowest = durations.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST)
  writeFileSync(
    join(root, '.build', 'test-cost.json'),
    `${JSON.stringify({ node: process.version, whole, folders, files: Object.fromEntries(files), slowest }, undefined, 2)}\n`,
  )
  const dearest = [...files].sort(([, a], [, b]) => b.cpuMs - a.cpuMs).slice(0, 10)
  return [
    'Dearest files (processor time, starts of Node, wall time):',
    ...dearest.map(([file, cost]) => line(file, cost)),
    `Cost: ${seconds(whole.cpuMs)} s of processor time, ${whole.starts} starts of Node; all of it: .build/test-cost.json`,
  ]
}

const seconds = (ms) => (ms / 1000).toFixed(1)
const line = (name, { cpuMs, starts, ms }) =>
  `${seconds(cpuMs).padStart(8)} s ${String(starts).padStart(5)} ${seconds(ms).padStart(8)} s  ${name}`
