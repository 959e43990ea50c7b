// Parts of `npm run bench` in which somebody else is slow: the disk, the reader. Each against the same work with a fast one.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { answer, gaps, MODEL, now } from './support/model.mjs'
import { median } from './support/statistics.mjs'
import { root, start, startHost } from './support/subjects.mjs'

const SLOW_FILES = join(root, 'bench', 'support', 'slow-files.cjs')
const LATE_MS = 20
const CALLS = 12
const DELTAS = 20_000

/** Every call of the file system takes 20 ms more: what that adds says how many are made one after the other. */
export function slowDisk(world) {
  const path = join(world.cwd, 'notes.txt')
  writeFileSync(path, 'a line of text as programs have it\n'.repeat(40))
  const measure = async (subject, isSlow) => {
    const [program, ...args] = subject.command
    const command = isSlow ? [program, '--require', SLOW_FILES, ...args] : subject.command
    const call = () => answer({ name: 'Read', input: { file_path: path } })
    const run = world.model.run((n) => (n <= CALLS ? call() : answer('Done.')))
    const started = now()
    await start({ ...subject, command }, { ...world, url: run.url }).ended
    run.end()
    return { start: run.requests[0] - started, turn: median(gaps(run).slice(4)) }
  }
  return async (subject) => {
    const [fast, slow] = [await measure(subject, false), await measure(subject, true)]
    const calls = (what) => (slow[what] - fast[what]) / LATE_MS
    return { slowTurn: calls('turn'), slowStart: calls('start'), slowTimes: slow.turn / fast.turn }
  }
}

/** A reader who is 20 ms late with every fiftieth message, and one who is not. */
export function lateReader(world) {
  const texts = new Map([DELTAS, 2 * DELTAS].map((deltas) => [deltas, answer({ deltas })]))
  const read = async (deltas, isLate) => {
    const run = world.model.run(() => texts.get(deltas))
    const options = { includePartialMessages: true }
    const host = startHost({ kind: 'late', model: MODEL, options, isLate }, { ...world, url: run.url }, ['--expose-gc'])
    const report = await host.next()
    await host.ended
    run.end()
    if (report.count < deltas) throw new Error(`${report.count} of ${deltas} events came`)
    return report
  }
  return async () => {
    const fast = await read(DELTAS, false)
    const [late, twice] = [await read(DELTAS, true), await read(2 * DELTAS, true)]
    return { lateCpu: late.cpu / fast.cpu, lateHeap: late.heap, lateGrowth: twice.heap / late.heap }
  }
}
