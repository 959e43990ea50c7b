/** `kedge eval` as people type it: a first task, exit codes, being the model by hand, a run that is killed and continued. */
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe } from 'node:test'
import { eventually, within } from '../support/eventually.js'
import { sampledTest as it } from '../support/tier.js'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-eval-command-')))
after(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})
const command = join(process.cwd(), 'dist', 'kedge.cjs')

type Ended = { code: number; out: string; err: string }

function kedge(args: string[], input = ''): Promise<Ended> {
  return new Promise((settle) => {
    const child = execFile(process.execPath, [command, 'eval', ...args], { cwd: folder }, (error, out, err) => {
      settle({ code: error ? Number(error.code) : 0, out, err })
    })
    child.stdin?.end(input)
  })
}

/** Those of a test that fails are ended with it: by hand, a run waits for ever. */
const children: ChildProcess[] = []

function started(args: string[], cwd = folder): ChildProcess {
  const child = spawn(process.execPath, [command, 'eval', ...args], { cwd, stdio: 'ignore' })
  children.push(child)
  return child
}

const ended = (child: ChildProcess): Promise<number | null> => new Promise((settle) => child.once('exit', settle))

describe('kedge eval', () => {
  it('leads from nothing to a table and a report', async () => {
    const made = await kedge(['init', 'tasks/first'])
    assert.equal(made.code, 0, made.err)
    const models = ['--model', 'practice', '--model', 'mind:small']
    const run = await kedge(['run', 'tasks', ...models, '--out', 'results', '--junit', 'junit.xml'])
    assert.equal(run.code, 0, `${run.out}${run.err}`)
    assert.match(run.out, /first +practice +1\/1/)
    assert.match(run.out, /Report: results\/report\.html/)
    assert.match(run.err, /✔ first · mind:small \(\d\/2\): 3 requests/)
    for (const file of ['results/report.html', 'results/results.json', 'junit.xml'])
      assert.ok(existsSync(join(folder, file)), file)
    const again = await kedge(['run', 'tasks', ...models, '--out', 'results'])
    assert.deepEqual([again.code, again.err], [0, ''])
    const diff = await kedge(['diff', 'results', 'results', '--fail'])
    assert.deepEqual([diff.code, /first +practice +default +1\/1/.test(diff.out)], [0, true])
  })

  it('takes answers that are typed, and asks again for one it cannot read', async () => {
    const answers = [
      '> Read {"file_path":"greeting.txt"}\n.',
      '> Edit {"file_path"\n.',
      '> Edit {"file_path":"greeting.txt","old_string":"world","new_string":"Kedge"}\n.',
      'Done.\n.\n',
    ]
    const run = await kedge(['run', 'tasks', '--by-hand', '--out', 'typed'], answers.join('\n'))
    assert.equal(run.code, 0, `${run.out}${run.err}`)
    assert.match(run.out, /=== request 1 \(a new conversation\)/)
    assert.match(run.out, /=== request 3 \(continues 2\)/)
    assert.match(run.out, /The input of Edit isn't valid JSON/)
    assert.match(run.out, /first +by-hand +1\/1/)
  })

  it('goes on after kill -9 with what had not ended; the model is somebody who writes files', async () => {
    const args = ['run', 'tasks', '--hand-folder', 'hand', '--repeat', '2', '--jobs', '1', '--out', 'killed']
    const first = started(args)
    const waiting = await kedge(['hand', 'next', 'hand'])
    assert.match(waiting.out, /Replace "world" with "Kedge"/)
    // One trial ends, without its work done; the next one waits for an answer for ever.
    assert.equal((await kedge(['hand', 'reply', 'hand', '1'], 'No.')).code, 0)
    await eventually('the second trial asks', () => existsSync(join(folder, 'hand', '0002.md')))
    const exit = ended(first)
    first.kill('SIGKILL')
    await exit
    writeFileSync(join(folder, 'killed', 'trials.jsonl'), '{"torn', { flag: 'a' })
    const second = started(args)
    await eventually('the trial that was killed asks again', () => existsSync(join(folder, 'hand', '0003.md')))
    await kedge(['hand', 'reply', 'hand', '3'], 'No.')
    assert.equal(await ended(second), 1)
    const trials = readFileSync(join(folder, 'killed', 'trials.jsonl'), 'utf8')
      .trim()
      .split('\n')
    assert.deepEqual(
      trials.map((line) => JSON.parse(line).repetition),
      [1, 2],
    )
  })

  it('ends on SIGTERM although its working directory is gone, with its results where they were asked for', async () => {
    const inner = join(folder, 'inner')
    mkdirSync(inner)
    const flags = ['--out', '../left', '--hand-folder', '../left-hand', '--junit', '../left.xml']
    const child = started(['run', '../tasks', '--jobs', '1', ...flags], inner)
    await eventually('the trial asks', () => existsSync(join(folder, 'left-hand', '0001.md')))
    const exit = ended(child)
    rmSync(inner, { recursive: true })
    child.kill('SIGTERM')
    assert.equal(await within('the end of the run', exit), 3)
    for (const file of ['left/report.html', 'left-hand/0001.md', 'left.xml'])
      assert.ok(existsSync(join(folder, file)), file)
  })

  for (const [args, words] of [
    [['run', 'tasks'], /No model given\. Use --model/],
    [['run', 'nowhere', '--model', 'practice'], /there is no such folder/],
    [['run', 'tasks', '--model', 'practice', '--repeat', 'x'], /--repeat must be between 1 and 10000, got x\./],
    [['play'], /unknown command 'kedge eval play'/],
  ] as const) {
    it(`exits with 2 and says what is wrong: ${args.join(' ')}`, async () => {
      const { code, err } = await kedge([...args])
      assert.equal(code, 2)
      assert.match(err, words)
    })
  }
})
