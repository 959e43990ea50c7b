/** What a session cost: an entry on disk for every request, sums of them in every result, also after aborts, crashes and resumes. */
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { type Options, query, type SDKResultMessage } from 'kedge'
import { collect, startModelServer, type TestOptions, testOptions } from 'kedge/testing'
import { isolationsOf } from '../support/tier.js'
import { bothWays } from './both-ways.js'
import { MODEL } from './play-fault.js'

type CostLine = {
  type: string
  id: string
  model: string
  usage: { input_tokens: number; output_tokens: number }
  costUSD: number
  ok: boolean
  prices?: string
}

const round = (usd: number | undefined) => Number((usd ?? 0).toFixed(9))
const tokens = (result: SDKResultMessage | undefined) => [result?.usage.input_tokens, result?.usage.output_tokens]

/** What the session's file says about requests. */
function costLines({ env }: TestOptions): CostLine[] {
  const projects = join(String(env?.['CLAUDE_CONFIG_DIR'] ?? join(String(env?.['HOME']), '.claude')), 'projects')
  const files = readdirSync(projects, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'))
  assert.equal(files.length, 1)
  const text = readFileSync(join(projects, String(files[0])), 'utf8')
  const lines: CostLine[] = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).kedge ?? JSON.parse(line))
  return lines.filter(({ type }) => type.startsWith('cost-'))
}

bothWays(
  'every request is an entry on disk, and the result is their sum, broken and repeated ones too',
  () => [
    { tools: [{ name: 'Glob', input: { pattern: '*.none' } }], usage: { input_tokens: 1000 } },
    { text: 'Broken off', cutAfterEvents: 3, usage: { input_tokens: 2000 } },
    { text: 'Done.', usage: { input_tokens: 4000 } },
  ],
  {},
  async ({ options }) => {
    const { result, error } = await collect(query({ prompt: 'Go.', options }))
    assert.equal(error, undefined)
    const lines = costLines(options)
    const closed = lines.filter(({ type }) => type === 'cost-entry')
    assert.deepEqual(
      closed.map(({ model, usage, ok }) => [model, usage.input_tokens, usage.output_tokens, ok]),
      [
        [MODEL, 1000, 5, true],
        [MODEL, 2000, 1, false],
        [MODEL, 4000, 5, true],
      ],
    )
    assert.ok(closed.every(({ prices }) => /^\d{4}-\d\d-\d\d$/.test(prices ?? '')))
    assert.deepEqual(tokens(result), [7000, 11])
    assert.equal(round(result?.total_cost_usd), round((7000 * 3 + 11 * 15) / 1e6))
    assert.equal(round(result?.total_cost_usd), round(closed.reduce((sum, { costUSD }) => sum + costUSD, 0)))
    assert.equal(result?.modelUsage[MODEL]?.costUSD, result?.total_cost_usd)
    // What was written while a request ran has the id of its end, and only then counts for anything without it.
    assert.deepEqual(new Set(lines.map(({ id }) => id)), new Set(closed.map(({ id }) => id)))
    const resumed = await collect(
      query({ prompt: 'Again.', options: { ...options, resume: result?.session_id, model: 'practice' } }),
    )
    assert.equal(round(resumed.result?.session_total_cost_usd), round(result?.total_cost_usd))
  },
)

bothWays(
  'a resumed query counts itself; what the session cost in all stands beside it',
  () => [100, 20, 3].map((tokens) => ({ text: 'Yes.', usage: { input_tokens: tokens, output_tokens: 1 } })),
  {},
  async ({ options }) => {
    const usd = (inputTokens: number, answers: number) => round((inputTokens * 3 + answers * 15) / 1e6)
    const first = await collect(query({ prompt: 'One.', options }))
    const { session_id: resume = '', session_total_cost_usd: before } = first.result ?? {}
    assert.deepEqual([round(first.result?.total_cost_usd), before], [usd(100, 1), undefined])
    const second = await collect(query({ prompt: 'Two.', options: { ...options, resume } }))
    assert.deepEqual(
      [round(second.result?.total_cost_usd), round(second.result?.session_total_cost_usd)],
      [usd(20, 1), usd(120, 2)],
    )
    const third = await collect(query({ prompt: 'Three.', options: { ...options, resume } }))
    const { result } = third
    const inAll = result?.session_model_usage?.[MODEL]
    assert.deepEqual([tokens(result)[0], result?.modelUsage[MODEL]?.inputTokens, inAll?.inputTokens], [3, 3, 123])
    assert.deepEqual([round(result?.total_cost_usd), round(result?.session_total_cost_usd)], [usd(3, 1), usd(123, 3)])
  },
)

bothWays(
  'how much came from the cache is told of the whole session, and not at all where nothing was cached',
  () => [
    { text: 'Yes.', usage: { input_tokens: 100 } },
    { text: 'Yes.', usage: { input_tokens: 100, cache_creation_input_tokens: 800 } },
    { text: 'Yes.', usage: { input_tokens: 200, cache_read_input_tokens: 800 } },
  ],
  {},
  async ({ options }) => {
    const { result: first } = await collect(query({ prompt: 'One.', options }))
    assert.equal('cache_hit_rate' in (first ?? {}), false)
    const resumed = { ...options, resume: first?.session_id }
    const rates = []
    for (const prompt of ['Two.', 'Three.'])
      rates.push((await collect(query({ prompt, options: resumed }))).result?.cache_hit_rate)
    assert.deepEqual(rates, [0, 0.4])
  },
)

/** Without what the one token of an answer costs. */
const cents = (usd = 0) => Number(usd.toFixed(3))

describe('cost', { concurrency: 4, timeout: 400_000 }, () => {
  for (const isolation of isolationsOf('an interrupted answer counts as far')) {
    test(`an interrupted answer counts as far as it was announced (${isolation})`, async () => {
      const slow = { text: 'Never whole.', stallAfterEvents: 3, usage: { input_tokens: 500 } }
      await using server = await startModelServer([slow])
      await using options = testOptions(server, { model: MODEL, isolation, includePartialMessages: true })
      const running = query({ prompt: 'Go.', options })
      let result: SDKResultMessage | undefined
      for await (const message of running) {
        if (message.type === 'stream_event' && message.event.type === 'content_block_start') await running.interrupt()
        if (message.type === 'result') result = message
      }
      assert.equal(result?.terminal_reason, 'aborted_streaming')
      assert.deepEqual(tokens(result), [500, 1])
      assert.equal(round(result?.total_cost_usd), round((500 * 3 + 15) / 1e6))
      assert.equal(round(result?.modelUsage[MODEL]?.costUSD), round(result?.total_cost_usd))
    })
  }

  test('an agent that is killed in the middle of an answer: the resumed session has it in its sums', async () => {
    const slow = { text: 'Never whole.', stallAfterEvents: 3, usage: { input_tokens: 500 } }
    await using server = await startModelServer([{ text: 'One.', usage: { input_tokens: 100 } }, slow, 'Back.'])
    await using options = testOptions(server, { model: MODEL, isolation: 'process', includePartialMessages: true })
    const { result: one } = await collect(query({ prompt: 'Go.', options }))
    const doomed: Options = { ...options, resume: one?.session_id }
    const running = query({ prompt: 'On.', options: doomed })
    await assert.rejects(async () => {
      for await (const message of running) {
        if (message.type !== 'stream_event' || message.event.type !== 'content_block_start') continue
        assert.ok(running.pid)
        process.kill(running.pid, 'SIGKILL')
      }
    }, /terminated by signal SIGKILL/)
    const types = () => costLines(options).map(({ type, usage }) => [type, usage.input_tokens])
    const first = [
      ['cost-open', 100],
      ['cost-entry', 100],
      ['cost-open', 500],
    ]
    assert.deepEqual(types(), first)
    const back = await collect(query({ prompt: 'Back again.', options: doomed }))
    assert.equal(back.error, undefined)
    assert.deepEqual(types(), [...first, ['cost-entry', 500], ['cost-open', 10], ['cost-entry', 10]])
    const sum = [100 + 500 + 10, 5 + 1 + 5]
    const inAll = back.result?.session_model_usage?.[MODEL]
    assert.deepEqual([inAll?.inputTokens, inAll?.outputTokens], sum)
    assert.equal(round(back.result?.session_total_cost_usd), round(((sum[0] ?? 0) * 3 + (sum[1] ?? 0) * 15) / 1e6))
    // The turn itself is only what it asked.
    assert.deepEqual(tokens(back.result), [10, 5])
  })

  test('prices of the settings count, for models we know and for those we do not', async () => {
    const usage = { input_tokens: 100_000, output_tokens: 1 }
    const modelPrices = { 'my-own-model': { input: 2, output: 10 }, 'claude-sonnet-4-5': { input: 1, output: 1 } }
    for (const [model, usd] of [
      ['my-own-model', 0.2],
      [MODEL, 0.1],
      ['claude-opus-4-6', 0.5],
    ] as const) {
      await using server = await startModelServer([{ text: 'Hi.', usage }])
      await using options = testOptions(server, { model, settings: { modelPrices } })
      const { messages, result, error } = await collect(query({ prompt: 'Go.', options }))
      assert.equal(error, undefined)
      assert.deepEqual([cents(result?.total_cost_usd), result?.unpriced_models], [usd, undefined], model)
      assert.ok(!messages.some((message) => message.type === 'system' && message.subtype === 'informational'))
      assert.equal(costLines(options).at(-1)?.prices === 'settings', usd !== 0.5)
    }
  })

  test('a budget goes by the prices of the settings', async () => {
    const settings = { modelPrices: { 'my-own-model': { input: 2, output: 10 } } }
    await using server = await startModelServer([{ text: 'Hi.', usage: { input_tokens: 100_000 } }])
    await using options = testOptions(server, { model: 'my-own-model', settings, maxBudgetUsd: 0.1 })
    const { result } = await collect(query({ prompt: 'Go.', options }))
    assert.equal(result?.terminal_reason, 'budget_exhausted')
  })

  test('a repository can not set prices, and wrong ones are named and not used', async () => {
    await using server = await startModelServer([{ text: 'Hi.', usage: { input_tokens: 100_000, output_tokens: 1 } }])
    let stderr = ''
    await using options = testOptions(server, {
      model: MODEL,
      settingSources: ['project'],
      settings: { modelPrices: { 'my-own-model': { input: -1, output: 1 } } },
      stderr: (text) => {
        stderr += text
      },
    })
    mkdirSync(join(options.cwd, '.claude'))
    const free = { modelPrices: { 'claude-sonnet-4-5': { input: 0, output: 0 } } }
    writeFileSync(join(options.cwd, '.claude', 'settings.json'), JSON.stringify(free))
    const { result } = await collect(query({ prompt: 'Go.', options }))
    assert.equal(cents(result?.total_cost_usd), 0.3)
    assert.match(stderr, /settings\.json.*modelPrices/)
    assert.match(stderr, /modelPrices.*my-own-model.*input/)
  })
})
