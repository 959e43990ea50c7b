// `npm run bench [-- A C …] [--rounds=N] [--originals=N] [--no-originals]`: one interleaved run, one table (Markdown), and the figures
// as JSON in bench/results/ (not in git). Kedge spawned, Kedge in-process, the floor, and the originals that are in the cache of the interop runs.
// It measures and judges nothing but the aims; docs/performance.md says how to read it.
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import * as parts from './parts.mjs'
import { judge, ROWS } from './rows.mjs'
import * as scale from './scale-parts.mjs'
import * as slow from './slow-parts.mjs'
import { installMegabytes } from './support/install-size.mjs'
import { startModel } from './support/model.mjs'
import { hasProc } from './support/processes.mjs'
import { interleaved } from './support/statistics.mjs'
import { createHome, findOriginals, floor, inProcess, kedge, root } from './support/subjects.mjs'

/** Rounds of ours and the floor, of each original; who takes part. */
const PARTS = {
  A: { set: parts.coldStart, rounds: 11, originals: 3 },
  B: { set: parts.toolTurns, rounds: 7, originals: 3 },
  C: { set: parts.textDeltas, rounds: 7, originals: 3 },
  D: { set: parts.crowd, rounds: 5, originals: 1 },
  E: { set: parts.longConversation, rounds: 3, originals: 1 },
  F: { set: parts.resume, rounds: 7, originals: 3 },
  G: { set: parts.search, rounds: 7, originals: 3 },
  apis: { set: parts.apis, rounds: 5, originals: 0, who: [inProcess] },
  prompt: { set: parts.prompt, rounds: 11, originals: 0, who: [kedge, floor] },
  sessions: { set: parts.manySessions, rounds: 3, originals: 0, who: [inProcess] },
  thousand: { set: parts.thousandSessions, rounds: 1, originals: 0, who: [inProcess] },
  readers: { set: scale.hubReaders, rounds: 3, originals: 0, who: [inProcess] },
  endless: { set: scale.endlessConversation, rounds: 1, originals: 0, who: [inProcess] },
  disk: { set: slow.slowDisk, rounds: 3, originals: 0, who: [kedge, floor] },
  late: { set: slow.lateReader, rounds: 3, originals: 0, who: [inProcess] },
  install: {
    set: () => async (subject) => ({ megabytes: installMegabytes(subject) }),
    rounds: 1,
    originals: 1,
    who: [kedge],
  },
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string' }, originals: { type: 'string' }, 'no-originals': { type: 'boolean' } },
})
const unknown = positionals.filter((part) => !Object.hasOwn(PARTS, part))
if (unknown.length > 0) {
  console.error(`no such part: ${unknown.join(', ')}. There are ${Object.keys(PARTS).join(', ')}.`)
  process.exit(1)
}
const wanted = positionals.length > 0 ? positionals : Object.keys(PARTS)
const originals = values['no-originals'] ? [] : findOriginals()
const subjects = [kedge, inProcess, floor, ...originals]
const began = new Date()
const load = loadavg()[0]
const results = {}
for (const name of wanted) {
  results[name] = await measurePart(name)
  // After each part: a run that is interrupted has not been for nothing.
  save()
}
print()

async function measurePart(name) {
  const { set, rounds, who } = PARTS[name]
  const fewer = Math.min(PARTS[name].originals, Number(values.originals ?? Number.POSITIVE_INFINITY))
  // Those of one round are long ones.
  const ours = rounds === 1 ? 1 : Number(values.rounds ?? rounds)
  const roundsOf = ({ isOriginal }) => (isOriginal ? Math.min(fewer, ours) : ours)
  const takingPart = [...(who ?? [kedge, inProcess, floor]), ...originals].filter((subject) => roundsOf(subject) > 0)
  const model = await startModel()
  const home = createHome()
  const measure = await set({ ...home, model })
  try {
    const started = performance.now()
    // Once without counting: the disk, the code cache, the model server.
    if (!['install', 'thousand', 'endless'].includes(name))
      for (const subject of takingPart) if (!subject.isOriginal || fewer > 1) await measure(subject)
    const figures = await interleaved(takingPart, roundsOf, measure)
    console.error(`${name}: ${((performance.now() - started) / 1000).toFixed(0)} s`)
    return figures
  } finally {
    measure.dispose?.()
    await model.close()
    home.dispose()
  }
}

function print() {
  const cell = (value, digits) => {
    if (value === undefined) return '–'
    const [middle, low, high] = [value.median, value.min, value.max].map((number) => number.toFixed(digits))
    return value.runs > 1 && low !== high ? `${middle} (${low}–${high})` : middle
  }
  const titles = ['work', kedge.name, 'aim', inProcess.name, 'aim', ...[floor, ...originals].map(({ name }) => name)]
  const lines = [titles, ['---', '---:', '---', '---:', '---', ...[floor, ...originals].map(() => '---:')]]
  for (const { part, label, figure, digits, spawned, inProcess: own } of ROWS) {
    const figures = results[part]
    if (!figures) continue
    const of = (subject) => figures[subject.name]?.[figure]
    const verdict = (aim, subject) => judge(aim, of(subject)?.median, of(floor)?.median)?.text ?? ''
    lines.push([
      part.length === 1 ? `${part} ${label}` : label,
      cell(of(kedge), digits),
      verdict(spawned, kedge),
      cell(of(inProcess), digits),
      verdict(own, inProcess),
      ...[floor, ...originals].map((subject) => cell(of(subject), digits)),
    ])
  }
  console.log(lines.map((line) => `| ${line.join(' | ')} |`).join('\n'))
  console.log(`\nMedians (least–most); ${machine()}, ${began.toISOString().slice(0, 16).replace('T', ' ')} UTC.`)
  if (!hasProc) console.log('No /proc here: processor time and memory of other processes are not in this table.')
  console.log(`${seconds().toFixed(0)} s in all; every figure in bench/results/last.json.`)
}

function seconds() {
  return (Date.now() - began.getTime()) / 1000
}

function machine() {
  return `${cpus().length} cores, ${process.arch}, Node ${process.version}, load ${load.toFixed(1)} at the start`
}

function save() {
  const folder = join(root, 'bench', 'results')
  mkdirSync(folder, { recursive: true })
  const names = subjects.map(({ name }) => name)
  const all = { began, seconds: seconds(), machine: machine(), subjects: names, results }
  writeFileSync(join(folder, 'last.json'), `${JSON.stringify(all, null, 1)}\n`)
}
