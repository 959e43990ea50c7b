/** The project's own tasks: all are complete, and a slice of them is played in this process. `npm run eval` plays all. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe } from 'node:test'
import { formatTable, readTasks, runEval } from 'kedge/eval'
import { sampledTest as it } from '../support/tier.js'

const tasks = readTasks(['eval/tasks'])
const named = (...names: string[]) => tasks.filter(({ name }) => names.includes(name))

describe('the tasks of the project', () => {
  it('are twenty, each with a description, a script and a check, through every interface', () => {
    assert.equal(tasks.length, 20)
    for (const { name, description, script } of tasks) {
      assert.match(description ?? '', /\.$/, name)
      assert.ok(script, name)
    }
    const interfaces = new Set(tasks.map((task) => task.interface ?? 'library'))
    assert.deepEqual([...interfaces].sort(), ['json', 'library', 'server', 'stream-json', 'text'])
  })

  it('that fail for a known reason are tasks', () => {
    const pending: Record<string, string[]> = JSON.parse(readFileSync('eval/pending.json', 'utf8'))
    const names = tasks.map(({ name }) => name)
    assert.deepEqual(
      Object.keys(pending).filter((name) => !names.includes(name)),
      [],
    )
  })

  it('are done by a capable and by a sloppy mind, which takes more requests', async () => {
    const slice = named('bug-fix', 'compaction', 'notebook', 'plan-approval', 'stale-file', 'two-agents')
    const run = await runEval({ tasks: slice, models: ['mind:capable', 'mind:sloppy'] })
    assert.deepEqual(
      run.trials.filter(({ passed }) => !passed),
      [],
      formatTable(run),
    )
    const requests = (model: string) =>
      run.trials.filter((trial) => trial.model === model).reduce((sum, { measures }) => sum + measures.requests, 0)
    assert.ok(requests('mind:sloppy') >= requests('mind:capable'))
  })

  it('keep a hostile mind within its bounds, and a small one gets there in more steps', async () => {
    const run = await runEval({ tasks: named('bug-fix'), models: ['mind:hostile', 'mind:small'] })
    assert.deepEqual(
      run.trials.map(({ passed }) => passed),
      [true, true],
      formatTable(run),
    )
    const hostile = run.trials.find(({ model }) => model === 'mind:hostile')
    assert.ok(Number(hostile?.measures.refusedCalls) >= 7)
  })
})
