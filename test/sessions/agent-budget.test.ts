/** Budgets of sub-agents: what they may use is told to them, and they end when it is spent. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Options, query } from 'kedge'
import { collect, startModelServer, testOptions } from 'kedge/testing'

const task = {
  tools: [{ id: 'toolu_t', name: 'Task', input: { subagent_type: 'helper', description: 'Help', prompt: 'Help me.' } }],
}
const read = (id: string) => ({ tools: [{ id, name: 'Glob', input: { pattern: '*' } }] })

async function run(agent: object, answers: Parameters<typeof startModelServer>[0]) {
  await using server = await startModelServer(answers)
  await using options = testOptions(server)
  const agents: Options['agents'] = { helper: { description: 'Helps.', prompt: 'Help.', ...agent } }
  const { results } = await collect(query({ prompt: 'Go.', options: { ...options, agents } }))
  return { results, bodies: server.requests.map(({ body }) => JSON.stringify(body)) }
}

test('maxTokens: the agent is told its budget and what is left of it, and ends when it is spent', async () => {
  const used = (tokens: number) => ({ usage: { input_tokens: tokens, output_tokens: 0 } })
  const { results, bodies } = await run({ maxTokens: 1000 }, [
    task,
    { ...read('toolu_1'), ...used(600) },
    { ...read('toolu_2'), ...used(600) },
    'It did not finish.',
  ])
  assert.equal(results[0]?.subtype, 'success')
  assert.match(bodies[1] ?? '', /Your budget for this: 1000 tokens\./)
  assert.match(bodies[2] ?? '', /Left of your budget: \d+ tokens\./)
  // Two requests of the agent, and no third: its parent hears why.
  assert.equal(bodies.length, 4)
  assert.match(bodies[3] ?? '', /did not finish: its budget/)
})

test('maxBudgetUsd ends an agent as well; without a budget nothing is said of one', async () => {
  const spent = await run({ maxBudgetUsd: 0.000001 }, [task, read('toolu_1'), 'It did not finish.'])
  assert.equal(spent.bodies.length, 3)
  assert.match(spent.bodies[2] ?? '', /did not finish: its budget/)
  const free = await run({}, [task, 'Done.', 'All done.'])
  assert.doesNotMatch(free.bodies.join(), /budget/)
})

test('a budget that means nothing is refused by name', async () => {
  for (const wrong of [{ maxTokens: -1 }, { maxTokens: 'many' }, { maxBudgetUsd: -1 }])
    await assert.rejects(run(wrong, []), /maxTokens|maxBudgetUsd|option|agents/)
})
