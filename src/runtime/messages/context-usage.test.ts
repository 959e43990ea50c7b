import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../test/fast-check.js'
import type { ToolDefinition } from '../../engine/ports.js'
import { createTestConversation, neverAborted } from '../test-conversation.js'
import { measureContextUsage } from './context-usage.js'

type Setup = {
  tokens?: number
  window?: number
  env?: Record<string, string>
  tools?: ToolDefinition[]
  said?: string
  instructions?: string
  system?: string
  /** What the API counts; absent: it does not. */
  counted?: number
}

async function usageOf(setup: Setup) {
  const { tokens = 0, window = 200_000, env = {}, tools = [], said, instructions = '', system = 'S', counted } = setup
  const { conversation } = createTestConversation(
    {
      prompt: { system, append: undefined, own: '' },
      context: { tokens, failedAt: 0 },
      model: { current: () => 'big', contextWindow: () => window, countTokens: async () => counted },
      offer: { definitions: () => tools },
      shared: { live: { env }, project: { instructions: [], instructionsText: () => instructions } },
    },
    said === undefined ? {} : { messages: [{ role: 'user', content: said }] },
  )
  return measureContextUsage(conversation, neverAborted)
}

const tool = (name: string, description = ''): ToolDefinition => ({ name, description, input_schema: {} })
const tokensOf = ({ categories }: Awaited<ReturnType<typeof usageOf>>) =>
  Object.fromEntries(categories.map(({ id, tokens }) => [id, tokens]))

test('an empty session: its prompt is named though it is next to nothing, the rest is free or kept for a summary', async () => {
  const usage = await usageOf({})
  assert.deepEqual(usage, {
    categories: [
      { id: 'system_prompt', name: 'System prompt', tokens: 0, kind: 'used' },
      { id: 'messages', name: 'Messages', tokens: 1, kind: 'used' },
      { id: 'free_space', name: 'Free', tokens: 166_999, kind: 'free' },
      { id: 'compaction_buffer', name: 'Kept for a summary', tokens: 33_000, kind: 'buffer' },
    ],
    totalTokens: 1,
    maxTokens: 200_000,
    percentage: 0,
    model: 'big',
    counted: 'estimate',
  })
})

test('the tools of servers are told apart from ours, by their names', async () => {
  const long = 'x'.repeat(3600)
  const usage = tokensOf(await usageOf({ tools: [tool('Read', long), tool('mcp__a__b', long), tool('mcp', long)] }))
  const { system_tools: ours = 0, mcp_tools: ofServers = 0 } = usage
  assert.ok(ofServers > 900 && ours > 2 * ofServers - 50 && ours < 2 * ofServers + 50, JSON.stringify(usage))
})

test('instructions are part of the first message: they are counted once, and not before anything was said', async () => {
  const instructions = 'i'.repeat(3600)
  const before = tokensOf(await usageOf({ instructions }))
  assert.equal('memory_files' in before, false)
  const reminder = `<system-reminder>\n${instructions}\n</system-reminder>`
  const after = tokensOf(await usageOf({ instructions, said: reminder }))
  const { memory_files: files = 0, messages = 0 } = after
  assert.ok(files > 990 && messages < 50, JSON.stringify(after))
})

test('what the API counted is the sum, and a window that is full has nothing free', async () => {
  const usage = await usageOf({ tokens: 190_000, said: 'x'.repeat(1000) })
  assert.deepEqual([usage.totalTokens, usage.percentage], [190_000, 95])
  const { free_space: free, compaction_buffer: buffer } = tokensOf(usage)
  assert.deepEqual([free, buffer], [0, 10_000])
  const over = await usageOf({ tokens: 250_000 })
  assert.deepEqual([tokensOf(over)['free_space'], over.percentage], [0, 125])
  assert.equal('compaction_buffer' in tokensOf(over), false)
})

test('before there is an answer the API is asked to count, and an estimate is called one', async () => {
  const said = 'x'.repeat(36_000)
  const { totalTokens, counted } = await usageOf({ said, counted: 7000 })
  assert.deepEqual([totalTokens, counted], [7000, 'count_tokens'])
  const estimated = await usageOf({ said })
  assert.equal(estimated.counted, 'estimate')
  assert.ok(estimated.totalTokens > 9000 && estimated.totalTokens < 11_000)
  const answered = await usageOf({ said, counted: 7000, tokens: 6000 })
  assert.deepEqual([answered.totalTokens, answered.counted], [6000, 'answer'])
})

test('nothing is kept for a summary that is never made', async () => {
  const usage = tokensOf(await usageOf({ tokens: 1000, env: { DISABLE_AUTO_COMPACT: '1' } }))
  assert.deepEqual([usage['free_space'], usage['compaction_buffer']], [199_000, undefined])
})

test('the parts add up to the window, or to what was used where that is more', async () => {
  const setup = fc.record({
    tokens: fc.nat(400_000),
    window: fc.integer({ min: 1, max: 1_000_000 }),
    system: fc.string(),
    said: fc.string({ minLength: 1, maxLength: 500 }),
    tools: fc.array(fc.constantFrom(tool('Read', 'r'.repeat(200)), tool('mcp__a__b', 'm'.repeat(900)))),
  })
  await fc.assert(
    fc.asyncProperty(setup, async (given) => {
      const { categories, totalTokens, maxTokens } = await usageOf(given)
      const used = categories.filter(({ kind }) => kind === 'used')
      const sum = (list: typeof categories) => list.reduce((all, { tokens }) => all + tokens, 0)
      assert.equal(sum(used), totalTokens)
      assert.equal(sum(categories), Math.max(totalTokens, maxTokens))
      assert.ok(categories.every(({ tokens }) => Number.isInteger(tokens) && tokens >= 0))
    }),
  )
})
