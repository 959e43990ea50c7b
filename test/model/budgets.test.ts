/**
 * C32: budgets and deadlines leak.
 * https://github.com/anthropics/claude-agent-sdk-python/issues/1273 · https://github.com/Smart-AI-Memory/attune-ai/issues/162
 * https://github.com/nicobailon/pi-subagents/issues/1779 · https://github.com/OpenHands/software-agent-sdk/issues/3845
 *
 * T: limits in USD, tokens, calls and time for a run and for a sub-agent, which has what its parent has left; no more than one answer over;
 * always the matching error with what there is so far; also after /clear. (The time limit is called `timeoutMs`. docs/cost.md: a
 * budget is for one run, as in the original; a resumed session gets one of its own.)
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Options, query, type SDKMessage } from 'kedge'
import { collect, type Run, script } from 'kedge/testing'
import { bash, call, kedge, play, prompts, say, until, withModel } from '../support/stage.js'

let ids = 0
const more = (usage: object = {}) => ({ ...bash('true', `toolu_${ids++}`), usage })
const dear = { input_tokens: 100_000, output_tokens: 0 }
// Whoever overlooks a limit is stopped in the end, and found out.
const open: Options = { allowedTools: ['Bash', 'Task'], maxTurns: 12 }
const agents = { worker: { description: 'Works', prompt: 'You work.' } }
const task = (prompt = 'WORK.') =>
  call('Task', { description: 'Work', prompt, subagent_type: 'worker' }, `toolu_${ids++}`)

/** How the run ended; nobody hangs, and one result says it. */
function ending(run: Run<SDKMessage>) {
  assert.equal(run.results.length, 1)
  return [run.results[0]?.subtype, run.results[0]?.terminal_reason]
}

test('C32 USD: at most one answer over, in the main thread and in a sub-agent, and the parent does not hang', async () => {
  // 30 cents each, so the second answer goes over.
  const main = await play(() => more(dear), { ...open, maxBudgetUsd: 0.5 })
  assert.deepEqual(ending(main), ['error_max_budget_usd', 'budget_exhausted'])
  assert.equal(main.server.requests.length, 2)
  const inside = await play(({ opening }) => (opening.includes('WORK') ? more(dear) : task()), {
    ...open,
    agents,
    maxBudgetUsd: 0.5,
  })
  assert.deepEqual(ending(inside), ['error_max_budget_usd', 'budget_exhausted'])
  assert.equal(inside.server.requests.length, 3)
})

test('C32 USD: ten sub-agents at once share what is left', async () => {
  const ten = { tools: Array.from({ length: 10 }, () => task()).flatMap(({ tools }) => tools) }
  const run = await play(({ opening }) => (opening.includes('WORK') ? more(dear) : ten), {
    ...open,
    agents,
    maxBudgetUsd: 0.5,
  })
  assert.equal(run.result?.subtype, 'error_max_budget_usd')
  // Each may have had one answer under way when it was over.
  assert.ok(run.server.requests.length <= 1 + 10 + 2, `${run.server.requests.length} requests`)
})

test('C32 maxTokens and maxToolCalls: the run ends with a result that says which limit it was', async () => {
  const tokens = await play(() => more({ input_tokens: 600, output_tokens: 0 }), { ...open, maxTokens: 1000 })
  assert.deepEqual(ending(tokens), ['error_during_execution', 'max_tokens'])
  assert.equal(tokens.server.requests.length, 2)
  const calls = await play(() => more(), { ...open, maxToolCalls: 3 })
  assert.deepEqual(ending(calls), ['error_during_execution', 'max_tool_calls'])
  const ran = calls.messages.filter(({ type }) => type === 'user')
  assert.equal(ran.length, 3)
  const inside = await play(({ opening }) => (opening.includes('WORK') ? more() : task()), {
    ...open,
    agents,
    maxToolCalls: 3,
  })
  assert.deepEqual(ending(inside), ['error_during_execution', 'max_tool_calls'])
})

test('C32 turns of a sub-agent: an honest result, and the parent goes on', async () => {
  const model = script([task(), 'I go on.'], {
    lanes: { worker: { when: { opening: 'WORK' }, turns: [{ text: 'So far: half.', ...more() }] } },
  })
  const run = await play(model, { ...open, agents: { worker: { ...agents.worker, maxTurns: 1 } } })
  assert.ok(run.result?.subtype === 'success' && run.result.result === 'I go on.')
  assert.match(JSON.stringify(run.messages), /So far: half/)
})

test('C32 time: the run ends with its result, whatever is going on, also inside a sub-agent', async () => {
  for (const where of ['main', 'agent']) {
    const run = await play(
      ({ opening }) => (where === 'main' || opening.includes('WORK') ? bash('sleep 300', `toolu_${ids++}`) : task()),
      { ...open, agents, timeoutMs: 1500 },
    )
    assert.deepEqual(ending(run), ['error_during_execution', 'timeout'])
  }
})

test('C32 /clear does not give the budget back', async () => {
  await withModel(
    () => more(dear),
    { ...open, maxBudgetUsd: 0.5 },
    async ({ options, server }) => {
      const input = prompts()
      await using running = query({ prompt: input.stream, options })
      const subtypes: string[] = []
      const turn = (text: string) => {
        input.send(say(text))
        return until(async () => {
          const { value } = await running.next()
          if (value?.type === 'result') subtypes.push(value.subtype)
          return value?.type === 'result'
        })
      }
      await turn('First.')
      await turn('/clear')
      await turn('Second.')
      input.end()
      await collect(running)
      assert.deepEqual(
        [subtypes[0], subtypes[2], server.requests.length],
        ['error_max_budget_usd', 'error_max_budget_usd', 2],
      )
    },
  )
})

test('C32 --max-tokens and --max-tool-calls on the command line', async () => {
  for (const [flag, limit, reason] of [
    ['--max-tokens', '10', 'max_tokens'],
    ['--max-tool-calls', '1', 'max_tool_calls'],
  ] as const) {
    await withModel([more()], {}, async ({ options }) => {
      const flags = ['-p', 'Go.', '--output-format', 'json', '--allowedTools', 'Bash', flag, limit]
      const { code, stdout } = await kedge(flags, options)
      const { terminal_reason, error_code } = JSON.parse(stdout)
      assert.deepEqual([code, terminal_reason, error_code], [1, reason, reason])
    })
  }
})
