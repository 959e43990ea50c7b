/** Models that fail, and others that go on: across vendors, by what happened, said and counted. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Options, query, type SDKMessage } from 'kedge'
import { collect, startModelServer, type TestOptions, type Turn, testOptions } from 'kedge/testing'
import { eventually } from '../support/eventually.js'
import { type Reply, startModelApi, status } from '../support/model-api.js'
import { answered } from '../support/openai-api.js'

const MODEL = 'claude-sonnet-4-5-20250929'

async function withTwo(
  t: TestContext,
  first: Turn[],
  second: Reply[],
  settings: object,
  play: (options: TestOptions, asked: () => number[]) => Promise<void>,
  overrides: Options = {},
): Promise<void> {
  await using server = await startModelServer(first)
  const other = await startModelApi(second)
  t.after(() => other.close())
  await using options = testOptions(server, {
    model: MODEL,
    settingSources: ['user'],
    includeNotices: true,
    ...overrides,
    env: { CLAUDE_CODE_MAX_RETRIES: '2' },
  })
  const models = { m: { contextWindow: 100_000 } }
  const modelProviders = { other: { baseUrl: `${other.url}/v1`, models } }
  const folder = String(options.env['CLAUDE_CONFIG_DIR'])
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'settings.json'), JSON.stringify({ modelProviders, ...settings }))
  await play(options, () => [server.requests.length, other.seen.length])
}

const switches = (messages: readonly SDKMessage[]) =>
  messages.flatMap((one) =>
    one.type === 'system' && one.subtype === 'model_fallback'
      ? [[one.trigger, one.original_model, one.fallback_model]]
      : [],
  )
const say = (text: string) => answered('chat', { blocks: [{ text: [text] }] })

test('another vendor’s model goes on where the first has used up its limit, and the rest of the turn is its own', async (t) => {
  const modelFallbacks = [{ model: 'other/m', on: ['rate_limited'] }]
  const first: Turn[] = [
    { tools: [{ name: 'Glob', input: { pattern: '*.none' } }] },
    { status: 429, headers: { 'retry-after': '60' } },
  ]
  const call = answered('chat', { blocks: [{ tool: 'Glob', id: 'c1', json: ['{"pattern":"*.nil"}'] }] })
  await withTwo(t, first, [call, say('Done elsewhere.')], { modelFallbacks }, async (options, asked) => {
    const { result, messages } = await collect(query({ prompt: 'Go.', options }))
    assert.ok(result?.subtype === 'success', JSON.stringify(result))
    assert.equal(result.result, 'Done elsewhere.')
    assert.deepEqual(switches(messages), [['rate_limited', MODEL, 'other/m']])
    assert.deepEqual(asked(), [2, 2])
    assert.deepEqual(Object.keys(result.modelUsage).sort(), [MODEL, 'other/m'])
  })
})

test('each reason has its own model; what none is meant for ends the turn', async (t) => {
  const modelFallbacks = [{ model: 'other/m', on: ['down'] }]
  const tooLong = { status: 400, error: { message: 'prompt is too long: 300000 tokens > 200000 maximum' } }
  await withTwo(t, [tooLong], [], { modelFallbacks }, async (options, asked) => {
    const { result, messages } = await collect(query({ prompt: 'Go.', options }))
    assert.deepEqual([result?.is_error, switches(messages), asked()], [true, [], [1, 0]])
  })
})

test('a refusal is asked of another model, which never sees it', async (t) => {
  const modelFallbacks = [{ model: 'other/m', on: ['refused'] }]
  const first: Turn[] = [{ text: 'I can not help with that.', stopReason: 'refusal' }]
  await withTwo(t, first, [say('Of course.')], { modelFallbacks }, async (options) => {
    const { result, messages } = await collect(query({ prompt: 'Go.', options }))
    assert.ok(result?.subtype === 'success' && result.result === 'Of course.', JSON.stringify(result))
    assert.deepEqual(switches(messages), [['refused', MODEL, 'other/m']])
  })
})

test('several fallback models, as a list with commas and as a setting', async (t) => {
  const busy = { status: 529 }
  const replies = [...Array.from({ length: 3 }, () => status(503, { error: { message: 'busy' } })), say('Third.')]
  const ways: [object, Options][] = [
    [{}, { fallbackModel: 'other/m, other/m2' }],
    [{ fallbackModel: ['other/m', 'other/m2'] }, {}],
  ]
  for (const [settings, overrides] of ways) {
    const script = [busy, busy, busy]
    const play = async (options: TestOptions) => {
      const { result, messages } = await collect(query({ prompt: 'Go.', options }))
      assert.ok(result?.subtype === 'success' && result.result === 'Third.', JSON.stringify(result))
      assert.deepEqual(
        switches(messages).map(([, from, to]) => [from, to]),
        [
          [MODEL, 'other/m'],
          ['other/m', 'other/m2'],
        ],
      )
    }
    await withTwo(t, script, replies, settings, play, overrides)
  }
})

test('what one session has learned of a model, the next need not try', async (t) => {
  const busy = { status: 529 }
  const settings = { modelFallbacks: [{ model: 'other/m' }] }
  const run = async (options: TestOptions, asked: () => number[]) => {
    const results: unknown[] = []
    for (const _ of [1, 2]) {
      const { result } = await collect(query({ prompt: 'Go.', options }))
      results.push(result?.subtype === 'success' && result.result)
    }
    assert.deepEqual(
      [results, asked()],
      [
        ['One.', 'Two.'],
        [3, 2],
      ],
    )
  }
  await withTwo(t, [busy, busy, busy], [say('One.'), say('Two.')], settings, run, { isolation: 'in-process' })
})

test('sessions of a process share a limit', async (t) => {
  let running = 0
  let most = 0
  let begun = 0
  const slow: Reply = async (response, seen) => {
    running += 1
    most = Math.max(most, running)
    await eventually('all of them have begun', () => begun === replies.length)
    await nextTurn()
    running -= 1
    await say('Ok.')(response, seen)
  }
  const settings = { modelLimits: { other: { concurrent: 2 } } }
  const replies = Array.from({ length: 6 }, () => slow)
  const run = async (options: TestOptions) => {
    const all = replies.map(async () => {
      let ended: string | undefined
      for await (const message of query({ prompt: 'Go.', options })) {
        if (message.type === 'system' && message.subtype === 'init') begun += 1
        if (message.type === 'result') ended = message.subtype
      }
      return ended
    })
    const results = await Promise.all(all)
    assert.deepEqual([new Set(results), most], [new Set(['success']), 2])
  }
  await withTwo(t, [], replies, settings, run, { model: 'other/m', isolation: 'in-process' })
})
