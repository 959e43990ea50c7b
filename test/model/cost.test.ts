/**
 * C31: numbers about cost and use mislead.
 * https://github.com/anthropics/claude-agent-sdk-python/issues/609 · https://github.com/anthropics/claude-code/issues/49872
 * https://github.com/anthropics/claude-agent-sdk-typescript/issues/80 · https://github.com/anthropics/claude-agent-sdk-typescript/issues/112
 * https://github.com/anthropics/claude-code/issues/18732 · https://github.com/ClickHouse/nerve/issues/44
 * https://github.com/openai/codex/issues/8785 · https://github.com/zhukunpenglinyutong/jetbrains-cc-gui/issues/529
 *
 * T: one entry for every request, kept, with model, tokens by class, price table and USD; their sum is the result's total and that of its
 * models, also after abort, crash, compaction and requests of helpers; numbers of the turn and of the whole; prices of your own.
 * (DECISIONS A16 beats `null` for an unknown price: the numbers stay numbers, and `unpriced_models` names who is not in them.)
 */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { query, type SDKResultMessage } from 'kedge'
import { collect, script, type TestOptions } from 'kedge/testing'
import { bash, call, play, prompts, say, until, withModel } from '../support/stage.js'

type Entry = {
  type: string
  model: string
  costUSD: number
  usage: { input_tokens: number; output_tokens: number }
  prices?: string
  id?: string
}

function ledger(options: TestOptions): Entry[] {
  const projects = join(options.env['CLAUDE_CONFIG_DIR'] ?? '', 'projects')
  const files = readdirSync(projects, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.jsonl'))
  const lines = files.flatMap((file) => readFileSync(join(projects, file), 'utf8').split('\n').filter(Boolean))
  return lines
    .map((line): Entry => JSON.parse(line).kedge ?? JSON.parse(line))
    .filter(({ type }) => type === 'cost-entry')
}
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const close = (a: number, b: number, what: string) => assert.ok(Math.abs(a - b) < 1e-9, `${what}: ${a} and ${b}`)

function assertSums(result: SDKResultMessage | undefined, options: TestOptions): void {
  assert.ok(result)
  const entries = ledger(options)
  const total = result.session_total_cost_usd ?? result.total_cost_usd
  const models = Object.values(result.session_model_usage ?? result.modelUsage)
  close(sum(entries.map(({ costUSD }) => costUSD)), total, 'entries and total')
  close(sum(models.map(({ costUSD }) => costUSD)), total, 'models and total')
  const outputs = models.map(({ outputTokens }) => outputTokens)
  assert.equal(sum(entries.map(({ usage }) => usage.output_tokens)), sum(outputs))
  for (const { prices } of entries) assert.match(prices ?? '', /^\d{4}-\d\d-\d\d$|settings/)
}

test('C31 entries, total and models agree: tools, cache, a sub-agent with another model, a broken stream, a compaction', async () => {
  const usage = {
    input_tokens: 100,
    output_tokens: 50,
    cache_read_input_tokens: 4000,
    cache_creation_input_tokens: 300,
  }
  const task = { description: 'Work', prompt: 'WORK.', subagent_type: 'worker' }
  const model = script(
    [
      { ...bash('true'), usage },
      { text: 'Never whole.', usage, cutAfterEvents: 3 },
      { ...call('Task', task, 'toolu_t'), usage },
      { text: 'Done.', usage },
    ],
    { lanes: { worker: { when: { opening: 'WORK' }, turns: [{ text: 'Worked.', usage }] } } },
  )
  const agents = { worker: { description: 'Works', prompt: 'You work.', model: 'haiku' as const } }
  await withModel(model, { agents, allowedTools: ['Bash'] }, async ({ options }) => {
    const run = await collect(query({ prompt: 'Go.', options }))
    assert.equal(run.result?.subtype, 'success')
    assertSums(run.result, options)
    const [main, small] = Object.entries(run.result.modelUsage).sort(([a], [b]) => b.localeCompare(a))
    assert.match(`${main?.[0]} ${small?.[0]}`, /sonnet.*haiku/)
    assert.ok((main?.[1].cacheReadInputTokens ?? 0) >= 12_000)
    // Sonnet is paid as Sonnet: 3 and 15 USD a million, 3.75 for writing to the cache and 0.30 for reading.
    const {
      inputTokens = 0,
      outputTokens = 0,
      cacheReadInputTokens = 0,
      cacheCreationInputTokens = 0,
    } = main?.[1] ?? {}
    const paid =
      (inputTokens * 3 + outputTokens * 15 + cacheCreationInputTokens * 3.75 + cacheReadInputTokens * 0.3) / 1e6
    close(main?.[1].costUSD ?? 0, paid, 'price')
  })
  await withModel(
    () => ({ text: 'Summary.', usage }),
    {},
    async ({ options }) => {
      const first = await collect(query({ prompt: 'Go.', options }))
      const resume = first.result?.session_id ?? ''
      const second = await collect(query({ prompt: '/compact', options: { ...options, resume } }))
      assertSums(second.result, options)
    },
  )
})

test('C31 after an interrupt and in the next run nothing is lost; usage is of the turn, the total of the session', async () => {
  const usage = { input_tokens: 1000, output_tokens: 10 }
  const turns = [
    { text: 'One.', usage },
    { text: 'Cut short.', usage, stallAfterEvents: 4 },
    { text: 'Three.', usage },
  ]
  await withModel(turns, { includePartialMessages: true }, async ({ options }) => {
    const input = prompts()
    const running = query({ prompt: input.stream, options })
    const results: SDKResultMessage[] = []
    const turn = (interrupts = false) =>
      until(async () => {
        const { value } = await running.next()
        if (interrupts && value?.type === 'stream_event') await running.interrupt()
        if (value?.type === 'result') results.push(value)
        return value?.type === 'result'
      })
    input.send(say('First.'))
    await turn()
    input.send(say('Second.'))
    await turn(true)
    input.end()
    await collect(running)
    const [first, second] = results
    assert.ok(first && second && second.total_cost_usd > first.total_cost_usd)
    assertSums(second, options)
    const third = await collect(query({ prompt: 'Third.', options: { ...options, resume: second.session_id } }))
    assert.ok((third.result?.session_total_cost_usd ?? 0) > second.total_cost_usd)
    assert.ok((third.result?.total_cost_usd ?? 0) < second.total_cost_usd)
    assert.equal(third.result?.usage.input_tokens, 1000)
    assertSums(third.result, options)
  })
})

test('C31 a model without a price is named, and your own price counts', async () => {
  const unknown = await play(['Hello.'], { model: 'house-model' })
  assert.deepEqual([unknown.result?.unpriced_models, unknown.result?.total_cost_usd], [['house-model'], 0])
  const settings = { modelPrices: { 'house-model': { input: 1, output: 2 } } }
  const known = await play(['Hello.'], { model: 'house-model', settings })
  assert.equal(known.result?.unpriced_models, undefined)
  close(known.result?.total_cost_usd ?? 0, (10 * 1 + 5 * 2) / 1e6, 'own price')
})

test('C31 usage is not repeated by the several lines of one answer with several calls', async () => {
  const two = {
    tools: [...bash('true', 'toolu_1').tools, ...bash('true', 'toolu_2').tools],
    usage: { input_tokens: 7, output_tokens: 9 },
  }
  const run = await play([two, { text: 'Done.', usage: { input_tokens: 1, output_tokens: 1 } }], {
    allowedTools: ['Bash'],
  })
  assert.deepEqual([run.result?.usage.input_tokens, run.result?.usage.output_tokens], [8, 10])
})
