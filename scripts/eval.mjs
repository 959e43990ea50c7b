// `npm run eval`: the project's own tasks, eval/tasks, with the four scripted minds; no key and no network are needed. Tasks that
// fail for a known reason are in eval/pending.json, and one that passes must be taken off it. With `--model` the tasks go to that
// model instead: npm run eval -- --model claude-sonnet-4-6 --repeat 5 --max-cost 10
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildAll } from './build.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const MINDS = ['mind:capable', 'mind:sloppy', 'mind:small', 'mind:hostile']

const given = process.argv.slice(2)
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
  console.log(`${trials.filter(({ passed }) => passed).length} of ${trials.length} trials passed`)
  return broken.length + mended.length === 0 ? 0 : 1
}
