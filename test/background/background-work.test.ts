/**
 * C07: work in the background is killed or lost, and the run still says success.
 * https://github.com/anthropics/claude-code/issues/94392 · https://github.com/anthropics/claude-code/issues/85066
 * https://github.com/anthropics/claude-code-action/issues/1499 · https://github.com/anthropics/claude-code/issues/75036
 * https://github.com/open-gsd/gsd-pi/issues/1855 · https://github.com/QwenLM/qwen-code/issues/3379
 * https://github.com/netease-lcap/wave-agent/issues/1053 · https://github.com/tintinweb/pi-subagents/issues/48
 *
 * T: `onTurnEnd` wait, detach or cancel, with a ceiling; what was canceled makes the result no success and the exit code not 0, and each
 * task carries the true reason; results list what still runs and say whether another result follows; a task that ends after the first
 * result is told of and has its turn. (DECISIONS B: a result without `pending_tasks` is the last of its turn; there is no second field
 * for the same thing.)
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { query } from 'kedge'
import { bash, call, kedge, lines, play, system, withModel } from '../support/stage.js'
import { isolationsOf } from '../support/tier.js'

const start = (line: string) => call('Bash', { command: line, run_in_background: true })

for (const isolation of isolationsOf('C07 wait: the task that ends')) {
  test(`C07 wait: the task that ends after the first result is told of, and its turn has the last result (${isolation})`, async () => {
    const run = await play([start('sleep 1; echo built'), 'Started.', { text: 'It is built.' }], {
      isolation,
      allowedTools: ['Bash'],
    })
    const [first, last] = run.results
    assert.equal(run.results.length, 2)
    assert.equal(first?.pending_tasks?.length, 1)
    assert.equal(last?.pending_tasks, undefined)
    assert.ok(last?.subtype === 'success' && last.result === 'It is built.')
    const [notice] = system(run.messages, 'task_notification')
    assert.equal(notice?.status, 'completed')
    assert.equal(notice?.task_id, first?.pending_tasks?.[0]?.task_id)
    assert.ok(run.messages.indexOf(first ?? last) < run.messages.indexOf(notice))
  })

  test(`C07 cancel, ceiling, host: no success, and the reason of each is the true one (${isolation})`, async () => {
    const cases = [
      { options: { onTurnEnd: 'cancel' as const }, reason: /onTurnEnd/ },
      { options: { backgroundCeilingMs: 50 }, reason: /backgroundCeilingMs/ },
    ]
    for (const { options, reason } of cases) {
      const run = await play([start('sleep 300'), 'Started.'], { isolation, allowedTools: ['Bash'], ...options })
      const last = run.results.at(-1)
      assert.deepEqual(
        [last?.subtype, last?.is_error, last?.terminal_reason],
        ['error_during_execution', true, 'background_cancelled'],
      )
      assert.ok(run.error instanceof Error, 'a string prompt that ends so throws, as any failed run does')
      const [notice] = system(run.messages, 'task_notification')
      assert.equal(notice?.status, 'stopped')
      assert.match(notice?.summary ?? '', reason)
      assert.doesNotMatch(notice?.summary ?? '', /user/i)
    }
    await withModel([start('sleep 300'), 'Started.'], { isolation, allowedTools: ['Bash'] }, async ({ options }) => {
      const running = query({ prompt: 'Go.', options })
      const reasons: string[] = []
      for await (const message of running) {
        const [task] = message.type === 'result' ? (message.pending_tasks ?? []) : []
        if (task) await running.stopTask(task.task_id)
        if (message.type === 'system' && message.subtype === 'task_notification') reasons.push(message.summary)
      }
      assert.equal(reasons.length, 1)
      // Who stopped it knows why; no other reason is made up.
      assert.doesNotMatch(reasons[0] ?? '', /ceiling|onTurnEnd/i)
    })
  })
}

test('C07 detach: the query ends with its last result, and the result names what goes on', async () => {
  await withModel(
    [start('sleep 300'), 'Started.'],
    { allowedTools: ['Bash'], onTurnEnd: 'detach' },
    async ({ options }) => {
      await using running = query({ prompt: 'Go.', options })
      const results = []
      for await (const message of running) if (message.type === 'result') results.push(message)
      assert.deepEqual(
        results.map((result) => [result.subtype, result.pending_tasks?.length]),
        [['success', 1]],
      )
    },
  )
})

test('C07 kedge -p: what was canceled makes the exit code 1; what was waited for makes it 0', async () => {
  const flags = ['-p', 'Go.', '--output-format', 'stream-json', '--verbose', '--allowedTools', 'Bash']
  await withModel([start('sleep 300'), 'Started.'], {}, async ({ options }) => {
    const { code, stdout } = await kedge([...flags, '--on-turn-end', 'cancel'], options)
    assert.equal(code, 1)
    const last = lines(stdout).at(-1)
    assert.ok(last?.type === 'result' && last.is_error)
  })
  await withModel([start('echo ok'), 'Started.', 'It has ended.'], {}, async ({ options }) => {
    const { code, stdout } = await kedge(flags, options)
    assert.equal(code, 0)
    assert.equal(lines(stdout).filter(({ type }) => type === 'result').length, 2)
  })
})

test('C07 no turn says success for work that it did not do: an agent in the background ends before the run does', async () => {
  const task = { description: 'Review', prompt: 'REVIEW.', subagent_type: 'general-purpose', run_in_background: true }
  const turns = [call('Task', task), 'Started.', 'Reviewed.', 'The review says fine.']
  await withModel(
    ({ opening, toolResults, body }) => {
      if (opening.includes('REVIEW')) return toolResults.length > 0 ? 'Reviewed: fine.' : bash('echo fine')
      return turns[body.messages.filter(({ role }) => role === 'assistant').length] ?? 'The review says fine.'
    },
    { allowedTools: ['Bash'] },
    async ({ options }) => {
      const flags = ['-p', 'Go.', '--output-format', 'json', '--allowedTools', 'Bash']
      const { code, stdout } = await kedge(flags, options)
      assert.equal(code, 0)
      const result = JSON.parse(stdout)
      assert.equal(result.pending_tasks, undefined)
      assert.match(result.result, /Reviewed|fine/)
    },
  )
})
