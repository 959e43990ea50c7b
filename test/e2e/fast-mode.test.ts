/** Fast answers: asked for by settings, sent where the model has them, and never counted at the price of slow ones. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { query } from 'kedge'
import { collect, startModelServer, type Turn, testOptions } from 'kedge/testing'

const usage = { input_tokens: 1000, output_tokens: 1000 }

async function run(model: string, settings: Record<string, unknown>, said: Turn = { text: 'Hi.', usage }) {
  await using server = await startModelServer([said])
  await using options = testOptions(server, { model, settings })
  const { messages, result } = await collect(query({ prompt: 'Go.', options }))
  const [init] = messages.flatMap((m) => (m.type === 'system' && m.subtype === 'init' ? [m] : []))
  const [request] = server.requests
  return {
    sent: [request?.body.speed, /fast-mode-2026-02-01/.test(String(request?.headers['anthropic-beta']))],
    state: init?.fast_mode_state,
    cost: result?.total_cost_usd,
    unpriced: result?.unpriced_models,
  }
}

test('fastMode of settings: the request, init.fast_mode_state and the cost are those of fast mode', async () => {
  const slow = await run('claude-opus-4-6', {})
  assert.deepEqual(slow, { sent: [undefined, false], state: 'off', cost: 0.03, unpriced: undefined })
  const fast = { sent: ['fast', true], state: 'on', unpriced: undefined }
  // An endpoint that does not repeat the speed has not made it cheaper.
  assert.deepEqual(await run('claude-opus-4-6', { fastMode: true }), { ...fast, cost: 0.18 })
  const prices = { 'claude-opus-5-5': { input: 10, output: 50, fast: 2 } }
  const priced = await run('claude-opus-5-5', { fastMode: true, modelPrices: prices })
  assert.deepEqual(priced, { ...fast, cost: 0.12 })
})

test('fastMode of a model whose price in it nobody knows: it is listed as unpriced', async () => {
  const known = { 'claude-opus-5-5': { input: 10, output: 50 } }
  const { sent, cost, unpriced } = await run('claude-opus-5-5', { fastMode: true, modelPrices: known })
  assert.deepEqual([sent, cost, unpriced], [['fast', true], 0, ['claude-opus-5-5']])
})

test('models without a fast mode are asked as ever', async () => {
  for (const model of ['claude-sonnet-4-6', 'claude-opus-4-5-20251101', 'a-model-of-mine']) {
    const { sent, state } = await run(model, { fastMode: true })
    assert.deepEqual([sent, state], [[undefined, false], 'off'], model)
  }
})

test('applyFlagSettings({ fastMode, effortLevel }) counts from the next request on', async () => {
  await using server = await startModelServer(['One.', 'Two.', 'Three.'])
  await using options = testOptions(server, { model: 'claude-opus-4-6' })
  const running = query({ prompt: null, options })
  await running.send('Go.')
  const changes = [true, null]
  for await (const { type } of running) {
    if (type !== 'result') continue
    const fastMode = changes.shift()
    if (fastMode === undefined) {
      running.endInput()
      continue
    }
    await running.applyFlagSettings({ fastMode, effortLevel: fastMode && 'low' })
    await running.send('Go.')
  }
  assert.deepEqual(
    server.requests.map(({ body }) => [body.speed, body.output_config]),
    [
      [undefined, undefined],
      ['fast', { effort: 'low' }],
      [undefined, undefined],
    ],
  )
})
