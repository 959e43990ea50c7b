// `npm run eval`: the project's own tasks, eval/tasks, with the four scripted minds; no key and no network are needed. Tasks that
// fail for a known reason are in eval/pending.json, and one that passes must be taken off it. With `--model` the tasks go to that
// model instead: npm run eval -- --model claude-sonnet-4-6 --repeat 5 --max-cost 10
// `npm run eval -- --figures` writes the table of docs/eval-figures.md.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildAll } from './build.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const MINDS = ['mind:capable', 'mind:sloppy', 'mind:small', 'mind:hostile']

const given = process.argv.slice(2).filter((word) => word !== '--figures')
const wantsFigures = process.argv.includes('--figures')
const isLive = given.some((word) => /^--(?:model|by-hand|hand-folder)/.test(word))
const out = join(root, '.build', 'eval')
await buildAll({ quiet: true, onlyIfNeeded: true })

const argv = [join(root, 'dist', 'kedge.cjs'), 'eval', 'run', join(root, 'eval', 'tasks')]
if (!isLive) {
  rmSync(out, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  argv.push(...MINDS.flatMap((name) => ['--model', name]), '--out', out)
}
const { status } = spawnSync(process.execPath, [...argv, ...given], { stdio: 'inherit', cwd: root })
process.exitCode = isLive || status === null || status > 1 ? (status ?? 1) : compare()

/** 0 if exactly the pending trials fail. */
function compare() {
  const { trials } = JSON.parse(readFileSync(join(out, 'results.json'), 'utf8'))
  const pending = JSON.parse(readFileSync(join(root, 'eval', 'pending.json'), 'utf8'))
  const isPending = ({ task, model }) => pending[task]?.includes(model) === true
  const name = ({ task, model }) => `${task} · ${model}`
  const broken = trials.filter((trial) => !trial.passed && !isPending(trial)).map(name)
  const mended = trials.filter((trial) => trial.passed && isPending(trial)).map(name)
  for (const one of broken) console.log(`fails and is not pending: ${one}`)
  for (const one of mended) console.log(`passes now, take it off eval/pending.json: ${one}`)
  if (wantsFigures) writeFigures(trials)
  console.log(`${trials.filter(({ passed }) => passed).length} of ${trials.length} trials passed`)
  return broken.length + mended.length === 0 ? 0 : 1
}

/** Requests and tokens per task and mind; those of the Claude Agent SDK were counted once, outside of the project. */
function writeFigures(trials) {
  const page = join(root, 'docs', 'eval-figures.md')
  const counted = join(root, 'eval', 'figures-agent-sdk.json')
  const other = existsSync(counted) ? JSON.parse(readFileSync(counted, 'utf8')) : undefined
  const cell = (found) => {
    if (!found) return '–'
    const { passed = true, requests, inputTokens } = found
    return `${passed ? '' : '✖ '}${requests} · ${(inputTokens / 1000).toFixed(1)}k`
  }
  const of = (task, model) => trials.find((trial) => trial.task === task && trial.model === model)
  const flat = (trial) => trial && { passed: trial.passed, ...trial.measures }
  const tasks = [...new Set(trials.map(({ task }) => task))].sort()
  const sdk = other ? [`Claude Agent SDK ${other.version}`] : []
  const header = ['task', ...MINDS.map((name) => name.replace('mind:', '')), ...sdk]
  const rows = tasks.map((task) => [
    task,
    ...MINDS.map((model) => cell(flat(of(task, model)))),
    ...(other ? [cell(other.tasks[task])] : []),
  ])
  const line = (cells) => `| ${cells.join(' | ')} |`
  const table = [line(header), `|${'---|'.repeat(header.length)}`, ...rows.map(line)].join('\n')
  const text = readFileSync(page, 'utf8')
  writeFileSync(
    page,
    text.replace(/<!-- table -->[\s\S]*<!-- end -->/, () => `<!-- table -->\n${table}\n<!-- end -->`),
  )
  console.log(`written: ${page}`)
}
