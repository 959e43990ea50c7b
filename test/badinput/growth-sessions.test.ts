/**
 * Whole sessions in this process, with n and 2n of something, and our own steps counted (growth.test.ts does it for texts):
 * the tools of a server, and the messages that a reader takes late.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createSdkMcpServer, type Options, query, tool } from '../../src/index.js'
import { startModelServer, type Turn, testOptions } from '../../src/testing/index.js'
import { countWork, type WorkCounter } from './counted-work.js'

let work: WorkCounter
before(() => {
  work = countWork()
})
after(() => work.close())

/** `late`: each message is taken when all that can happen before has happened. */
async function run(turns: Turn[], { late = false, ...overrides }: Options & { late?: boolean } = {}) {
  await using server = await startModelServer(turns)
  await using options = testOptions(server, { isolation: 'in-process', ...overrides })
  const steps = await work.count(async () => {
    for await (const message of query({ prompt: 'Go.', options })) {
      if (message.type === 'result') assert.equal(message.subtype, 'success')
      if (late) await new Promise(setImmediate)
    }
  })
  return { steps, requests: server.requests }
}

/** What n of something take more than none, and twice as many. */
async function growth(parts: number, session: (parts: number) => Promise<number>): Promise<number> {
  // What is done the first time only.
  await session(1)
  const none = await session(1)
  const [once, twice] = [await session(parts), await session(2 * parts)]
  assert.ok(once > none, `${parts} parts: ${once} steps, one: ${none}`)
  return (twice - none) / (once - none)
}

test('500 tools of a server: each costs what it costs among 250', async () => {
  const offered = new Set<number>()
  const times = await growth(250, async (count) => {
    const tools = Array.from({ length: count }, (_, n) =>
      tool(`look_${n}`, `Looks at ${n}.`, {}, async () => ({ content: [{ type: 'text', text: 'seen' }] })),
    )
    const { steps, requests } = await run(
      [...[0, 1, 2].map((n) => ({ tools: [{ name: `mcp__many__look_${n % count}`, input: {} }] })), 'Done.'],
      {
        mcpServers: { many: createSdkMcpServer({ name: 'many', tools }) },
        allowedTools: ['mcp__many'],
        env: { ...process.env, ENABLE_TOOL_SEARCH: 'false' },
      },
    )
    const names = (requests.at(-1)?.body.tools ?? []).filter(({ name }) => name.startsWith('mcp__'))
    offered.add(names.length)
    return steps
  })
  assert.deepEqual([...offered], [1, 250, 500])
  assert.ok(times < 2.2, `${times} ×`)
})

test('2,000 messages to a reader who takes each late: each costs what it costs among 1,000', async () => {
  const late = (count: number) =>
    run([{ text: 'ab'.repeat(count), chunk: 2 }], { late: true, includePartialMessages: true })
  const times = await growth(1000, async (count) => (await late(count)).steps)
  assert.ok(times < 2.2, `${times} ×`)
})
