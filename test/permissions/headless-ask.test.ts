/**
 * C12: a question that nobody can answer hangs a headless run.
 * https://github.com/anomalyco/opencode/issues/36762 · https://github.com/anomalyco/opencode/issues/3503
 * https://github.com/anomalyco/opencode/issues/16367 · https://github.com/google-gemini/gemini-cli/issues/12337
 * https://github.com/google-gemini/gemini-cli/issues/14244 · https://github.com/vercel/ai/issues/19801
 * https://github.com/omnigent-ai/omnigent/issues/8107
 *
 * T: without a handler a question is a `permission_denied` event at once; `--on-ask deny|fail`, the latter with a result that says so and exit code 1;
 * `permission_denials` is complete, those of sub-agents included.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { script } from 'kedge/testing'
import { bash, call, kedge, lines, play, system, withModel } from '../support/stage.js'
import { isolationsOf } from '../support/tier.js'

for (const isolation of isolationsOf('C12 nobody to ask: a permission_denied')) {
  test(`C12 nobody to ask: a permission_denied event, the run goes on (${isolation})`, async () => {
    const run = await play([bash('touch a'), 'Then not.'], { isolation })
    const [denied] = system(run.messages, 'permission_denied')
    assert.deepEqual([denied?.tool_name, denied?.tool_use_id], ['Bash', 'toolu_1'])
    assert.ok(denied?.decision_reason_type)
    assert.equal(run.result?.permission_denials.length, 1)
    assert.equal(run.result?.subtype, 'success')
  })
}

test('C12 permission_denials has those of sub-agents, in the foreground and in the background', async () => {
  for (const run_in_background of [false, true]) {
    const task = { description: 'Work', prompt: 'WORK.', subagent_type: 'general-purpose', run_in_background }
    const main = run_in_background ? ['Started.', 'Done.'] : ['Done.']
    const model = script([call('Task', task, 'toolu_t'), ...main], {
      lanes: { agent: { when: { opening: 'WORK' }, turns: [bash('touch a', 'toolu_w'), 'Not allowed.'] } },
    })
    const run = await play(model)
    const denials = run.results.flatMap((result) => result.permission_denials.map(({ tool_use_id }) => tool_use_id))
    assert.deepEqual(denials, ['toolu_w'], run_in_background ? 'background' : 'foreground')
  }
})

test('C12 --on-ask deny goes on, --on-ask fail ends with a result that says so and exit code 1', async () => {
  const flags = ['-p', 'Go.', '--output-format', 'stream-json', '--verbose']
  await withModel([bash('touch a'), 'Then not.'], {}, async ({ options }) => {
    const { code, stdout } = await kedge([...flags, '--on-ask', 'deny'], options)
    assert.equal(code, 0)
    assert.equal(system(lines(stdout), 'permission_denied').length, 1)
  })
  await withModel([bash('touch a')], {}, async ({ options }) => {
    const { code, stdout } = await kedge([...flags, '--on-ask', 'fail'], options)
    assert.equal(code, 1)
    const last = lines(stdout).at(-1)
    assert.ok(last?.type === 'result' && last.is_error)
    assert.deepEqual([last.terminal_reason, last.error_code], ['permission_required', 'permission_required'])
    assert.equal(last.permission_denials.length, 1)
  })
})

test("C12 onAsk: 'fail' in the library: an error after the result", async () => {
  const run = await play([bash('touch a')], { onAsk: 'fail' })
  assert.equal(run.result?.terminal_reason, 'permission_required')
  assert.ok(run.error instanceof Error)
})
