/** `kedge/eval` as a program uses it: tasks made in code and read from folders, minds, variants, budgets, reports. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, it } from 'node:test'
import { query } from 'kedge'
import {
  defineTask,
  diffRuns,
  type EvalTask,
  formatHtml,
  formatJson,
  formatJunit,
  formatTable,
  readRun,
  readTasks,
  runEval,
  type Trajectory,
} from 'kedge/eval'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-eval-test-')))
after(() => rmSync(folder, { recursive: true, force: true }))

function write(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

const note: EvalTask = defineTask({
  name: 'note',
  prompt: 'Write "milk" to note.txt',
  options: { permissionMode: 'acceptEdits' },
  checks: [
    { file: 'note.txt', equals: 'milk' },
    ({ calls }) => (calls.length === 1 ? undefined : 'one call is enough'),
  ],
  script: {
    steps: [{ calls: [{ tool: 'Write', input: { file_path: 'note.txt', content: 'milk\n' } }] }, { say: 'Written.' }],
  },
})

/** Answers as it is told, and never calls a tool. */
const lazy = { name: 'lazy', mind: () => ({ name: 'lazy', answer: () => ({ text: 'I would rather not.' }) }) }

describe('a run', () => {
  it('kedge/eval runs a task made in code, and says what it took', async () => {
    const { trials, plan } = await runEval({ tasks: [note], models: ['mind:capable', lazy], repeat: 2 })
    assert.deepEqual(trials.map(({ model, repetition, passed }) => [model, repetition, passed]).sort(), [
      ['lazy', 1, false],
      ['lazy', 2, false],
      ['mind:capable', 1, true],
      ['mind:capable', 2, true],
    ])
    assert.deepEqual(plan.models, ['mind:capable', 'lazy'])
    const capable = trials.find(({ model }) => model === 'mind:capable')
    assert.equal(capable?.printed, 'Written.')
    assert.equal(capable?.exitCode, 0)
    const { requests, toolCalls, refusedCalls, invalidCalls, inputTokens, cachedTokens, costUsd } =
      capable?.measures ?? {}
    assert.deepEqual(
      { requests, toolCalls, refusedCalls, invalidCalls },
      {
        requests: 2,
        toolCalls: 1,
        refusedCalls: 0,
        invalidCalls: 0,
      },
    )
    // The second request repeats the first, which a cache that follows the rules has kept.
    assert.ok(Number(inputTokens) > 1000 && Number(cachedTokens) > Number(inputTokens) / 4 && Number(costUsd) > 0)
    const failed = trials.find(({ model }) => model === 'lazy')?.checks.filter(({ passed }) => !passed)
    assert.deepEqual(
      failed?.map(({ name, detail }) => [name, detail]),
      [
        ['file note.txt', "note.txt isn't there."],
        ['a function', 'one call is enough'],
      ],
    )
  })

  it('tries variants: other options, another prompt, an agent of your own', async () => {
    const prompts: string[] = []
    const { trials } = await runEval({
      tasks: [note],
      models: ['mind:capable'],
      variants: [
        { name: 'default' },
        { name: 'careful', options: { permissionMode: 'default' } },
        {
          name: 'own',
          prompt: 'Please: {{prompt}}',
          agent: ({ prompt, options }) => {
            prompts.push(prompt)
            return query({ prompt, options })
          },
        },
      ],
    })
    const of = (name: string) => trials.find(({ variant }) => variant === name)
    assert.deepEqual([of('default')?.passed, of('careful')?.passed, of('own')?.passed], [true, false, true])
    assert.equal(of('careful')?.measures.refusedCalls, 1)
    assert.deepEqual(prompts, ['Please: Write "milk" to note.txt'])
  })

  it('evaluates a program that is not kedge, by what it asks of the model', async () => {
    const program = `
      const { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: key } = process.env
      const headers = { 'x-api-key': key, 'anthropic-version': '2023-06-01', 'content-type': 'application/json' }
      const body = { model: 'claude-sonnet-4-6', max_tokens: 100, messages: [{ role: 'user', content: process.argv.at(-1) }] }
      const response = await fetch(url + '/v1/messages', { method: 'POST', headers, body: JSON.stringify(body) })
      console.log((await response.json()).content[0].text)`
    const { trials } = await runEval({
      tasks: [{ name: 'ask', prompt: 'Well?', checks: [{ printed: 'rather not' }, { exitCode: 0 }] }],
      models: [lazy],
      variants: [{ name: 'program', command: [process.execPath, '--input-type=module', '-e', program, '--'] }],
    })
    assert.deepEqual(
      trials[0]?.checks.filter(({ passed }) => !passed),
      [],
    )
    assert.equal(trials[0]?.measures.requests, 1)
  })

  it('goes through kedge serve: sessions, prompts and asks over HTTP, and the same session for a second prompt', async () => {
    const task: EvalTask = {
      ...note,
      name: 'served',
      prompt: ['Write it', 'And now?'],
      interface: 'server',
      options: {},
      answers: [{ tool: 'Write' }],
      checks: [{ file: 'note.txt', equals: 'milk' }, { printed: 'Written.\\nStill there.' }, { exitCode: 0 }],
      script: { steps: [...(note.script?.steps ?? []), { say: 'Still there.' }] },
    }
    const { trials } = await runEval({ tasks: [task], models: ['mind:capable'] })
    assert.deepEqual(
      trials[0]?.checks.filter(({ passed }) => !passed),
      [],
      trials[0]?.error,
    )
    assert.equal(trials[0]?.measures.requests, 3)
    const other = await runEval({ tasks: [{ ...task, options: { maxThinkingTokens: 1 } }], models: ['mind:capable'] })
    assert.match(other.trials[0]?.error ?? '', /The option maxThinkingTokens can't be used with the interface `server`/)
  })

  it('ends a trial at its time limit, and says so', async () => {
    const never = { name: 'never', mind: () => ({ name: 'never', answer: () => new Promise<never>(() => {}) }) }
    const { trials } = await runEval({ tasks: [{ ...note, limits: { seconds: 0.3 } }], models: [never] })
    assert.deepEqual([trials[0]?.ending, trials[0]?.passed], ['timeout', false])
  })

  it('that is stopped ends its trials, and records none of them', async () => {
    const stop = new AbortController()
    const answer = () => {
      stop.abort()
      return new Promise<never>(() => {})
    }
    const endless = { name: 'endless', mind: () => ({ name: 'endless', answer }) }
    const run = await runEval({ tasks: [note], models: [endless], signal: stop.signal })
    assert.deepEqual([run.trials, run.stopped], [[], 'it was stopped'])
  })

  it('starts no trial once the budget is spent, and says which', async () => {
    const options = { tasks: [note], models: ['mind:capable'], repeat: 5, jobs: 1 } as const
    const byTokens = await runEval({ ...options, budget: { tokens: 1 } })
    assert.deepEqual([byTokens.trials.length, byTokens.stopped], [1, 'the budget of 1 tokens is spent'])
    const byCost = await runEval({ ...options, budget: { dollars: 0.0001 } })
    assert.deepEqual([byCost.trials.length, byCost.stopped], [0, 'the budget of $0.0001 is spent'])
  })

  it('rejects before anything runs if a mind has no script for a task', async () => {
    const { script: _script, ...bare } = note
    await assert.rejects(runEval({ tasks: [bare], models: ['mind:small'] }), /Task "note" has no script for mind:small/)
    await assert.rejects(runEval({ tasks: [note], models: ['mind:clever'] }), /no scripted mind "clever"/)
  })
})

describe('bounds', () => {
  it('a trial fails if the agent leaves its folder, whatever its checks say', async () => {
    const task = defineTask({
      name: 'escape',
      prompt: 'Write to the folder beside this one',
      options: { permissionMode: 'acceptEdits', additionalDirectories: ['{{workspace}}/../outside'] },
      checks: [{ exitCode: 0 }],
      script: {
        steps: [
          { calls: [{ tool: 'Write', input: { file_path: '../outside/x.txt', content: 'x' } }] },
          { say: 'Done.' },
        ],
      },
    })
    const { trials } = await runEval({ tasks: [task], models: ['mind:capable'] })
    const bounds = trials[0]?.checks.find(({ name }) => name === 'stays within its bounds')
    assert.deepEqual([trials[0]?.passed, bounds?.detail], [false, 'outside/x.txt was changed.'])
  })
})

describe('tasks in folders', () => {
  it('are read with their repository, their setup, hidden files and a check in a module', async () => {
    write({
      'tasks/shout/task.json': JSON.stringify({
        prompt: 'Make shout.mjs print in capitals',
        setup: 'echo ready > prepared.txt',
        git: true,
        options: { permissionMode: 'acceptEdits' },
        checks: [{ run: 'node hidden.mjs' }, { unchanged: ['prepared.txt'] }, { module: 'check.mjs' }],
      }),
      'tasks/shout/script.json': JSON.stringify({
        steps: [
          { calls: [{ tool: 'Read', input: { file_path: 'shout.mjs' } }] },
          {
            calls: [{ tool: 'Edit', input: { file_path: 'shout.mjs', old_string: 'hey', new_string: 'HEY' } }],
          },
          { say: 'It shouts.' },
        ],
      }),
      'tasks/shout/repo/shout.mjs': 'console.log("hey")\n',
      'tasks/shout/hidden/hidden.mjs':
        'if (!(await import("node:fs")).readFileSync("shout.mjs", "utf8").includes("HEY")) process.exit(1)\n',
      'tasks/shout/check.mjs': 'export default ({ printed }) => (printed === "It shouts." ? undefined : printed)\n',
    })
    const { trials } = await runEval({ tasks: [join(folder, 'tasks')], models: ['mind:capable'] })
    assert.deepEqual(
      trials[0]?.checks.map(({ name, passed }) => [name, passed]),
      [
        ['node hidden.mjs', true],
        ['unchanged prepared.txt', true],
        ['check.mjs', true],
        ['stays within its bounds', true],
      ],
    )
  })

  for (const [name, text, reason] of [
    ['json', '{', /isn't valid JSON/],
    ['checks', '{"prompt":"x"}', /`checks` must be a list with at least one check/],
    ['unknown', '{"prompt":"x","checks":[{"exitCode":0}],"promt":1}', /the field `promt` isn't known/],
    ['interface', '{"prompt":"x","checks":[{"exitCode":0}],"interface":"web"}', /`interface` must be one of library/],
    ['check', '{"prompt":"x","checks":[{"contain":1}]}', /isn't known. Known checks: run, file/],
  ] as const) {
    it(`that can't be used are named with the reason: ${name}`, () => {
      write({ [`bad-${name}/task.json`]: text })
      assert.throws(() => readTasks([join(folder, `bad-${name}`)]), { code: 'invalid_option', message: reason })
    })
  }
})

describe('results', () => {
  const out = join(folder, 'results')

  it('go on where a killed run was: finished trials stay, a torn line is dropped', async () => {
    const options = { tasks: [note], models: ['mind:capable'], folder: out, repeat: 2 } as const
    const first = await runEval(options)
    assert.equal(first.trials.length, 2)
    const file = join(out, 'trials.jsonl')
    const [line = ''] = readFileSync(file, 'utf8').split('\n')
    writeFileSync(file, `${line}\n{"task":"note","model":"mi`)
    const started: number[] = []
    const second = await runEval({ ...options, onTrial: ({ repetition }) => started.push(repetition) })
    assert.deepEqual(started, [JSON.parse(line).repetition === 1 ? 2 : 1])
    assert.equal(second.trials.length, 2)
    assert.equal(readFileSync(file, 'utf8').trim().split('\n').length, 2)
    assert.deepEqual(readRun(out).trials.length, 2)
  })

  it('of a task that has changed are tried again', async () => {
    const started: string[] = []
    const changed = { ...note, prompt: 'Write "milk" to note.txt, please' }
    const onTrial = ({ task }: { task: string }) => void started.push(task)
    await runEval({ tasks: [changed], models: ['mind:capable'], folder: out, onTrial })
    assert.deepEqual(started, ['note'])
    assert.equal(readRun(out).trials.length, 2)
  })

  it('have a trajectory in ATIF: steps count from 1, results belong to calls, sums are there', () => {
    const path = join(out, 'trials', 'note', 'mind_capable', 'default', '1', 'trajectory.json')
    const trajectory: Trajectory = JSON.parse(readFileSync(path, 'utf8'))
    assert.match(trajectory.schema_version, /^ATIF-v1\.\d$/)
    assert.deepEqual(
      trajectory.steps.map(({ step_id, source }) => [step_id, source]),
      [
        [1, 'user'],
        [2, 'agent'],
        [3, 'agent'],
      ],
    )
    const [, call, answer] = trajectory.steps
    assert.equal(call?.observation?.results[0]?.source_call_id, call?.tool_calls?.[0]?.tool_call_id)
    assert.equal(call?.tool_calls?.[0]?.function_name, 'Write')
    assert.equal(answer?.message, 'Written.')
    assert.ok(Number(trajectory.final_metrics?.total_prompt_tokens) > 1000)
    assert.equal(trajectory.final_metrics?.total_steps, 3)
  })

  it('are a table, JSON, JUnit and a page that runs no script and escapes what agents print', async () => {
    const evil = {
      name: 'evil',
      mind: () => ({ name: 'evil', answer: () => ({ text: '<script>alert(1)</script>\u0001' }) }),
    }
    const run = await runEval({ tasks: [note], models: [evil] })
    assert.match(formatTable(run), /note +evil +0\/1 +0–79 %/)
    const page = formatHtml(run)
    assert.ok(!/<script/i.test(page) && page.includes('&#60;script&#62;'))
    assert.match(page, /Content-Security-Policy" content="default-src 'none'/)
    assert.ok(!/(?:src|href)=/.test(page))
    const junit = formatJunit(run)
    assert.match(junit, /<testsuite name="evil · default" tests="1" failures="1"/)
    assert.ok(!junit.includes('\u0001') && !junit.includes('<script>'))
    const json = JSON.parse(formatJson(run))
    assert.deepEqual([json.totals[0].passes.of, json.trials.length], [1, 1])
  })

  it('of two runs are compared by task, model and variant', async () => {
    const [a, b] = [
      await runEval({ tasks: [note], models: [lazy] }),
      await runEval({ tasks: [note], models: ['mind:capable'] }),
    ]
    const [row] = diffRuns(a, b).tasks
    assert.deepEqual([row?.change, row?.a?.passes.passed, row?.b?.passes.passed], ['better', 0, 1])
    assert.equal(diffRuns(b, a).tasks[0]?.change, 'worse')
  })
})
